import type { AmbiguityKind, TaskRecord } from "../../../schemas/types/record.js";
import type { AmbiguityType } from "../../../sources/ambrosia/index.js";
import type { Emitted } from "../../engine/pipeline.js";
import { type Evidence, itemStage, keep, type Origin } from "../../engine/stage.js";
import { normalKey } from "../../oracle/index.js";
import { safeName } from "../../record/ids.js";
import { RECORD_SCHEMA_VERSION } from "../../record/version.js";
import type { ReadQuestion, RunReading } from "./items.js";
import { type Meaning, meaningOf } from "./meaning.js";

/** The pipeline's own version: it stands in every record, and changes when its records may. */
export const AMBROSIA_VERSION = "ambrosia@1.0.0";

const KINDS: Readonly<Record<AmbiguityType, AmbiguityKind>> = {
  scope: "scope",
  attachment: "attachment",
  vague: "vagueness",
};

type EmitInput = { key: string; origin: Origin } & Omit<
  ReadQuestion,
  "readings" | "database" | "split" | "number"
>;

/** Aliases that differ from the term and from each other, and that have a word. */
function distinct(term: string, aliases: readonly string[]): string[] {
  const seen = new Set([normalKey(term), ""]);
  return aliases.filter((alias) => {
    const key = normalKey(alias);
    const fresh = !seen.has(key);
    seen.add(key);
    return fresh;
  });
}

/** The reading's own sentence, whole: AMBROSIA's sentences are native speakers', with slips of the pen. */
const whole = (sentence: string): string => {
  const said = sentence.replace(/\s+/g, " ").trim();
  return /[.?!]["”']?$/.test(said) ? said : `${said}.`;
};

/**
 * The person's intent in words: what the reading decides, then the reading's own sentence (spec 2, ambrosia, step 4),
 * which is left out where it says the opposite of what the SQL decides.
 */
export function responseOf(
  { term, decided: all, contradicted }: Meaning,
  at: number,
  sentence: string,
): string {
  const decided = all[at];
  if (decided !== undefined && contradicted[at] === true) return decided;
  return decided === undefined
    ? `By "${term}" I mean this: ${whole(sentence)}`
    : `${decided} In other words: ${whole(sentence)}`;
}

/** One record of a reading; `suffix` is its place in the question's drawn order, which says nothing of the reading. */
function recordOf(
  input: EmitInput,
  { reading, at, suffix }: { reading: RunReading; at: number; suffix: number },
  meaning: Meaning,
  databaseId: string,
): TaskRecord {
  const { term } = meaning;
  const decided = meaning.decided[at];
  const equal = input.read.flatMap((_, other) =>
    other !== at && !reading.differs_from.includes(other)
      ? ["another reading of this request gives the same result"]
      : [],
  );
  const notes = [...reading.changes, ...equal];
  return {
    schema_version: RECORD_SCHEMA_VERSION,
    record_id: `${input.key}#${suffix}`,
    avt_id: input.key,
    dataset: "ambrosia",
    split: "all",
    slices: [],
    public: {
      request: input.question,
      database: { engine: "sqlite", database_id: databaseId, path: `${databaseId}/${databaseId}.sqlite` },
    },
    oracle: {
      clear_request: reading.sentence,
      ambiguities: [
        {
          ambiguity_id: input.type,
          term,
          aliases: distinct(term, meaning.aliases),
          kind: KINDS[input.type],
          counts: true,
          resolution: decided ?? whole(reading.sentence),
          response: responseOf(meaning, at, reading.sentence),
          response_status: "template",
        },
      ],
    },
    verifier: {
      reference_sql: [reading.runnable],
      alternative_sql: reading.differs_from.flatMap((other) => input.read[other]?.runnable ?? []),
      comparison: { policy: "multiset", ordered: reading.ordered },
      verifiable: true,
      success: "comparison",
      category: "query",
    },
    provenance: {
      source: "ambrosia",
      source_version: input.source_version,
      file: input.origin.file,
      file_sha256: input.origin.file_sha256,
      row: reading.row,
      row_sha256: reading.row_sha256,
      pipeline_version: AMBROSIA_VERSION,
      decisions_ref: `ledger.jsonl#${input.key}`,
      ...(notes.length > 0 ? { notes } : {}),
    },
  };
}

/** Steps 2 to 4: one record a reading, with the same request; which reading is #1 is drawn per question. */
export const emitReadings = itemStage({
  name: "emit-readings",
  version: "1",
  module: import.meta.url,
  parameters: ({ seed }) => ({ seed }),
  select: (
    { readings: _r, database: _d, split: _s, number: _n, ...question }: ReadQuestion,
    { key, origin },
  ): EmitInput => ({ ...question, key, origin }),
  run(input, context) {
    const { key, question, concepts, read, domain, db_file, copied } = input;
    const meaning = meaningOf(question, concepts, read);
    const evidence: Evidence[] = [];
    if (!meaning.inRequest) {
      const detail = `no words of the request name it; the term is "${meaning.term}"`;
      evidence.push({ kind: "finding", code: "term_not_in_request", detail });
    }
    for (const [at, opposite] of meaning.contradicted.entries()) {
      if (!opposite) continue;
      const detail = `the sentence of reading ${at + 1} says the opposite of its SQL: ${read[at]?.sentence}`;
      evidence.push({ kind: "finding", code: "sentence_contradicts_sql", detail });
    }
    if (meaning.namedInRequest.length > 0) {
      const detail = `the request names ${meaning.namedInRequest.map((name) => `"${name}"`).join(" and ")}`;
      evidence.push({ kind: "finding", code: "names_reading", detail });
    }
    // Upstream's name says what is ambiguous and how ("vague_2cols_designer"), which an agent must not read: the id says the
    // domain and a hash of the file's path, which no two databases share.
    const database_id = safeName(domain, db_file);
    const order = context.draws("record-suffix", key).permutation(read.length);
    const records = order.map((at, place) =>
      recordOf(input, { reading: read[at]!, at, suffix: place + 1 }, meaning, database_id),
    );
    const databases = [{ path: `${database_id}/${database_id}.sqlite`, file: copied }];
    return keep<Emitted>({ records, databases }, evidence.length > 0 ? evidence : undefined);
  },
  merge: (_question, emitted): Emitted => emitted,
});
