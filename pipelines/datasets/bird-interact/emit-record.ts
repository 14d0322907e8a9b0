import type { TaskRecord } from "../../../schemas/types/record.js";
import type { Emitted } from "../../engine/pipeline.js";
import { itemStage, keep, type Origin } from "../../engine/stage.js";
import { RECORD_SCHEMA_VERSION } from "../../record/version.js";
import type { AnsweredTask } from "./items.js";
import { annotatedOf } from "./template-response.js";

/** The pipeline's own version: it stands in every record, and changes when its records may. */
export const BIRD_INTERACT_VERSION = "bird-interact@1.0.0";

type EmitInput = { key: string; origin: Origin } & Omit<
  AnsweredTask,
  "database" | "catalogue" | "repairs"
> & {
    meanings: Record<string, string>;
  };

function publicZone(input: EmitInput): TaskRecord["public"] {
  const { selected_database: name, amb_user_query, knowledge_base, meanings } = input;
  const open = knowledge_base.open?.map(({ id, name: title, description, definition }) => ({
    id: String(id),
    name: title,
    description,
    definition,
  }));
  return {
    request: amb_user_query,
    database: { engine: "postgres", database_id: name, path: `${name}/${name}.sql.gz` },
    ...(Object.keys(meanings).length === 0 ? {} : { column_meanings: meanings }),
    ...(open === undefined ? {} : { external_knowledge: open }),
  };
}

function oracleZone({ query, ambiguities, knowledge_base, responses }: EmitInput): TaskRecord["oracle"] {
  return {
    ...(query === null ? {} : { clear_request: query }),
    ambiguities: ambiguities.map((ambiguity) => {
      const { ambiguity_id, aliases, counts } = ambiguity;
      const written = responses[ambiguity_id];
      if (written === undefined) throw new Error(`${ambiguity_id} was not answered`);
      return {
        ambiguity_id,
        ...annotatedOf(ambiguity, knowledge_base),
        aliases,
        counts,
        response: written.response,
        response_status: written.status,
      };
    }),
  };
}

/** Tests and solution of the second phase belong to the ground truth; the rest of it is the source's own line. */
function followUpOf({ follow_up, ground_truth }: EmitInput): Record<string, unknown> | null {
  const withheld = ground_truth.here ? ground_truth.follow_up : null;
  return follow_up === null && withheld === null ? null : { ...follow_up, ...withheld };
}

function verifierZone(input: EmitInput): TaskRecord["verifier"] {
  const { ground_truth: truth, verifiability, category, ordered, preprocess_sql, clean_up_sqls } = input;
  return {
    reference_sql: truth.here ? truth.sol_sql : [],
    comparison: { policy: "bird_interact", ordered },
    verifiable: verifiability.verifiable,
    ...(verifiability.why === null ? {} : { not_verifiable: verifiability.why }),
    success: verifiability.success,
    category,
    setup_sql: preprocess_sql,
    cleanup_sql: clean_up_sqls,
    test_cases: truth.here ? truth.test_cases : [],
    follow_up: followUpOf(input),
  };
}

function recordOf(input: EmitInput, suffix: number): TaskRecord {
  const { key, origin, notes } = input;
  return {
    schema_version: RECORD_SCHEMA_VERSION,
    record_id: `${key}#${suffix}`,
    avt_id: key,
    dataset: "bird-interact",
    split: "all",
    slices: [],
    public: publicZone(input),
    oracle: oracleZone(input),
    verifier: verifierZone(input),
    provenance: {
      source: "bird-interact",
      source_version: input.source_version,
      ...origin,
      pipeline_version: BIRD_INTERACT_VERSION,
      decisions_ref: `ledger.jsonl#${key}`,
      ...(notes.length > 0 ? { notes } : {}),
    },
  };
}

/** One record a task: BIRD-Interact fixes one reading of each request. */
export const emitRecord = itemStage({
  name: "emit-record",
  version: "1",
  module: import.meta.url,
  select: ({ database, catalogue: _c, repairs: _r, ...task }: AnsweredTask, { key, origin }): EmitInput => ({
    ...task,
    meanings: database.meanings,
    key,
    origin,
  }),
  run(input) {
    const record = recordOf(input, 1);
    const { path } = record.public.database;
    const databases = input.loaded === null ? [] : [{ path, file: input.loaded.file }];
    return keep<Emitted>({ records: [record], databases });
  },
  merge: (_task, emitted): Emitted => emitted,
});
