import type { SourceError, SourcePlace } from "../../pipelines/errors.js";
import { found, isObject, RowCheck } from "../row-check.js";
import { rowSha256 } from "../row-hash.js";

/** An ambiguity as upstream annotates it. */
export interface BirdInteractAmbiguity {
  term: string;
  /** A piece of the solution, or of something near it; may be empty, unbalanced, or in no solution at all (spec 13). */
  sql_snippet: string;
  /** `knowledge_linking_ambiguity`, `semantic_ambiguity`, `sort_ambiguity`, … */
  type: string;
  /** The knowledge entries that were taken away to make it; of knowledge ambiguities only. */
  deleted_knowledge: number[];
}

/** A line of `bird_interact_data.jsonl` without what only the verifier may hold. */
export interface BirdInteractTask {
  instance_id: string;
  selected_database: string;
  amb_user_query: string;
  /** The clear text; null in the full release, which does not have it. */
  query: string | null;
  preprocess_sql: string[];
  clean_up_sqls: string[];
  category: "query" | "management";
  /** `order`: the rows are compared in order. The rule ignores the other conditions (spec 13, 7). */
  ordered: boolean;
  critical: BirdInteractAmbiguity[];
  non_critical: BirdInteractAmbiguity[];
  knowledge: BirdInteractAmbiguity[];
  /** The second phase, as upstream has it, without its solution. */
  follow_up: Record<string, unknown> | null;
  /** Of the line's canonical JSON (RFC 8785), hex. */
  row_sha256: string;
}

/** A list of statements; upstream also has a single one, or none, in its place. */
export function statementList(check: RowCheck, row: Record<string, unknown>, ...names: string[]): string[] {
  const name = names.find((one) => row[one] !== undefined) ?? names[0] ?? "";
  const value = row[name];
  if (value === undefined || value === null || value === "") return [];
  if (typeof value === "string") return [value];
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  check.fault(name, `expected a list of SQL statements, found ${found(value)}`);
  return [];
}

function deletedIds(check: RowCheck, field: string, value: unknown): number[] {
  const ids = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  if (ids.every((id) => typeof id === "number" && Number.isInteger(id))) return ids;
  check.fault(field, `expected the id of a knowledge entry, found ${found(value)}`);
  return [];
}

function ambiguityList(check: RowCheck, field: string, value: unknown): BirdInteractAmbiguity[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    check.fault(field, `expected a list of ambiguities, found ${found(value)}`);
    return [];
  }
  return value.flatMap((entry: unknown, at) => {
    const name = `${field}[${at}]`;
    if (!isObject(entry)) return check.fault(name, `expected an ambiguity, found ${found(entry)}`) ?? [];
    const { term, sql_snippet, type } = entry;
    if (typeof term !== "string" || term.trim() === "")
      return check.fault(`${name}.term`, `expected a text, found ${found(term)}`) ?? [];
    if (sql_snippet !== undefined && sql_snippet !== null && typeof sql_snippet !== "string")
      return check.fault(`${name}.sql_snippet`, `expected a text, found ${found(sql_snippet)}`) ?? [];
    return [
      {
        term,
        sql_snippet: sql_snippet ?? "",
        type: typeof type === "string" ? type : "",
        deleted_knowledge: deletedIds(check, `${name}.deleted_knowledge`, entry.deleted_knowledge),
      },
    ];
  });
}

/** An object that may be left out. */
function part(check: RowCheck, row: Record<string, unknown>, field: string): Record<string, unknown> {
  const value = row[field];
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  check.fault(field, `expected an object, found ${found(value)}`);
  return {};
}

function categoryOf(check: RowCheck, row: Record<string, unknown>): BirdInteractTask["category"] {
  const { category } = row;
  if (category === "Query") return "query";
  if (category === "Management") return "management";
  check.fault("category", `expected Query or Management, found ${found(category)}`);
  return "query";
}

/** A follow-up without what only the verifier may hold: that is the ground truth's. */
function openFollowUp(followUp: Record<string, unknown>): Record<string, unknown> | null {
  if (Object.keys(followUp).length === 0) return null;
  const { sol_sql: _s, test_cases: _t, external_knowledge: _k, ...open } = followUp;
  return open;
}

/** Reads one line; everything that is wrong with it comes as one error. */
export function readTask(
  place: SourcePlace & { file: string },
  row: Record<string, unknown>,
): BirdInteractTask | SourceError {
  const check = new RowCheck(place);
  const instance_id = check.text(row, "instance_id");
  const selected_database = check.name(row, "selected_database");
  const amb_user_query = check.text(row, "amb_user_query");
  const preprocess_sql = statementList(check, row, "preprocess_sql");
  // Upstream's own code and README disagree on the name (spec 13).
  const clean_up_sqls = statementList(check, row, "clean_up_sqls", "clean_up_sql");
  const category = categoryOf(check, row);
  const annotated = part(check, row, "user_query_ambiguity");
  const critical = ambiguityList(check, "critical_ambiguity", annotated.critical_ambiguity);
  const non_critical = ambiguityList(check, "non_critical_ambiguity", annotated.non_critical_ambiguity);
  const knowledge = ambiguityList(check, "knowledge_ambiguity", row.knowledge_ambiguity);
  const conditions = part(check, row, "conditions");
  const followUp = part(check, row, "follow_up");
  const query = typeof row.query === "string" && row.query.trim() !== "" ? row.query : null;
  const error = check.error();
  if (error !== undefined) return error;
  if (instance_id === undefined || selected_database === undefined || amb_user_query === undefined) {
    throw new Error("a row without a fault must have all its fields");
  }
  return {
    instance_id,
    selected_database,
    amb_user_query,
    query,
    preprocess_sql,
    clean_up_sqls,
    category,
    ordered: conditions.order === true,
    critical,
    non_critical,
    knowledge,
    follow_up: openFollowUp(followUp),
    row_sha256: rowSha256(row),
  };
}
