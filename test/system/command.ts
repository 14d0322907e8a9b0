/** Runs the command line as a person would. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import { inProcess } from "../in-process.js";

export const SAMPLE = join(PACKAGE_ROOT, "sources", "ambiqt", "sample");

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  process: ChildProcess;
  ended: Promise<Outcome>;
}

/** No colours, no network, nothing of the caller's environment that could matter. */
const ENVIRONMENT = { PATH: process.env.PATH, NO_COLOR: "1", TZ: "Pacific/Chatham", LC_ALL: "C" };

/**
 * Starts the compiled `ambitab <args…>` in a folder, in a process of its own.
 *
 * @param own options of Node's and variables that this process has and others have not
 */
export function start(
  args: readonly string[],
  cwd = PACKAGE_ROOT,
  own: { node?: readonly string[]; env?: Record<string, string> } = {},
): Running {
  const command = join(PACKAGE_ROOT, "dist", "scripts", "ambitab.js");
  const child = spawn(process.execPath, [...(own.node ?? []), command, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...ENVIRONMENT, ...own.env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { process: child, ended };
}

/** Runs a command to its end, in a process of its own. */
export const ambitab = (args: readonly string[], cwd?: string): Promise<Outcome> => start(args, cwd).ended;

/** Runs a command to its end in this process (`test/in-process.ts`), which is several times as fast. */
export const ambitabHere = async (args: readonly string[], cwd = PACKAGE_ROOT): Promise<Outcome> => ({
  ...(await inProcess(args, { cwd, env: ENVIRONMENT })),
  signal: null,
});

/** Arguments that build AmbiQT from a folder. */
export const buildArgs = (out: string, source = SAMPLE, ...more: string[]): string[] => [
  "build",
  "ambiqt",
  "--from",
  `ambiqt=${source}`,
  "--out",
  out,
  ...more,
];
