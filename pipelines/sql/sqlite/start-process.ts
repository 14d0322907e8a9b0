import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { SqlError } from "../../errors.js";
import { compiledModule } from "../../package-root.js";

/** A process on child.ts with its two pipes: `pipe` for frames (wire.ts), `lifeline` for lifeline.ts. */
export interface StartedProcess {
  child: ChildProcess;
  pipe: Socket;
  lifeline: Socket;
}

/** Starts a process for SQL. It keeps nobody alive: while a job runs, the job's deadline does. */
export function startProcess(scratch: string): StartedProcess {
  const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...environment } = process.env;
  const args = ["--max-old-space-size=256", compiledModule("pipelines/sql/sqlite/child"), scratch];
  const child = spawn(process.execPath, args, {
    // Local time is UTC, so that SQL on dates says the same on every machine.
    env: { ...environment, TZ: "UTC" },
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
  });
  const [, , , pipe, lifeline] = child.stdio;
  if (!(pipe instanceof Socket) || !(lifeline instanceof Socket)) {
    throw new SqlError("an SQL process could not be started: no pipes");
  }
  child.unref();
  for (const stream of [pipe, lifeline, child.stderr]) if (stream instanceof Socket) stream.unref();
  return { child, pipe, lifeline };
}
