/** A record as a question of BIRD. */
import type { LeftOut } from "../../../schemas/types/bird-key.js";
import type { JoinedRecord } from "../../record/zones.js";
import { oneLine } from "./one-line.js";

/** Whether a question is the request as it stands, or made clear. */
export type QuestionKind = "request" | "clear";

/** BIRD's fields (its dev.json), in its order. */
export interface BirdRow {
  question_id: number;
  db_id: string;
  question: string;
  evidence: string;
  /** Left out where the export has no verifier zone, as BIRD does for its test set. */
  SQL?: string;
  difficulty: string;
}

/**
 * BIRD's evaluators sort questions by simple, moderate and challenging. Nobody has rated these, and a guess would look like a
 * rating.
 */
const DIFFICULTY = "unrated";

/** What everybody may know beside the question. */
const publicEvidence = ({ public: zone }: JoinedRecord): string =>
  (zone.external_knowledge ?? [])
    .map(({ name, description, definition }) =>
      [`${name}:`, description, definition].filter((part) => part !== "").join(" "),
    )
    .join("; ");

/**
 * The words of the question. `request`: the request as it stands, which leaves something open, and public knowledge as
 * evidence. `clear`: what the source itself asks where the record has it, or the request with the evidence that was withheld,
 * or the request with the answers that the simulated user gives when asked about each ambiguity: nothing is worded anew.
 */
export function questionOf(record: JoinedRecord, kind: QuestionKind): { question: string; evidence: string } {
  const { request } = record.public;
  const evidence = publicEvidence(record);
  const { oracle } = record;
  if (kind === "request" || oracle === undefined) return { question: request, evidence };
  const told = [evidence, oracle.withheld_evidence ?? ""].filter((part) => part !== "").join("; ");
  if (oracle.clear_request !== undefined) return { question: oracle.clear_request, evidence: told };
  if (oracle.withheld_evidence !== undefined) return { question: request, evidence: told };
  const answers = oracle.ambiguities.filter(({ counts }) => counts).map(({ response }) => response);
  return { question: [request, ...answers].join(" "), evidence };
}

/** A database's id must be one part of a path, and may not break a line of gold SQL. */
const isFolderName = (name: string): boolean =>
  !/[/\\\u0000-\u001f]/.test(name) && name !== "." && name !== "..";

/**
 * The gold SQL of a record, as written and in one line; or why it has none. `{}`: the export has no verifier zone.
 */
export function goldOf({ public: zone, verifier }: JoinedRecord): {
  sql?: string;
  line?: string;
  why?: LeftOut;
} {
  if (!isFolderName(zone.database.database_id)) return { why: "database_name" };
  if (verifier === undefined) return {};
  const [sql, ...more] = verifier.reference_sql;
  if (sql === undefined) return { why: "no_reference_sql" };
  if (more.length > 0) return { why: "several_statements" };
  const line = oneLine(sql);
  return line === undefined ? { why: "no_single_line" } : { sql, line };
}

/** A question of BIRD. */
export function birdRow(
  record: JoinedRecord,
  question_id: number,
  kind: QuestionKind,
  sql?: string,
): BirdRow {
  return {
    question_id,
    db_id: record.public.database.database_id,
    ...questionOf(record, kind),
    ...(sql === undefined ? {} : { SQL: sql }),
    difficulty: DIFFICULTY,
  };
}
