import type { Ambiguity, TaskRecord } from "../../../schemas/types/record.js";
import type { FileRef } from "../../engine/files.js";
import type { Emitted } from "../../engine/pipeline.js";
import { type Evidence, itemStage, keep, type Origin } from "../../engine/stage.js";
import { foldText } from "../../oracle/index.js";
import { RECORD_SCHEMA_VERSION } from "../../record/version.js";
import type { WrittenAmbiguity, WrittenRow } from "./items.js";

/** The pipeline's own version: it stands in every record, and changes when its records may. */
export const BIRD_VERSION = "bird@1.0.0";

type EmitInput = { key: string; origin: Origin; file: FileRef } & Pick<
  WrittenRow,
  | "split"
  | "db_id"
  | "question"
  | "evidence"
  | "column_meanings"
  | "reference"
  | "source_version"
  | "writing"
  | "readings"
>;

function ambiguityOf(
  { term, aliases, resolution, response, concepts }: WrittenAmbiguity,
  at: number,
): Ambiguity {
  return {
    ambiguity_id: `reading-${at + 1}`,
    term,
    aliases,
    kind: "alternative_reading",
    counts: true,
    resolution,
    response,
    response_status: "authored",
    concepts,
  };
}

/** Step 6: one record a row. The question is the clear request; a control's request is its question. */
export const emitRecord = itemStage({
  name: "emit-record",
  version: "1",
  module: import.meta.url,
  select: (row: WrittenRow, { key, origin }): EmitInput => {
    const {
      file,
      split,
      db_id,
      question,
      evidence,
      column_meanings,
      reference,
      source_version,
      writing,
      readings,
    } = row;
    return {
      key,
      origin,
      file,
      split,
      db_id,
      question,
      evidence,
      column_meanings,
      reference,
      source_version,
      writing,
      readings,
    };
  },
  run(input) {
    const {
      key,
      origin,
      file,
      split,
      db_id,
      question,
      evidence,
      column_meanings,
      reference,
      writing,
      readings,
    } = input;
    const path = `${db_id}/${db_id}.sqlite`;
    // A question that was open as it stood is no clear request.
    const unchanged = foldText(writing.request) === foldText(question);
    const clear = unchanged && readings.length > 0 ? {} : { clear_request: question.trim() };
    const record: TaskRecord = {
      schema_version: RECORD_SCHEMA_VERSION,
      // One reading of each request is the person's: there is nothing to draw.
      record_id: `${key}#1`,
      avt_id: key,
      dataset: "bird",
      split,
      slices: [],
      public: {
        request: writing.request,
        database: { engine: "sqlite", database_id: db_id, path },
        ...(Object.keys(column_meanings).length > 0 ? { column_meanings } : {}),
      },
      oracle: {
        ...clear,
        ...(evidence.trim() === "" ? {} : { withheld_evidence: evidence }),
        ambiguities: writing.ambiguities.map(ambiguityOf),
      },
      verifier: {
        reference_sql: [reference.sql],
        ...(readings.length > 0 ? { alternative_sql: readings.map(({ sql }) => sql) } : {}),
        comparison: { policy: "bird_ex", ordered: false },
        verifiable: true,
        success: "comparison",
        category: "query",
      },
      provenance: {
        source: "bird",
        source_version: input.source_version,
        file: origin.file,
        file_sha256: origin.file_sha256,
        row: origin.row,
        row_sha256: origin.row_sha256,
        pipeline_version: BIRD_VERSION,
        decisions_ref: `ledger.jsonl#${key}`,
        ...(reference.changes.length > 0 ? { notes: reference.changes } : {}),
      },
    };
    const findings: Evidence[] =
      unchanged && readings.length > 0
        ? [{ kind: "finding", code: "question_open_as_it_is", detail: "the rewriter kept the question" }]
        : [];
    return keep<Emitted>(
      { records: [record], databases: [{ path, file }] },
      findings.length > 0 ? findings : undefined,
    );
  },
  merge: (_row, emitted): Emitted => emitted,
});
