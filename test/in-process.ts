/**
 * Runs commands where the tests run. It is the command line as it stands (its words, its exit code, what it prints), without
 * the second of starting a process and loading the modules again. What is about processes (signals, kills, two at once, what
 * a process loads) starts a real one: `start` of `test/system/command.ts`, `ambitab` of `test/release/sample.ts`.
 */
import { runCommand } from "../scripts/ambitab.js";

export interface CommandOutcome {
  code: number;
  stdout: string;
  stderr: string;
}

interface Surroundings {
  /** Working directory; the present one where it is left out. */
  cwd?: string;
  /** The whole environment; undefined variables are not there. */
  env: NodeJS.ProcessEnv;
}

/** Replaces what the process has of its surroundings and gives what puts it back. */
function enter({ cwd = process.cwd(), env }: Surroundings, words: readonly string[]): () => void {
  const before = { cwd: process.cwd(), env: { ...process.env }, argv: process.argv };
  const surround = (variables: NodeJS.ProcessEnv): void => {
    for (const name of Object.keys(process.env)) if (variables[name] === undefined) delete process.env[name];
    for (const [name, value] of Object.entries(variables)) if (value !== undefined) process.env[name] = value;
  };
  process.chdir(cwd);
  surround(env);
  process.argv = [process.execPath, "ambitab", ...words];
  return () => {
    process.chdir(before.cwd);
    surround(before.env);
    process.argv = before.argv;
    process.exitCode = undefined;
  };
}

/** Gathers what is written to a stream meanwhile. */
function gather(stream: NodeJS.WriteStream): () => string {
  let text = "";
  const own = Object.getOwnPropertyDescriptor(stream, "write");
  stream.write = (chunk: string | Uint8Array): boolean => {
    text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
    return true;
  };
  return () => {
    if (own === undefined) Reflect.deleteProperty(stream, "write");
    else Object.defineProperty(stream, "write", own);
    return text;
  };
}

let turn: Promise<unknown> = Promise.resolve();

async function run(words: readonly string[], surroundings: Surroundings): Promise<CommandOutcome> {
  const leave = enter(surroundings, words);
  const [stdout, stderr] = [gather(process.stdout), gather(process.stderr)];
  try {
    const code = await runCommand(words);
    return { code, stdout: stdout(), stderr: stderr() };
  } finally {
    stdout();
    stderr();
    leave();
  }
}

/** Runs `ambitab <words…>` in this process. One at a time: a process has one stdout and one environment. */
export function inProcess(words: readonly string[], surroundings: Surroundings): Promise<CommandOutcome> {
  const mine = turn.then(() => run(words, surroundings));
  turn = mine.catch(() => undefined);
  return mine;
}
