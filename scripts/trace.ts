import type { Command } from "commander";
import { type Traced, trace } from "../pipelines/audit/trace.js";
import { UserError } from "../pipelines/errors.js";
import { openSuite } from "../pipelines/record/suite.js";
import type { LedgerStep } from "../schemas/types/ledger.js";
import { type CommonOptions, withCommonOptions } from "./terminal/options.js";
import { print, shorten, styled } from "./terminal/say.js";

interface TraceOptions extends CommonOptions {
  path?: string;
}

function evidenceLine(evidence: NonNullable<LedgerStep["evidence"]>[number]): string {
  const { kind, ...details } = evidence;
  const parts = Object.entries(details).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${name} ${/sha256/.test(name) ? text.slice(0, 12) : shorten(text, 160)}`;
  });
  return `      ${kind}: ${parts.join("; ")}`;
}

function stepLines(step: LedgerStep): string[] {
  const mark = step.outcome === "kept" ? styled("green", "kept   ") : styled("red", "dropped");
  const item = step.item === undefined ? "" : ` (${step.item})`;
  const why = step.reason === undefined ? "" : `  ${step.reason}: ${step.detail ?? ""}`;
  return [`  ${mark}  ${step.stage}${item}${why}`, ...(step.evidence ?? []).map(evidenceLine)];
}

function tracedText({ entry, records }: Traced): string {
  const { file, row, file_sha256, row_sha256 } = entry.origin;
  const lines = [
    styled("bold", entry.key),
    `  source ${entry.source}, ${file}, row ${row}`,
    `  file sha256 ${file_sha256}`,
    `  row sha256  ${row_sha256 === "" ? "none: the row could not be read" : row_sha256}`,
    ...entry.steps.flatMap(stepLines),
  ];
  if (records.length === 0) lines.push("  not in the benchmark");
  for (const { record_id, oracle, verifier } of records) {
    lines.push(`  record  ${record_id}`);
    for (const { term, response } of oracle.ambiguities) lines.push(`      "${term}" → ${response}`);
    for (const sql of verifier.reference_sql) lines.push(`      reference: ${shorten(sql, 160)}`);
  }
  return lines.join("\n");
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("trace")
      .description(
        "the whole way of a record back to its source row, or of a source row to its records or its drop",
      )
      .argument(
        "<id>",
        "a record id, a row's key (ambiqt/validation/3.singer.name), or a row (ambiqt/validation/row-17)",
      )
      .option("--path <dir>", "a release or a build to look in (default: the builds in --out)"),
  ).action(async (id: string, options: TraceOptions) => {
    const found = await trace(openSuite(options.path ?? options.out).datasets, id);
    if (found.length === 0) {
      throw new UserError(`no record and no source row is called ${id}`, {
        remedy:
          "ambitab list out/build shows the records' ids; row keys stand in ledger.jsonl and dropped.jsonl",
      });
    }
    if (options.json)
      print(
        JSON.stringify(
          found.map(({ entry, records }) => ({ entry, records })),
          null,
          2,
        ),
      );
    else print(found.map(tracedText).join("\n\n"));
  });
}
