import type { Ambiguity, TaskRecord } from "../../../schemas/types/record.js";
import type { FileRef } from "../../engine/files.js";
import type { Emitted } from "../../engine/pipeline.js";
import { itemStage, keep, type Origin } from "../../engine/stage.js";
import { safeName } from "../../record/ids.js";
import { RECORD_SCHEMA_VERSION } from "../../record/version.js";
import { quoteIdentifier, quoteLiteral } from "../../sql/index.js";
import type { Choices, Place, PlacedRow, Wording } from "./items.js";
import { tableAliases, tableResolution, tableResponse, valueAliases, valueResponse } from "./naming.js";

/** The pipeline's own version: it stands in every record, and changes when its records may. */
export const TACO_VERSION = "taco@1.0.0";

interface EmitInput {
  key: string;
  origin: Origin;
  region: string;
  database: string;
  source_version: string;
  file: FileRef;
  choices: Choices;
  wording: Wording;
  place: Place;
}

/** One `table_choice`, and a `value_choice` where a value is withheld (spec 2, taco, step 4). */
function ambiguitiesOf({ choices, wording }: EmitInput): Ambiguity[] {
  const { term, value } = wording;
  const common = { counts: true, response_status: "template" as const };
  const table: Ambiguity = {
    ambiguity_id: "table",
    term,
    aliases: tableAliases(choices, wording),
    kind: "table_choice",
    resolution: tableResolution(choices, term),
    response: tableResponse(choices, term),
    sql_snippet: quoteIdentifier(choices.reference.table),
    ...common,
  };
  if (value === null) return [table];
  const taken = new Set(table.aliases);
  const open: Ambiguity = {
    ambiguity_id: "value",
    term: value.term,
    aliases: valueAliases(value, wording).filter((alias) => !taken.has(alias)),
    kind: "value_choice",
    resolution: `${value.term} is ${quoteLiteral(value.value)} in the column ${quoteIdentifier(value.column)}.`,
    response: valueResponse(value),
    sql_snippet: `${quoteIdentifier(value.column)} = ${quoteLiteral(value.value)}`,
    ...common,
  };
  return [table, open];
}

function notesOf({ choices }: EmitInput): string[] {
  const { changes, equal } = choices;
  if (equal.length === 0) return changes;
  const tables = equal.map((table) => quoteIdentifier(table)).join(", ");
  return [...changes, `the same result comes from ${tables}, so no alternative reading is of them`];
}

/** Step 4: one record a statement. */
export const emitRecord = itemStage({
  name: "emit-record",
  version: "1",
  module: import.meta.url,
  select: (
    { region, database, source_version, file, choices, wording, place }: PlacedRow,
    { key, origin },
  ): EmitInput => ({ key, origin, region, database, source_version, file, choices, wording, place }),
  run(input) {
    const { key, origin, region, database, file, choices, wording, place } = input;
    const databaseId = safeName(database, `${region}/${database}`);
    const path = `${databaseId}/${databaseId}.sqlite`;
    const notes = notesOf(input);
    const record: TaskRecord = {
      schema_version: RECORD_SCHEMA_VERSION,
      record_id: `${place.avt_id}#${place.suffix}`,
      avt_id: place.avt_id,
      dataset: "taco",
      split: "all",
      slices: [],
      public: { request: wording.request, database: { engine: "sqlite", database_id: databaseId, path } },
      oracle: { ambiguities: ambiguitiesOf(input) },
      verifier: {
        reference_sql: [choices.reference.sql],
        alternative_sql: choices.alternatives.map(({ sql }) => sql),
        comparison: { policy: "multiset", ordered: choices.ordered },
        verifiable: true,
        success: "comparison",
        category: "query",
      },
      provenance: {
        source: "taco",
        source_version: input.source_version,
        file: origin.file,
        file_sha256: origin.file_sha256,
        row: origin.row,
        row_sha256: origin.row_sha256,
        pipeline_version: TACO_VERSION,
        decisions_ref: `ledger.jsonl#${key}`,
        ...(notes.length > 0 ? { notes } : {}),
      },
    };
    return keep<Emitted>({ records: [record], databases: [{ path, file }] });
  },
  merge: (_row, emitted): Emitted => emitted,
});
