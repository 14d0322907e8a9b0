import type { TaskRecord } from "../../../schemas/types/record.js";
import type { FileRef } from "../../engine/files.js";
import type { Emitted } from "../../engine/pipeline.js";
import { drop, type Evidence, itemStage, keep, type Origin } from "../../engine/stage.js";
import { tokenise } from "../../oracle/index.js";
import { safeName } from "../../record/ids.js";
import { RECORD_SCHEMA_VERSION } from "../../record/version.js";
import { quoteIdentifier } from "../../sql/index.js";
import { describeOriginal } from "./describe-original.js";
import { type Reading, type ReadRow, type Unit, unitKey } from "./items.js";
import { findTerm } from "./term.js";
import { aliasesOf, inWords, responseOf } from "./wording.js";

/** The pipeline's own version: it stands in every record, and changes when its records may. */
export const AMBIQT_VERSION = "ambiqt@1.0.0";

interface EmitInput {
  key: string;
  origin: Origin;
  source_version: string;
  spoken_name: string | null;
  question: string;
  unit: Unit;
  built: FileRef;
  readings: [Reading, Reading];
  ordered: boolean;
}

const keysOf = (text: string): string =>
  ` ${tokenise(text)
    .map(({ key }) => key)
    .join(" ")} `;

/** The alternatives that the request names in words or as written: a finding, because the request gives it away. */
function namedInRequest(question: string, alternatives: readonly string[]): string[] {
  const request = keysOf(question);
  return alternatives.filter((name) => tokenise(name).length > 0 && request.includes(keysOf(name)));
}

/** One record of a reading; `suffix` is its place in the AVT's drawn order, which says nothing of the reading. */
function recordOf(
  input: EmitInput,
  reading: Reading,
  suffix: number,
  term: string,
  databaseId: string,
): TaskRecord {
  const { unit, question, readings, ordered, origin } = input;
  const chosen = unit.alternatives[reading.alternative];
  const other = unit.alternatives[reading.alternative === 0 ? 1 : 0];
  const spoken = input.spoken_name === null ? [] : [input.spoken_name];
  const names = [...unit.alternatives, unit.column, ...spoken];
  return {
    schema_version: RECORD_SCHEMA_VERSION,
    record_id: `${input.key}#${suffix}`,
    avt_id: input.key,
    dataset: "ambiqt",
    split: "all",
    slices: [],
    public: {
      request: question,
      database: { engine: "sqlite", database_id: databaseId, path: `${databaseId}/${databaseId}.sqlite` },
    },
    oracle: {
      ambiguities: [
        {
          ambiguity_id: "column",
          term,
          aliases: aliasesOf(unit.table, names, term),
          kind: "column_choice",
          counts: true,
          resolution: `"${term}" is the column ${quoteIdentifier(chosen)} of the table ${quoteIdentifier(unit.table)}.`,
          response: responseOf(unit.table, term, chosen, other),
          response_status: "template",
          sql_snippet: quoteIdentifier(chosen),
        },
      ],
    },
    verifier: {
      reference_sql: [reading.sql],
      alternative_sql: readings.filter((one) => one !== reading).map(({ sql }) => sql),
      comparison: { policy: "multiset", ordered },
      verifiable: true,
      success: "comparison",
      category: "query",
    },
    provenance: {
      source: "ambiqt",
      source_version: input.source_version,
      file: origin.file,
      file_sha256: origin.file_sha256,
      row: origin.row,
      row_sha256: origin.row_sha256,
      pipeline_version: AMBIQT_VERSION,
      decisions_ref: `ledger.jsonl#${input.key}`,
      ...(reading.changes.length > 0 ? { notes: reading.changes } : {}),
    },
  };
}

/** Step 5: two records an item, one per intent, with the same request; which of them is #1 is drawn per AVT. */
export const emitIntents = itemStage({
  name: "emit-intents",
  version: "1",
  module: import.meta.url,
  parameters: ({ seed, strict_readings }) => ({ seed, strict_readings }),
  select: (
    { question, unit, built, readings, ordered, source_version, spoken_name }: ReadRow,
    { key, origin },
  ): EmitInput => ({
    key,
    origin,
    source_version,
    spoken_name,
    question,
    unit,
    built,
    readings,
    ordered,
  }),
  run(input, context) {
    const { key, unit, question, built, readings } = input;
    const evidence: Evidence[] = [];
    const named = namedInRequest(question, unit.alternatives);
    if (named.length > 0) {
      const detail = `the request names ${named.map((name) => `"${inWords(name)}"`).join(" and ")}`;
      if (context.settings.strict_readings) return drop("names_reading", detail);
      evidence.push({ kind: "finding", code: "names_reading", detail });
    }
    const columns = describeOriginal(unit.original, context).tables.flatMap((table) =>
      table.columns.map((column) => ({ table: table.name, column: column.name })),
    );
    const { table, column } = unit;
    const spoken = input.spoken_name ?? column;
    const { term, inRequest } = findTerm({ request: question, table, names: [column, spoken], columns });
    if (!inRequest) {
      const detail = `no words of the request name the column; the term is "${term}"`;
      evidence.push({ kind: "finding", code: "term_not_in_request", detail });
    }
    // The column's name would tell an agent which words are ambiguous, so the id says the original database and a hash.
    const databaseId = safeName(unit.db_id, unitKey(unit));
    const order = context.draws("record-suffix", key).permutation(readings.length);
    const records = order.map((index, place) =>
      recordOf(input, readings[index]!, place + 1, term, databaseId),
    );
    const databases = [{ path: `${databaseId}/${databaseId}.sqlite`, file: built }];
    return keep<Emitted>({ records, databases }, evidence.length > 0 ? evidence : undefined);
  },
  merge: (_row, emitted): Emitted => emitted,
});
