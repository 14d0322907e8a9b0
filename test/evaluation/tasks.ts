import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { SchemaCache } from "../../pipelines/evaluation/agent-context.js";
import type { AgentAsker, AgentCall, Decision } from "../../pipelines/evaluation/askers/index.js";
import { oracleNamed } from "../../pipelines/evaluation/oracles/index.js";
import type { EpisodeSettings } from "../../pipelines/evaluation/protocol.js";
import type { AgentSolver, Answer } from "../../pipelines/evaluation/solvers/index.js";
import { type Task, taskOf } from "../../pipelines/evaluation/task.js";
import { NO_MODEL } from "../../pipelines/model/no-model.js";
import type { Ambiguity, TaskRecord } from "../../schemas/types/record.js";

/** A database of boats at `<folder>/harbour/harbour.sqlite`, with a column too many for "length". */
export function harbour(folder: string): void {
  const path = join(folder, "harbour/harbour.sqlite");
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path);
  db.exec(`
    CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, name TEXT, hull_length REAL, overall_length REAL, home TEXT);
    INSERT INTO boats VALUES (1, 'Anna', 9.5, 11, 'Kiel'), (2, 'Bob', 8, 8.5, 'Kiel'), (3, 'Carla', 12, 14, 'Wismar');
  `);
  db.close();
}

/** An ambiguity named by its term alone. */
export function ambiguity(term: string, over: Partial<Ambiguity> = {}): Ambiguity {
  return {
    ambiguity_id: `about-${term}`,
    term,
    aliases: [],
    kind: "column_choice",
    counts: true,
    resolution: `${term} is the overall ${term}`,
    response: `By ${term} I mean the overall ${term}.`,
    response_status: "authored",
    ...over,
  };
}

/** A record on the harbour database. */
export function harbourRecord(
  ambiguities: readonly Ambiguity[],
  verifier: Partial<TaskRecord["verifier"]> = {},
  over: Partial<TaskRecord> = {},
): TaskRecord {
  return {
    schema_version: "1.0.0",
    record_id: "ambiqt/validation/1.boats.length#1",
    avt_id: "ambiqt/validation/1.boats.length",
    dataset: "ambiqt",
    split: "all",
    slices: [],
    public: {
      request: "Show the name and length of every boat.",
      database: { engine: "sqlite", database_id: "harbour", path: "harbour/harbour.sqlite" },
    },
    oracle: { ambiguities: [...ambiguities] },
    verifier: {
      reference_sql: ["SELECT name, overall_length FROM boats"],
      alternative_sql: ["SELECT name, hull_length FROM boats"],
      comparison: { policy: "multiset", ordered: false },
      verifiable: true,
      success: "comparison",
      category: "query",
      ...verifier,
    },
    provenance: {
      source: "ambiqt",
      source_version: "v",
      file: "f",
      file_sha256: "0",
      row: 0,
      row_sha256: "0",
      pipeline_version: "ambiqt@1.0.0",
      decisions_ref: "ledger.jsonl#1",
    },
    ...over,
  };
}

export const taskOn = (folder: string, record: TaskRecord): Task =>
  taskOf(record, folder, new SchemaCache(), "run");

/** For agents that ask no model. */
export const NO_CALL: AgentCall = {
  model: NO_MODEL,
  seed: 0,
  schemaTokens: 8000,
  signal: new AbortController().signal,
};

/** What an asker was given, decision by decision. */
export interface Seen {
  dialogue: readonly { question: string; response: string }[];
  turn: number;
  maxTurn: number;
}

/** An asker that asks a list of questions by hand and then stops, or never does; and what it was given. */
export function asks(
  questions: readonly (string | Decision)[],
  then: "stop" | "never stop" = "stop",
): AgentAsker & { seen: Seen[] } {
  const seen: Seen[] = [];
  return {
    reads: "agent",
    name: "by-hand",
    seen,
    decide(_view, dialogue, { turn, maxTurn }) {
      seen.push({ dialogue: structuredClone(dialogue), turn, maxTurn });
      const next = questions[turn - 1] ?? (then === "stop" ? { kind: "stop" as const } : `Question ${turn}?`);
      return typeof next === "string" ? { kind: "question", text: next } : next;
    },
  };
}

/** A solver that gives one answer, and what it was given. */
export function answers(answer: string | Answer): AgentSolver & { seen: unknown[][] } {
  const seen: unknown[][] = [];
  return {
    reads: "agent",
    name: "by-hand",
    seen,
    solve(view, words, call) {
      seen.push([structuredClone(view), structuredClone(words), Object.keys(call).sort()]);
      return typeof answer === "string" ? { outcome: "sql", sql: answer } : answer;
    },
  };
}

export const settings = (
  over: Partial<EpisodeSettings> & Pick<EpisodeSettings, "asker" | "solver">,
): EpisodeSettings => ({
  condition: "asker",
  seed: 0,
  oracle: oracleNamed("deterministic", "ambiqt"),
  ...over,
});
