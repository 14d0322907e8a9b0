import type { Command } from "commander";
import { UserError } from "../pipelines/errors.js";
import { openSuite } from "../pipelines/record/suite.js";
import type { TaskRecord } from "../schemas/types/record.js";
import { type CommonOptions, withCommonOptions } from "./terminal/options.js";
import { print, styled } from "./terminal/say.js";

const field = (name: string, value: string): string =>
  `  ${name.padEnd(12)} ${value.replaceAll("\n", `\n${" ".repeat(15)}`)}`;

/** A record with its zones apart, and who may read each. */
function recordText(record: TaskRecord): string {
  const { oracle, verifier, provenance } = record;
  const { request, database } = record.public;
  const lines = [
    styled("bold", record.record_id),
    field("dataset", `${record.dataset}, split ${record.split}`),
    styled("bold", "public (everybody)"),
    field("request", request),
    field("database", `${database.engine} ${database.path}`),
    styled("bold", "oracle (the simulated user)"),
  ];
  for (const one of oracle.ambiguities) {
    lines.push(field("term", `"${one.term}" (${one.kind}${one.counts ? "" : ", does not count"})`));
    lines.push(field("aliases", one.aliases.join(", ")));
    lines.push(field("resolution", one.resolution));
    lines.push(field("response", `${one.response} (${one.response_status})`));
  }
  const { policy, ordered } = verifier.comparison;
  lines.push(styled("bold", "verifier (the scorer)"));
  lines.push(...verifier.reference_sql.map((sql) => field("reference", sql)));
  lines.push(...(verifier.alternative_sql ?? []).map((sql) => field("alternative", sql)));
  const by =
    verifier.success === "tests" ? "the task's own tests" : `${policy}${ordered ? ", row by row" : ""}`;
  lines.push(field("comparison", by));
  if (verifier.not_verifiable !== undefined) lines.push(field("unverifiable", verifier.not_verifiable));
  lines.push(styled("bold", "provenance (a person auditing)"));
  lines.push(
    field(
      "source",
      `${provenance.source} ${provenance.source_version}, ${provenance.file}, row ${provenance.row}`,
    ),
  );
  lines.push(...(provenance.notes ?? []).map((note) => field("note", note)));
  lines.push(field("trace", `ambitab trace "${record.record_id}"`));
  return lines.join("\n");
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("show")
      .description("one record, its zones apart")
      .argument("<path>", "a build's folder, or the folder that holds several")
      .argument("<id>", "a record id; an AVT id shows all its readings"),
  ).action(async (path: string, id: string, options: CommonOptions) => {
    const found: TaskRecord[] = [];
    for (const dataset of openSuite(path).datasets) {
      if (!id.startsWith(`${dataset.dataset}/`)) continue;
      for await (const { record } of dataset.records()) {
        if (record.record_id === id || record.avt_id === id) found.push(record);
      }
    }
    if (found.length === 0) {
      throw new UserError(`${path} holds no record ${id}`, {
        remedy: `ambitab list ${path} shows what is there`,
      });
    }
    if (options.json) print(JSON.stringify(found, null, 2));
    else print(found.map(recordText).join("\n\n"));
  });
}
