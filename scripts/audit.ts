import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { type AuditWish, audit } from "../pipelines/audit/audit.js";
import { FINDING_CODES } from "../pipelines/audit/codes.js";
import {
  AUDIT_FORMATS,
  type AuditFormat,
  type AuditReport,
  renderAudit,
  verdictText,
} from "../pipelines/audit/report.js";
import type { SourceRoot } from "../pipelines/audit/source-rows.js";
import { EXIT, UserError } from "../pipelines/errors.js";
import { gate } from "../pipelines/release/gate.js";
import { openSqlEngines } from "../pipelines/sql/engines.js";
import { openSource, SOURCE_NAMES } from "../sources/index.js";
import {
  type CommonOptions,
  type SourceFolders,
  sourceFolder,
  wholeNumber,
  withCommonOptions,
} from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { columns, print } from "./terminal/say.js";

interface AuditCommandOptions extends CommonOptions {
  execute: boolean;
  run?: string;
  from: SourceFolders;
  format: AuditFormat[];
  to?: string;
  jobs?: number;
  codes: boolean;
}

/** `text,html` → formats. */
function formatList(text: string): AuditFormat[] {
  return text.split(",").map((part) => {
    const format = AUDIT_FORMATS.find((one) => one === part.trim());
    if (format !== undefined) return format;
    throw new InvalidArgumentError(`there is no format "${part}"; choose from ${AUDIT_FORMATS.join(", ")}`);
  });
}

/** Where a source lies: the folder that was named, else what was brought in. */
function sourceRoot({ from, out }: AuditCommandOptions): SourceRoot {
  for (const [source, folder] of Object.entries(from)) {
    if (existsSync(folder) && statSync(folder).isDirectory()) continue;
    throw new UserError(`there is no folder ${folder}`, {
      remedy: `give --from ${source}=DIR the folder that the build was made from`,
    });
  }
  return async (name) => {
    const source = SOURCE_NAMES.find((one) => one === name);
    if (source === undefined) return undefined;
    const named = from[source];
    if (named !== undefined) return { root: resolve(named), named: true };
    const isHere = existsSync(join(out, "sources", source, "lock.json"));
    return isHere ? { root: (await openSource(source, out)).root, named: false } : undefined;
  };
}

const FILES: Readonly<Record<AuditFormat, string>> = {
  text: "audit.txt",
  html: "audit.html",
  json: "audit.json",
};

/** Writes a report's files, each whole or not at all. */
function writeReports(report: AuditReport, folder: string, formats: readonly AuditFormat[]): string[] {
  mkdirSync(folder, { recursive: true });
  return formats.map((format) => {
    const path = join(folder, FILES[format]);
    writeFileSync(`${path}.partial`, `${renderAudit[format](report)}\n`);
    renameSync(`${path}.partial`, path);
    return path;
  });
}

/** Prints a single text or JSON report; puts anything else into files. */
function show(report: AuditReport, path: string, { json, format, to, out }: AuditCommandOptions): void {
  const [only, ...others] = format;
  const printed = json ? "json" : (only ?? "text");
  if (to === undefined && others.length === 0 && printed !== "html") {
    print(renderAudit[printed](report));
    return;
  }
  const folder = to ?? join(out, "reports", `audit-${basename(resolve(path))}`);
  const files = writeReports(report, folder, format.length === 0 ? ["text"] : format);
  if (json) print(JSON.stringify({ passed: report.passed, files }, null, 2));
  else print(`${report.passed ? "passed" : "failed"}: ${verdictText(report.findings)}\n${files.join("\n")}`);
}

/** Every code with what it means and what to do about it. */
function printCodes(json: boolean): void {
  if (json) print(JSON.stringify(FINDING_CODES, null, 2));
  else
    print(
      columns(
        ["code", "means"],
        Object.entries(FINDING_CODES).map(([code, { means }]) => [code, means]),
      ),
    );
}

async function run(path: string | undefined, options: AuditCommandOptions): Promise<void> {
  if (options.codes) return printCodes(options.json);
  if (path === undefined)
    throw new UserError("no release is named", { remedy: "name a release's folder: ambitab audit PATH" });
  const rootOf = sourceRoot(options);
  const jobs = options.jobs ?? availableParallelism();
  const engines = options.execute ? openSqlEngines({ children: jobs }) : undefined;
  try {
    const report = await withProgress(
      `auditing ${path}`,
      options.quiet,
      (told) => {
        const wish: AuditWish = {
          report: told,
          rootOf,
          ...(options.run === undefined ? {} : { run: options.run }),
          ...(engines === undefined
            ? {}
            : {
                execute: {
                  engines,
                  width: jobs * 8,
                  gate: (datasets, sql, say) => gate(datasets, sql, jobs * 8, say),
                },
              }),
        };
        return audit(path, wish);
      },
      ({ findings }) => verdictText(findings),
    );
    show(report, path, options);
    if (!report.passed) process.exitCode = EXIT.checkFailed;
  } finally {
    await engines?.close();
  }
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("audit")
      .description(
        "re-verify a release from its files: hashes, zones, lineage, drops, leaks, guesses, licences; with --execute, its SQL; with --run, a run's prompts",
      )
      .argument("[path]", "a release's folder")
      .option(
        "--execute",
        "also validate the records, run every reference and alternative SQL, turn ties and row order round, and look into the databases",
        false,
      )
      .option("--run <dir>", "also scan what a run's askers and solvers were given for private text")
      .option(
        "--from <source=dir>",
        "read the source's rows again from this copy (default: what fetch brought in)",
        sourceFolder,
        {},
      )
      .option("--format <list>", `of ${AUDIT_FORMATS.join(", ")} (default: text, printed)`, formatList, [])
      .option("--to <dir>", "where files go (default: out/reports/audit- and the release's name)")
      .option("--codes", "list every code with what it means", false)
      .option("--jobs <n>", "SQL statements at once (default: the processors)", wholeNumber(1)),
  ).action(run);
}
