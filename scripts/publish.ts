import { join, resolve } from "node:path";
import type { Command } from "commander";
import { EXIT, Interrupted } from "../pipelines/errors.js";
import {
  AuditFailed,
  hubAccess,
  type PlannedFile,
  type Published,
  parseDestination,
  publish,
} from "../pipelines/release/publish/index.js";
import { findingsText } from "./terminal/findings.js";
import { interruptible } from "./terminal/interrupt.js";
import { type CommonOptions, withCommonOptions } from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { quoted } from "./terminal/quoted.js";
import { columns, print, sayer } from "./terminal/say.js";

interface PublishCommandOptions extends CommonOptions {
  to: string;
  publicOnly: boolean;
  private: boolean;
  dryRun: boolean;
}

const ACTIONS = ["add", "replace", "keep", "delete"] as const;
const count = (value: number): string => value.toLocaleString("en-US");

/** Files and bytes of each action. */
function totalsOf(files: readonly PlannedFile[]): Record<string, { files: number; bytes: number }> {
  return Object.fromEntries(
    ACTIONS.map((action) => {
      const those = files.filter((one) => one.action === action);
      return [action, { files: those.length, bytes: those.reduce((sum, { bytes }) => sum + bytes, 0) }];
    }),
  );
}

/** "add 12 files, 3,456 bytes; keep 2 files, 78 bytes" */
function totalsText(files: readonly PlannedFile[]): string {
  const told = Object.entries(totalsOf(files)).filter(([, { files: some }]) => some > 0);
  return told
    .map(([action, total]) => `${action} ${count(total.files)} files, ${count(total.bytes)} bytes`)
    .join("; ");
}

/** Names of files are others' words: what would steer a terminal is written out. */
const plain = (path: string): string => path.replace(/\p{C}/gu, (sign) => JSON.stringify(sign).slice(1, -1));

function placeText({ hub, dryRun }: Published): string[] {
  if (hub === undefined) return [];
  const who = hub.isPrivate ? "private" : hub.gated === false ? "open to everybody" : `gated (${hub.gated})`;
  const made = hub.isNew ? (dryRun ? "would be made, " : "was made, ") : "";
  return [`repository ${made}${who}; tag ${hub.tag}`];
}

function resultText(result: Published): string {
  const { dryRun, wasThere, version, place, files, hash, zones, notes } = result;
  const list = columns(
    ["action", "bytes", "zone", "file"],
    files.map(({ action, bytes, zone, path }) => [action, count(bytes), zone ?? "-", plain(path)]),
    [1],
  );
  const done = wasThere ? "is there already" : dryRun ? "would be published" : "is published";
  return [
    ...(dryRun ? [list, ""] : []),
    `release ${version} (${zones.join(", ")}) ${done}: ${place}`,
    `release hash ${hash}`,
    totalsText(files),
    ...placeText(result),
    ...notes.map((note) => `note: ${note}`),
  ].join("\n");
}

function doneText({ files, hub }: Published): string {
  const sent = hub?.uploaded;
  const how = sent === undefined ? "" : `, ${sent.commits} commits`;
  return `${totalsText(files)}${how}${hub === undefined ? "" : `, ${hub.requests} requests`}`;
}

async function run(path: string, options: PublishCommandOptions): Promise<void> {
  const { quiet, json, publicOnly, dryRun, out } = options;
  const to = parseDestination(options.to);
  const hub = to.kind === "hub" ? { access: hubAccess(process.env), isPrivate: options.private } : undefined;
  const result = await interruptible((signal) =>
    withProgress(
      `${dryRun ? "looking at" : "publishing"} ${path}`,
      quiet,
      (report) =>
        publish({
          release: resolve(path),
          to,
          publicOnly,
          dryRun,
          scratch: join(resolve(out), "cache", "publish"),
          ...(hub === undefined ? {} : { hub }),
          signal,
          report,
        }),
      doneText,
    ),
  );
  for (const note of json ? result.notes : []) sayer(quiet)(`note: ${note}`);
  print(json ? JSON.stringify({ ...result, totals: totalsOf(result.files) }, null, 2) : resultText(result));
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("publish")
      .description(
        "put a release into a dataset repository or a folder; refused where it fails its audit or a source's terms forbid it",
      )
      .argument("<path>", "a release's folder")
      .requiredOption("--to <place>", "hf:OWNER/NAME (HF_TOKEN, HF_ENDPOINT, HF_HOME as usual) or dir:PATH")
      .option("--public-only", "only the public part, as a release of its own", false)
      .option("--private", "make a new repository private; refuse one that is not", false)
      .option("--dry-run", "list every file and what would become of it; change nothing", false),
  ).action(async (path: string, options: PublishCommandOptions) => {
    try {
      await run(path, options);
    } catch (error) {
      if (error instanceof Interrupted) {
        throw new Interrupted(["ambitab", ...process.argv.slice(2)].map(quoted).join(" "));
      }
      if (!(error instanceof AuditFailed)) throw error;
      if (options.json) print(JSON.stringify({ refused: true, findings: error.findings }, null, 2));
      else print(`refused: ${error.message}; nothing was published\n${findingsText(error.findings)}`);
      process.exitCode = EXIT.checkFailed;
    }
  });
}
