import { join } from "node:path";
import type { TaskRecord } from "../../schemas/types/record.js";
import { sha256 } from "../record/ids.js";
import {
  type AgentView,
  agentView,
  type OracleView,
  oracleVariantOf,
  oracleView,
  type ScorerView,
  type ScriptView,
  type SyntheticSolverView,
  scorerView,
  scriptView,
  syntheticSolverView,
  type VerifierView,
  verifierView,
} from "../record/views.js";
import { contextText, type SchemaCache } from "./agent-context.js";

/** What the run itself knows of a task: names for the log, and nothing that any party decides by. */
export interface TaskNames {
  readonly record_id: string;
  readonly avt_id: string;
  readonly dataset: string;
  readonly split: string;
}

/** One record as its parties see it: a view for each, made once, and no record. */
export interface Task {
  readonly names: TaskNames;
  /** The folder that `verifier.database_path` is relative to. */
  readonly databases: string;
  readonly agent: AgentView;
  /** The agent's view as text, as it is logged. */
  readonly context: string;
  readonly oracle: OracleView;
  readonly verifier: VerifierView;
  readonly scorer: ScorerView;
  readonly script: ScriptView;
  readonly synthetic: SyntheticSolverView;
}

/**
 * Makes a task of a record.
 *
 * @param schemas must have been made to `prepare` the database of a PostgreSQL record
 * @param run the run's name; the handle that agents see is drawn from it and says nothing of the record
 */
export function taskOf(record: TaskRecord, databases: string, schemas: SchemaCache, run: string): Task {
  const { record_id, avt_id, dataset, split } = record;
  const schema = schemas.get(join(databases, record.public.database.path));
  const handle = `task-${sha256(`${run}\n${record_id}`).slice(0, 12)}`;
  const agent = agentView({ public: record.public }, handle, schema);
  return {
    names: { record_id, avt_id, dataset, split },
    databases,
    agent,
    context: contextText(agent),
    oracle: oracleView(record, oracleVariantOf(dataset)),
    verifier: verifierView(record),
    scorer: scorerView(record),
    script: scriptView(record),
    synthetic: syntheticSolverView(record),
  };
}
