import { join } from "node:path";
import type { TaskRecord } from "../../schemas/types/record.js";
import { sha256 } from "../record/ids.js";
import {
  type AgentView,
  agentView,
  matcherView,
  oracleVariantOf,
  oracleView,
  responderView,
  type SchemaTable,
  type ScorerView,
  type ScriptView,
  type SyntheticSolverView,
  scorerView,
  scriptView,
  syntheticSolverView,
  type VerifierView,
  verifierView,
} from "../record/views.js";
import type { JoinedRecord } from "../record/zones.js";
import type { SqlEngines } from "../sql/engines.js";
import { contextText, SchemaCache } from "./agent-context.js";
import type { OracleViews } from "./oracles/index.js";

export { SchemaCache };

/** What the run itself knows of a task: names for the log, and nothing that any party decides by. */
export interface TaskNames {
  readonly record_id: string;
  readonly avt_id: string;
  readonly dataset: string;
  readonly split: string;
}

/** A record whose public specification stands in for another's, under a handle of its own. */
export interface Donor {
  readonly record_id: string;
  readonly view: AgentView;
}

/** One record as its parties see it: a view for each, made once, and no record. */
export interface Task {
  readonly names: TaskNames;
  /** The folder that `verifier.database_path` is relative to. */
  readonly databases: string;
  readonly agent: AgentView;
  /** Another record's public specification, for an asker that must not know this one (`spec-randomized`). */
  readonly donor?: Donor;
  /** The agent's view as text, as it is logged for agents without prompts; made when it is first read. */
  readonly context: string;
  readonly oracle: OracleViews;
  readonly verifier: VerifierView;
  readonly scorer: ScorerView;
  readonly script: ScriptView;
  readonly synthetic: SyntheticSolverView;
  /** The oracle zone is not here, so nobody knows how many ambiguities there are. */
  readonly oracleHidden?: true;
}

/** Makes a value when it is first asked for, and once for each key. */
function once<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}

/** The model oracles' views are large, and a run with the deterministic oracle needs none. */
function oracleViews(record: Omit<TaskRecord, "provenance">, schema: readonly SchemaTable[]): OracleViews {
  const matcher = once(() => matcherView(record));
  return {
    registry: oracleView(record, oracleVariantOf(record.dataset)),
    matcher: () => matcher(undefined),
    responder: once((sql) => responderView(record, sql, schema)),
  };
}

/** Makes sure that a record's database can be described: PostgreSQL's must be asked first. */
export async function prepareSchema(
  { public: { database } }: Pick<TaskRecord, "public">,
  databases: string,
  schemas: SchemaCache,
  sandbox: SqlEngines,
): Promise<void> {
  if (database.engine === "postgres") await schemas.prepare(join(databases, database.path), sandbox);
}

/** The agent's view of a public line; its handle is drawn from the run's name and says nothing of the record. */
export function agentViewOf(
  record: Pick<TaskRecord, "record_id" | "public">,
  databases: string,
  schemas: SchemaCache,
  run: string,
): AgentView {
  const schema = schemas.get(join(databases, record.public.database.path));
  const handle = `task-${sha256(`${run}\n${record.record_id}`).slice(0, 12)}`;
  return agentView({ public: record.public }, handle, schema);
}

/**
 * Makes a task of a record.
 *
 * @param schemas must have been made to `prepare` the database of a PostgreSQL record
 * @param run the run's name; the handle that agents see is drawn from it and says nothing of the record
 */
export function taskOf(
  record: Omit<TaskRecord, "provenance">,
  databases: string,
  schemas: SchemaCache,
  run: string,
  donor?: Donor,
): Task {
  const { record_id, avt_id, dataset, split } = record;
  const agent = agentViewOf(record, databases, schemas, run);
  let context: string | undefined;
  return {
    names: { record_id, avt_id, dataset, split },
    databases,
    agent,
    ...(donor === undefined ? {} : { donor }),
    get context() {
      context ??= contextText(agent);
      return context;
    },
    oracle: oracleViews(record, agent.schema),
    verifier: verifierView(record),
    scorer: scorerView(record),
    script: scriptView(record),
    synthetic: syntheticSolverView(record),
  };
}

/** Stand in for zones that others hold: nothing registered, nothing to verify with. */
const NO_ORACLE: TaskRecord["oracle"] = { ambiguities: [] };
const NO_VERIFIER: TaskRecord["verifier"] = {
  reference_sql: [],
  comparison: { policy: "strict", ordered: false },
  verifiable: false,
  not_verifiable: "the verifier zone is not here",
  success: "comparison",
  category: "query",
};
/** Makes a task of a record that may lack private zones; what they hold, its parties then do not get. */
export function partialTaskOf(
  record: JoinedRecord,
  databases: string,
  schemas: SchemaCache,
  run: string,
  donor?: Donor,
): Task {
  const whole = { oracle: NO_ORACLE, verifier: NO_VERIFIER, ...record };
  const task = taskOf(whole, databases, schemas, run, donor);
  return record.oracle === undefined ? { ...task, oracleHidden: true } : task;
}
