import type { Ambiguity, TaskRecord } from "../../../schemas/types/record.js";
import type { FileRef } from "../../engine/files.js";
import type { Emitted } from "../../engine/pipeline.js";
import { type Evidence, itemStage, keep, type Origin } from "../../engine/stage.js";
import { normalKey } from "../../oracle/index.js";
import { bared, SHORTEST_COPY } from "../../record/bared.js";
import { RECORD_SCHEMA_VERSION } from "../../record/version.js";
import type { MaskedHint } from "../bird-rows/index.js";
import type { ProvedRow } from "./items.js";

/** The pipeline's own version: it stands in every record, and changes when its records may. */
export const EW_BIRD_VERSION = "ew-bird@1.0.0";

type EmitInput = { key: string; origin: Origin; file: FileRef } & Pick<
  ProvedRow,
  "split" | "db_id" | "question" | "evidence" | "masked" | "column_meanings" | "reference" | "source_version"
>;

/** Hints that stand word for word in a column's meaning, which every agent reads: they are kept and reported. */
function hintsInMeanings({ masked, column_meanings }: EmitInput): Evidence[] {
  const open = Object.entries(column_meanings).map(([column, text]) => ({ column, text: bared(text) }));
  return masked.flatMap(({ resolution }): Evidence[] => {
    const hint = bared(resolution.replace(/[.;]$/, ""));
    const found = hint.length < SHORTEST_COPY ? undefined : open.find(({ text }) => text.includes(hint));
    if (found === undefined) return [];
    const detail = `the hint "${resolution}" stands in what is said of ${found.column}`;
    return [{ kind: "finding", code: "hint_in_column_meanings", detail }];
  });
}

/** ` word word `, for containment on word boundaries. */
const words = (text: string): string =>
  ` ${text
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(normalKey)
    .join(" ")} `;

function termsNotInRequest({ masked, question }: EmitInput): Evidence[] {
  const request = words(question);
  return masked
    .filter(({ term }) => !request.includes(words(term)))
    .map(({ term }) => ({
      kind: "finding",
      code: "term_not_in_request",
      detail: `the request does not say "${term}"`,
    }));
}

function ambiguityOf({ term, resolution, response, concepts }: MaskedHint, at: number): Ambiguity {
  return {
    ambiguity_id: `hint-${at + 1}`,
    term,
    aliases: [],
    kind: "knowledge",
    counts: true,
    resolution,
    response,
    response_status: "template",
    concepts,
  };
}

/** Step 3: one record a row; the evidence stands in the oracle's zone alone. */
export const emitRecord = itemStage({
  name: "emit-record",
  version: "1",
  module: import.meta.url,
  select: (
    { split, db_id, question, evidence, masked, column_meanings, reference, source_version, file }: ProvedRow,
    { key, origin },
  ): EmitInput => ({
    key,
    origin,
    file,
    split,
    db_id,
    question,
    evidence,
    masked,
    column_meanings,
    reference,
    source_version,
  }),
  run(input) {
    const { key, origin, file, split, db_id, question, evidence, masked, column_meanings, reference } = input;
    const path = `${db_id}/${db_id}.sqlite`;
    const record: TaskRecord = {
      schema_version: RECORD_SCHEMA_VERSION,
      // One reading a request: there is nothing to draw.
      record_id: `${key}#1`,
      avt_id: key,
      dataset: "ew-bird",
      split,
      slices: [],
      public: {
        request: question,
        database: { engine: "sqlite", database_id: db_id, path },
        ...(Object.keys(column_meanings).length > 0 ? { column_meanings } : {}),
      },
      oracle: { withheld_evidence: evidence, ambiguities: masked.map(ambiguityOf) },
      verifier: {
        reference_sql: [reference.sql],
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
        pipeline_version: EW_BIRD_VERSION,
        decisions_ref: `ledger.jsonl#${key}`,
        ...(reference.changes.length > 0 ? { notes: reference.changes } : {}),
      },
    };
    const findings = [...hintsInMeanings(input), ...termsNotInRequest(input)];
    return keep<Emitted>(
      { records: [record], databases: [{ path, file }] },
      findings.length > 0 ? findings : undefined,
    );
  },
  merge: (_row, emitted): Emitted => emitted,
});
