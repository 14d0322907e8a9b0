import type { Emitted } from "../../../../../pipelines/engine/pipeline.js";
import { itemStage, keep, type Origin } from "../../../../../pipelines/engine/stage.js";
import { RECORD_SCHEMA_VERSION } from "../../../../../pipelines/record/version.js";
import { quoteIdentifier } from "../../../../../pipelines/sql/index.js";
import type { TaskRecord } from "../../../../../schemas/types/record.js";
import type { WithReadings } from "./items.js";

/** Stands in every record, and changes when they may. */
export const TEAROOM_VERSION = "tearoom@1.0.0";

const DATABASE = "tearoom";

interface EmitInput {
  key: string;
  origin: Origin;
  row: WithReadings;
}

/** The record of one reading; `suffix` is its place in the drawn order, which says nothing of the reading. */
function recordOf({ key, origin, row }: EmitInput, reading: 0 | 1, suffix: number): TaskRecord {
  const { term, table, columns, readings, source_version } = row;
  const column = columns[reading];
  return {
    schema_version: RECORD_SCHEMA_VERSION,
    record_id: `${key}#${suffix}`,
    avt_id: key,
    dataset: "tearoom",
    split: "all",
    slices: [],
    public: {
      request: row.question,
      database: { engine: "sqlite", database_id: DATABASE, path: `${DATABASE}/${DATABASE}.sqlite` },
    },
    oracle: {
      ambiguities: [
        {
          ambiguity_id: "column",
          term,
          aliases: [],
          kind: "column_choice",
          counts: true,
          resolution: `"${term}" is the column ${quoteIdentifier(column)} of the table ${quoteIdentifier(table)}.`,
          response: `By ${term} I mean the column ${quoteIdentifier(column)}.`,
          response_status: "template",
          sql_snippet: quoteIdentifier(column),
        },
      ],
    },
    verifier: {
      reference_sql: [readings[reading]],
      alternative_sql: [readings[reading === 0 ? 1 : 0]],
      comparison: { policy: "multiset", ordered: false },
      verifiable: true,
      success: "comparison",
      category: "query",
    },
    provenance: {
      source: "tearoom",
      source_version,
      ...origin,
      pipeline_version: TEAROOM_VERSION,
      decisions_ref: `ledger.jsonl#${key}`,
    },
  };
}

/** Two records a row, one a reading, with the same request; which of them is #1 is drawn. */
export const emitReadings = itemStage({
  name: "emit-readings",
  version: "1",
  module: import.meta.url,
  parameters: ({ seed }) => ({ seed }),
  select: (row: WithReadings, { key, origin }): EmitInput => ({ key, origin, row }),
  run(input, context) {
    const swapped = context.draws("record-suffix", input.key).coin();
    const order = swapped ? ([1, 0] as const) : ([0, 1] as const);
    return keep<Emitted>({
      records: order.map((reading, place) => recordOf(input, reading, place + 1)),
      databases: [{ path: `${DATABASE}/${DATABASE}.sqlite`, file: input.row.database }],
    });
  },
  merge: (_row, emitted): Emitted => emitted,
});
