import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Command } from "commander";
import { EXIT, UserError } from "../pipelines/errors.js";
import { type Models, modelsOfEnvironment, shownAddress } from "../pipelines/model/configuration.js";
import { PACKAGE_VERSION } from "../pipelines/package-root.js";
import { SOURCE_NAMES } from "../sources/index.js";
import { type CommonOptions, withCommonOptions } from "./terminal/options.js";
import { columns, print } from "./terminal/say.js";

interface DoctorOptions extends CommonOptions {
  clean: boolean;
}

interface Check {
  subject: string;
  state: string;
  /** Whether the commands that need it can run; `null` where nothing needs it yet. */
  good: boolean | null;
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
const megabytes = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;

/** Bytes of all files below a folder; hard links are counted each time they are met. */
function folderSize(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function versionOf(command: string): string | undefined {
  const outcome = spawnSync(command, ["--version"], { encoding: "utf8", timeout: 5000 });
  return outcome.status === 0 ? outcome.stdout.trim().split("\n")[0] : undefined;
}

function sqliteCheck(): Check {
  const db = new Database(":memory:");
  const version = String(db.prepare("SELECT sqlite_version()").pluck().get());
  db.close();
  return { subject: "SQLite", state: `${version} (better-sqlite3)`, good: true };
}

/** Only what is configured: whether a server answers is for `models check`, because it costs time and perhaps money. */
function endpointCheck(): Check {
  const subject = "model endpoint";
  let models: Models | undefined;
  try {
    models = modelsOfEnvironment();
  } catch (error) {
    if (error instanceof UserError) return { subject, state: error.message, good: false };
    throw error;
  }
  if (models === undefined)
    return {
      subject,
      state: "neither OPENAI_BASE_URL nor OPENAI_API_KEY is set; model-made steps need one, or --models FILE",
      good: null,
    };
  const { base_url, api_key_env } = models.roles.asker.endpoint;
  const key = api_key_env === undefined ? "no key" : `key in ${api_key_env}`;
  return { subject, state: `${shownAddress(base_url)}, ${key}: ambitab models check asks it`, good: true };
}

function sourceChecks(out: string): Check[] {
  return SOURCE_NAMES.map((source) => {
    const here = existsSync(join(out, "sources", source, "lock.json"));
    return {
      subject: `source ${source}`,
      state: here ? "here" : `not here: ambitab fetch ${source}`,
      good: here ? true : null,
    };
  });
}

/** What is on this machine and in the output folder. */
function examine(out: string): Check[] {
  const major = Number(process.versions.node.split(".")[0]);
  const place = existsSync(out) ? out : ".";
  const disk = statfsSync(place);
  const free = disk.bavail * disk.bsize;
  const psql = versionOf("psql");
  return [
    { subject: "ambitab", state: PACKAGE_VERSION, good: true },
    { subject: "Node.js", state: `${process.versions.node} (needs 20 or newer)`, good: major >= 20 },
    sqliteCheck(),
    {
      subject: "PostgreSQL",
      state: psql ?? "psql is not on the path; nothing here needs it yet",
      good: psql === undefined ? null : true,
    },
    endpointCheck(),
    {
      subject: "processors",
      state: `${availableParallelism()}, ${gigabytes(totalmem())} of memory`,
      good: true,
    },
    { subject: "free disk", state: `${gigabytes(free)} at ${place}`, good: free > 2 * 1024 ** 3 },
    {
      subject: "cache",
      state: `${megabytes(folderSize(join(out, "cache")))} in ${join(out, "cache")}`,
      good: true,
    },
    ...sourceChecks(out),
  ];
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("doctor")
      .description("what is on this machine; --clean empties the caches")
      .option("--clean", "remove the caches: the next build is slower and gives the same bytes", false),
  ).action((options: DoctorOptions) => {
    if (options.clean) {
      const cache = join(options.out, "cache");
      const size = folderSize(cache);
      rmSync(cache, { recursive: true, force: true });
      if (options.json) print(JSON.stringify({ removed: cache, bytes: size }));
      else print(`removed ${cache}, ${megabytes(size)}`);
      return;
    }
    const checks = examine(options.out);
    if (options.json) print(JSON.stringify(checks, null, 2));
    else
      print(
        columns(
          ["", "", ""],
          checks.map(({ subject, state, good }) => [
            good === null ? "-" : good ? "ok" : "!!",
            subject,
            state,
          ]),
        ).trimStart(),
      );
    if (checks.some(({ good }) => good === false)) process.exitCode = EXIT.checkFailed;
  });
}
