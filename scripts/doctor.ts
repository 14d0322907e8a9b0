import { existsSync, statfsSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Command } from "commander";
import { CACHES, cachesOf, FREE_CACHES } from "../pipelines/engine/caches.js";
import { EXIT, UserError } from "../pipelines/errors.js";
import { type Models, modelsOfEnvironment, shownAddress } from "../pipelines/model/configuration.js";
import { PACKAGE_VERSION } from "../pipelines/package-root.js";
import { openPostgres } from "../pipelines/sql/postgres/index.js";
import { SOURCE_NAMES } from "../sources/index.js";
import { cacheText, cleanCaches, DATASETS, listed } from "./terminal/caches.js";
import { type CommonOptions, withCommonOptions } from "./terminal/options.js";
import { columns, print } from "./terminal/say.js";

interface DoctorOptions extends CommonOptions {
  /** `true`: what is emptied where nothing is named. */
  clean?: true | string[];
  dryRun: boolean;
}

interface Check {
  subject: string;
  state: string;
  /** Whether the commands that need it can run; `null` where nothing needs it yet. */
  good: boolean | null;
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
function sqliteCheck(): Check {
  const db = new Database(":memory:");
  const version = String(db.prepare("SELECT sqlite_version()").pluck().get());
  db.close();
  return { subject: "SQLite", state: `${version} (better-sqlite3)`, good: true };
}

/** Starts the server that a record on PostgreSQL would be run on, and asks it; a second or two. */
async function postgresCheck(): Promise<Check> {
  const subject = "PostgreSQL";
  const given = process.env.DATABASE_URL !== undefined && process.env.DATABASE_URL !== "";
  const which = given ? "DATABASE_URL" : "embedded";
  const started = performance.now();
  try {
    const server = await openPostgres({ url: process.env.DATABASE_URL });
    const ready = ((performance.now() - started) / 1000).toFixed(1);
    const state = `${await server.version()} (${which}), ready in ${ready} s`;
    await server.close();
    return { subject, state, good: true };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const remedy = error.remedy === undefined ? "" : `; ${error.remedy}`;
    // One that was asked for must work; without one, everything on SQLite does.
    return { subject, state: `${error.message}${remedy}`, good: given ? false : null };
  }
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
async function examine(out: string): Promise<Check[]> {
  const major = Number(process.versions.node.split(".")[0]);
  const place = existsSync(out) ? out : ".";
  const disk = statfsSync(place);
  const free = disk.bavail * disk.bsize;
  return [
    { subject: "ambitab", state: PACKAGE_VERSION, good: true },
    { subject: "Node.js", state: `${process.versions.node} (needs 20 or newer)`, good: major >= 20 },
    sqliteCheck(),
    await postgresCheck(),
    endpointCheck(),
    {
      subject: "processors",
      state: `${availableParallelism()}, ${gigabytes(totalmem())} of memory`,
      good: true,
    },
    { subject: "free disk", state: `${gigabytes(free)} at ${place}`, good: free > 2 * 1024 ** 3 },
    ...cacheChecks(out),
    ...sourceChecks(out),
  ];
}

/** Each cache and what it costs to lose. */
const CACHE_HELP = `Caches:${columns(
  ["", ""],
  Object.entries(CACHES).map(([name, what]) => [`  ${name}`, what]),
)}`;

function cacheChecks(out: string): Check[] {
  return cachesOf(out, DATASETS).map(({ problem, ...cache }) => ({
    subject: `cache ${cache.name}`,
    state: problem ?? cacheText(cache),
    good: problem === undefined,
  }));
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("doctor")
      .description("what is on this machine; --clean empties the caches")
      .option(
        "--clean [what...]",
        `empty ${listed(FREE_CACHES)}, which can be made again for nothing; or what is named: those, downloads, responses (models' answers, which were paid for), or all`,
      )
      .option("--dry-run", "with --clean: only say what would be emptied", false)
      .addHelpText("after", `\n${CACHE_HELP}`),
  ).action(async (options: DoctorOptions) => {
    if (options.clean !== undefined) {
      const { text, json, stayed } = cleanCaches(options.out, options.clean, options.dryRun);
      print(options.json ? JSON.stringify(json, null, 2) : text);
      if (stayed) process.exitCode = EXIT.checkFailed;
      return;
    }
    if (options.dryRun)
      throw new UserError("--dry-run says what --clean would empty", { remedy: "give --clean, too" });
    const checks = await examine(options.out);
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
