import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UserError } from "../../errors.js";

const start = promisify(execFile);

/** A Python that can run the tests, and how it is started. */
export interface Interpreter {
  /** Program and arguments before ours: the interpreter, perhaps behind `unshare`. */
  readonly command: readonly string[];
  /** Whether the system keeps it from every network. */
  readonly isolated: boolean;
}

/** Nothing of the person's shell decides or leaks anything. */
export const EMPTY_ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C.UTF-8", TZ: "UTC" };

const PROBE = "import psycopg2, sys; print(sys.executable)";

/** The interpreter's own path: a shim in PATH needs the environment that a test does not get. */
async function pathOf(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await start(program, ["-I", "-B", "-c", PROBE], { timeout: 20_000, cwd: "/" });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

/** Linux can give a program a network of its own, with nobody in it. */
const WITHOUT_NETWORK = ["unshare", "--net", "--"];
const AS_USER = ["unshare", "--user", "--map-root-user", "--net", "--"];

async function runs(command: readonly string[]): Promise<boolean> {
  const [program = "", ...rest] = command;
  try {
    await start(program, [...rest, "true"], { timeout: 10_000, env: EMPTY_ENVIRONMENT, cwd: "/" });
    return true;
  } catch {
    return false;
  }
}

let found: Promise<Interpreter> | undefined;

async function find(): Promise<Interpreter> {
  for (const program of [process.env.AMBITAB_PYTHON, "python3", "/usr/bin/python3"]) {
    const path = program === undefined ? undefined : await pathOf(program);
    if (path === undefined || path === "") continue;
    const shelter = process.getuid?.() === 0 ? WITHOUT_NETWORK : AS_USER;
    const isolated = process.platform === "linux" && (await runs(shelter));
    return { command: [...(isolated ? shelter : []), path], isolated };
  }
  throw new UserError("the tasks' own tests are Python over psycopg2, and no python3 here has it", {
    remedy:
      "install it (Debian and Ubuntu: apt-get install python3-psycopg2; elsewhere: pip install psycopg2-binary), name another interpreter in AMBITAB_PYTHON, or leave out --run-upstream-tests",
  });
}

/**
 * A Python with psycopg2: the one that AMBITAB_PYTHON names, else `python3` of the PATH, else the system's.
 *
 * @throws UserError where there is none
 */
export function findInterpreter(): Promise<Interpreter> {
  found ??= find().catch((error: unknown) => {
    found = undefined;
    throw error;
  });
  return found;
}
