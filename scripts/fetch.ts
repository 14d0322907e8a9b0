import { resolve } from "node:path";
import type { Command } from "commander";
import { Interrupted, SourceError, SourceErrors, UserError } from "../pipelines/errors.js";
import {
  type FetchStep,
  fetchSource,
  type OpenSource,
  SOURCE_NAMES,
  type SourceName,
} from "../sources/index.js";

interface FetchFlags {
  from?: Map<SourceName, string>;
  out: string;
  copy?: boolean;
  json?: boolean;
  quiet?: boolean;
}

/** `ambitab fetch`: brings sources in. */
export function register(program: Command): void {
  program
    .command("fetch")
    .description("bring upstream sources in: take in a local copy, or download")
    .argument("[source...]", `one or more of ${SOURCE_NAMES.join(", ")}; all of them when left out`)
    .option("--from <source=DIR>", "take in this local copy (repeatable)", addFrom)
    .option("--out <DIR>", "folder that everything is made in", "out")
    .option("--copy", "copy the files of --from instead of reading them in place")
    .option("--json", "machine-readable result on stdout")
    .option("--quiet", "no progress on stderr")
    .action(async (names: string[], flags: FetchFlags) => run(names.map(sourceName), flags));
}

function sourceName(text: string): SourceName {
  const name = SOURCE_NAMES.find((known) => known === text);
  if (name !== undefined) return name;
  throw new UserError(`there is no source "${text}"`, { remedy: `choose from ${SOURCE_NAMES.join(", ")}` });
}

/** `source=DIR`, cut at the first equals sign: folder names may hold others. */
function addFrom(text: string, earlier?: Map<SourceName, string>): Map<SourceName, string> {
  const cut = text.indexOf("=");
  if (cut <= 0 || cut === text.length - 1) {
    throw new UserError(`--from ${text} names no source and folder`, { remedy: "write --from source=DIR" });
  }
  return new Map(earlier).set(sourceName(text.slice(0, cut)), text.slice(cut + 1));
}

async function run(names: SourceName[], flags: FetchFlags): Promise<void> {
  const chosen = new Set([...names, ...(flags.from?.keys() ?? [])]);
  const sources = SOURCE_NAMES.filter((source) => chosen.size === 0 || chosen.has(source));
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal);
  const report = flags.quiet === true ? undefined : stepReporter();
  const done: OpenSource[] = [];
  const failed: (UserError | SourceError | SourceErrors)[] = [];
  try {
    for (const source of sources) {
      const from = flags.from?.get(source);
      try {
        done.push(
          await fetchSource({
            source,
            out: flags.out,
            copy: flags.copy ?? false,
            signal: stop.signal,
            ...(from === undefined ? {} : { from }),
            ...(report === undefined ? {} : { onStep: (step) => report(source, step) }),
          }),
        );
      } catch (error) {
        if (error instanceof Interrupted) throw new Interrupted(resumeCommand(sources, flags));
        const ours =
          error instanceof UserError || error instanceof SourceError || error instanceof SourceErrors;
        if (!ours) throw error;
        failed.push(error);
      }
    }
  } finally {
    process.off("SIGINT", onSignal);
  }
  process.stdout.write(flags.json === true ? asJson(done) : asTable(done));
  const [only] = failed;
  if (only !== undefined) throw failed.length === 1 ? only : together(failed);
}

/** One error for several sources: each with its own remedy. */
function together(failed: readonly Error[]): UserError {
  const parts = failed.map((error) => {
    const remedy = error instanceof UserError && error.remedy !== undefined ? `\n    ${error.remedy}` : "";
    return `  ${error.message}${remedy}`;
  });
  return new UserError(`${failed.length} sources could not be brought in:\n${parts.join("\n")}`);
}

function resumeCommand(sources: readonly SourceName[], flags: FetchFlags): string {
  const from = [...(flags.from ?? [])]
    .map(([source, folder]) => ` --from ${shellWord(`${source}=${folder}`)}`)
    .join("");
  const out = flags.out === "out" ? "" : ` --out ${shellWord(flags.out)}`;
  return `ambitab fetch ${sources.join(" ")}${from}${out}${flags.copy === true ? " --copy" : ""}`;
}

const shellWord = (text: string): string =>
  /^[\w./=:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function asJson(done: readonly OpenSource[]): string {
  const sources = done.map(({ root, lock }) => ({ ...lock, root: resolve(root) }));
  return `${JSON.stringify({ sources }, null, 2)}\n`;
}

function asTable(done: readonly OpenSource[]): string {
  const rows = done.map(({ root, lock }) => [
    lock.source,
    lock.held,
    `${lock.files.length} files`,
    megabytes(lock.files.reduce((sum, file) => sum + file.bytes, 0)),
    lock.source_version,
    root,
  ]);
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Progress on stderr: one line a step, and for a download one line every five seconds. */
function stepReporter(): (source: SourceName, step: FetchStep) => void {
  let last = 0;
  return (source, step) => {
    if (step.kind === "downloading") {
      if (Date.now() - last < 5000 && step.received !== step.total) return;
      last = Date.now();
      const of = step.total === undefined ? "" : ` of ${megabytes(step.total)}`;
      process.stderr.write(`${source}: ${step.path}: ${megabytes(step.received)}${of}\n`);
    } else {
      process.stderr.write(
        `${source}: ${step.kind} ${step.kind === "unpacking" ? step.path : step.folder}\n`,
      );
    }
  };
}
