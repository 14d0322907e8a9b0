import { spawn } from "node:child_process";
import type { TaskSession } from "../postgres/index.js";
import { HARNESS } from "./harness.js";
import { EMPTY_ENVIRONMENT, findInterpreter } from "./interpreter.js";
import { NOBODY, openRelay } from "./relay.js";

/** What the tests are given. */
export interface PythonJob {
  setup: readonly string[];
  prediction: readonly string[];
  reference: readonly string[];
  cleanup: readonly string[];
  tests: readonly string[];
}

/** How the prediction ended and how each test did; `stopped` where the program gave no answer. */
export type PythonAnswer =
  | { prediction: "rows" | "error" | "timeout"; tests: { passed: boolean; why?: string }[] }
  | { stopped: string };

const STATEMENT_MS = 60_000;
/** For set-up, prediction and tests together. */
const WHOLE_MS = 180_000;
const MEMORY_BYTES = 2 * 1024 ** 3;
const MOST_OUTPUT = 1024 * 1024;
const ROWS = 10_000;

const OPTIONS = [
  `statement_timeout=${STATEMENT_MS}`,
  "TimeZone=UTC",
  "DateStyle=ISO,MDY",
  "client_min_messages=error",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

/** Ends a program and all that it started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as { code?: string }).code !== "ESRCH") throw error;
  }
}

async function converse(
  command: readonly string[],
  job: object,
  cwd: string,
  wholeMs: number,
): Promise<PythonAnswer> {
  const [program = "", ...rest] = command;
  const root = process.getuid?.() === 0;
  // `unshare` needs the rights that the interpreter must not have: it is told to give them up.
  const drop = root && program === "unshare";
  const shelter = drop ? rest.slice(0, rest.indexOf("--")) : rest;
  const args = drop
    ? [...shelter, `--setuid=${NOBODY}`, `--setgid=${NOBODY}`, ...rest.slice(rest.indexOf("--"))]
    : rest;
  const child = spawn(program, [...args, "-I", "-B", "-c", HARNESS], {
    cwd,
    env: EMPTY_ENVIRONMENT,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    ...(root && !drop ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  let output = "";
  let complaint = "";
  let stopped: string | undefined;
  const stop = (why: string): void => {
    stopped ??= why;
    endGroup(child.pid);
  };
  const limit = setTimeout(() => stop(`stopped after ${wholeMs / 1000} s`), wholeMs);
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
    if (output.length > MOST_OUTPUT) stop("said too much");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString("utf8")).slice(-2000);
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify(job));
  const ended = await new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  clearTimeout(limit);
  endGroup(child.pid);
  if (stopped !== undefined) return { stopped };
  try {
    return JSON.parse(output) as PythonAnswer;
  } catch {
    const last = complaint.trim().split("\n").at(-1) ?? "";
    return { stopped: last === "" ? ended : `${ended}: ${last}` };
  }
}

/**
 * Runs set-up, prediction and tests in a program of their own, on a database of the task's: without the person's
 * environment, files, network or rights, bounded in time, memory and output, and ended as a group.
 */
export async function runPython(
  session: Pick<TaskSession, "address">,
  job: PythonJob,
  { wholeMs = WHOLE_MS }: { wholeMs?: number } = {},
): Promise<PythonAnswer> {
  const interpreter = await findInterpreter();
  const { address } = session;
  const relay = await openRelay(address, process.getuid?.() === 0);
  try {
    const { user, password, database } = address;
    const limits = { options: OPTIONS, rows: ROWS, memory: MEMORY_BYTES, seconds: Math.ceil(wholeMs / 1000) };
    const where = { host: relay.folder, port: 5432, user, password, database };
    return await converse(interpreter.command, { ...job, ...where, ...limits }, relay.folder, wholeMs);
  } finally {
    relay.close();
  }
}
