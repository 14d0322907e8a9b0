/**
 * The access boundary (spec 1; paper section 2): the one module that makes views. Askers, solvers, oracles and
 * verifiers are given a view and never a record. A view is a fresh, deep-frozen object that holds only what its reader
 * may know, so that what is not in it cannot leak by carelessness.
 */
import type { Ambiguity, Comparison, Dataset, Knowledge, TaskRecord } from "../../schemas/types/record.js";
import { type OracleVariant, traitsOf } from "./datasets.js";
import type {
  AnnotatedAmbiguity,
  DatabaseContext,
  MatcherView,
  OracleScope,
  OracleSql,
  ResponderView,
  RoutingAmbiguity,
  SqlGrounding,
} from "./oracle-view-types.js";

export type * from "./oracle-view-types.js";

/** A table of a database as an agent may see it. Order is the database's own. */
export interface SchemaTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly key: boolean }[];
  readonly foreign_keys: readonly {
    readonly columns: readonly string[];
    readonly table: string;
    readonly to: readonly string[];
  }[];
  /** A few values per column, for the reader's orientation; the database is public. */
  readonly examples?: Readonly<Record<string, readonly string[]>>;
}

/** The example values of a column; none where none are kept. A column may be called `constructor` or `__proto__`. */
export const examplesOf = ({ examples }: SchemaTable, column: string): readonly string[] =>
  examples !== undefined && Object.hasOwn(examples, column) ? (examples[column] ?? []) : [];

/** What an asker or a solver may read. `handle` is the run's own name for the task and says nothing of the record. */
export interface AgentView {
  readonly handle: string;
  readonly request: string;
  readonly engine: "sqlite" | "postgres";
  readonly database_id: string;
  readonly schema: readonly SchemaTable[];
  readonly column_meanings: Readonly<Record<string, string>>;
  readonly external_knowledge: readonly Readonly<Knowledge>[];
}

export type { OracleVariant };

/** An ambiguity as an oracle sees it; fields that the variant may not read are absent. */
export interface OracleAmbiguity {
  readonly ambiguity_id: string;
  readonly term: string;
  readonly counts: boolean;
  readonly aliases: readonly string[];
  readonly response?: string;
  readonly concepts?: readonly string[];
  readonly resolution?: string;
}

/** What a deterministic oracle may read. Ambiguities stand in annotation order. */
export interface OracleView {
  readonly dataset: Dataset;
  readonly variant: OracleVariant;
  readonly ambiguities: readonly OracleAmbiguity[];
}

/** What the verifier reads: how to decide whether a SQL answer is right. */
export interface VerifierView {
  readonly engine: "sqlite" | "postgres";
  readonly database_path: string;
  readonly reference_sql: readonly string[];
  readonly comparison: Readonly<Comparison>;
  readonly verifiable: boolean;
  readonly success: "comparison" | "tests";
  readonly category: "query" | "management";
  readonly setup_sql: readonly string[];
  readonly cleanup_sql: readonly string[];
  readonly test_cases: readonly string[];
}

/** What a synthetic solver reads openly, in order to test the harness; a run that uses one is marked synthetic. */
export interface SyntheticSolverView {
  readonly reference_sql: readonly string[];
  readonly alternative_sql: readonly string[];
  readonly ambiguities: readonly {
    readonly counts: boolean;
    readonly response: string;
    readonly resolution: string;
  }[];
}

/** What a scripted asker of the protocol knows beyond the request: the registered terms that count, in order (spec 4). */
export interface ScriptView {
  readonly terms: readonly string[];
}

/** What the offline scorer reads: which ambiguities there are and what they are called. */
export interface ScorerView {
  readonly ambiguities: readonly {
    readonly ambiguity_id: string;
    readonly term: string;
    readonly aliases: readonly string[];
    readonly counts: boolean;
  }[];
}

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const one of Object.values(value)) deepFreeze(one);
  }
  return value;
}

/** Copies before freezing, so that a view shares nothing with the record it was made from. */
const seal = <T>(value: T): T => deepFreeze(structuredClone(value));

/** The public zone and the database's schema, under a handle that the run chose. */
export function agentView(
  record: Pick<TaskRecord, "public">,
  handle: string,
  schema: readonly SchemaTable[],
): AgentView {
  const { request, database, column_meanings, external_knowledge } = record.public;
  return seal({
    handle,
    request,
    engine: database.engine,
    database_id: database.database_id,
    schema,
    column_meanings: column_meanings ?? {},
    external_knowledge: external_knowledge ?? [],
  });
}

function oracleAmbiguity(ambiguity: Ambiguity, variant: OracleVariant): OracleAmbiguity {
  const { ambiguity_id, term, counts, aliases } = ambiguity;
  if (variant === "intent") return { ambiguity_id, term, counts, aliases, response: ambiguity.response };
  return {
    ambiguity_id,
    term,
    counts,
    aliases: [],
    concepts: ambiguity.concepts ?? [],
    resolution: ambiguity.resolution,
  };
}

/** Terms, aliases and responses (`intent`), or terms, concepts and resolutions (`knowledge`): nothing else. */
export function oracleView(
  record: Pick<TaskRecord, "dataset" | "oracle">,
  variant: OracleVariant,
): OracleView {
  return seal({
    dataset: record.dataset,
    variant,
    ambiguities: record.oracle.ambiguities.map((one) => oracleAmbiguity(one, variant)),
  });
}

/** Which deterministic oracle a dataset uses (spec 3). */
export function oracleVariantOf(dataset: Dataset): OracleVariant {
  return traitsOf(dataset).oracle ?? "intent";
}

/** Which model oracle a dataset has (spec 3). */
export function oracleScopeOf(dataset: Dataset): OracleScope {
  return oracleVariantOf(dataset) === "knowledge" ? "unfiltered" : "scoped";
}

const routing = ({ ambiguity_id, term, kind, aliases }: Ambiguity): RoutingAmbiguity => ({
  ambiguity_id,
  term,
  kind,
  aliases,
});
const annotated = (ambiguity: Ambiguity): AnnotatedAmbiguity => ({
  ...routing(ambiguity),
  resolution: ambiguity.resolution,
  response: ambiguity.response,
});

/** What a model matcher may read; whether the responder is shown the SQL changes nothing of it. */
export function matcherView(
  record: Pick<TaskRecord, "dataset" | "public" | "oracle" | "verifier">,
): MatcherView {
  const { ambiguities, withheld_evidence } = record.oracle;
  if (oracleScopeOf(record.dataset) === "scoped")
    return seal({ scope: "scoped", ambiguities: ambiguities.map(routing) });
  return seal({
    scope: "unfiltered",
    ambiguities: ambiguities.map(annotated),
    request: record.public.request,
    external_knowledge: record.public.external_knowledge ?? [],
    withheld_evidence,
    reference_sql: record.verifier.reference_sql,
  });
}

function grounding({ oracle, verifier }: Pick<TaskRecord, "oracle" | "verifier">): SqlGrounding {
  const snippets = oracle.ambiguities.flatMap(({ term, sql_snippet }) =>
    sql_snippet === undefined ? [] : [{ term, sql: sql_snippet }],
  );
  return { reference_sql: verifier.reference_sql, snippets };
}

/** What a model responder may read, with the reference SQL or without it. */
export function responderView(
  record: Pick<TaskRecord, "dataset" | "public" | "oracle" | "verifier">,
  shown: OracleSql,
  schema: readonly SchemaTable[],
): ResponderView {
  const { engine, database_id } = record.public.database;
  const ambiguities = record.oracle.ambiguities.map(annotated);
  const sql = shown === "shown" ? grounding(record) : undefined;
  const database: DatabaseContext = { engine, database_id, schema };
  if (oracleScopeOf(record.dataset) === "scoped")
    return seal({ scope: "scoped", ambiguities, sql, database: sql === undefined ? undefined : database });
  return seal({
    scope: "unfiltered",
    ambiguities,
    sql,
    database,
    request: record.public.request,
    column_meanings: record.public.column_meanings ?? {},
    external_knowledge: record.public.external_knowledge ?? [],
    clear_request: record.oracle.clear_request,
    withheld_evidence: record.oracle.withheld_evidence,
  });
}

/** Reference, comparison policy and the task's own statements. */
export function verifierView(record: Pick<TaskRecord, "public" | "verifier">): VerifierView {
  const { verifier } = record;
  return seal({
    engine: record.public.database.engine,
    database_path: record.public.database.path,
    reference_sql: verifier.reference_sql,
    comparison: verifier.comparison,
    verifiable: verifier.verifiable,
    success: verifier.success,
    category: verifier.category,
    setup_sql: verifier.setup_sql ?? [],
    cleanup_sql: verifier.cleanup_sql ?? [],
    test_cases: verifier.test_cases ?? [],
  });
}

/** Only for solvers in `evaluation/solvers/synthetic/`. */
export function syntheticSolverView(record: Pick<TaskRecord, "oracle" | "verifier">): SyntheticSolverView {
  return seal({
    reference_sql: record.verifier.reference_sql,
    alternative_sql: record.verifier.alternative_sql ?? [],
    ambiguities: record.oracle.ambiguities.map(({ counts, response, resolution }) => ({
      counts,
      response,
      resolution,
    })),
  });
}

/** Names of the ambiguities and whether they count. */
export function scorerView(record: Pick<TaskRecord, "oracle">): ScorerView {
  return seal({
    ambiguities: record.oracle.ambiguities.map(({ ambiguity_id, term, aliases, counts }) => ({
      ambiguity_id,
      term,
      aliases,
      counts,
    })),
  });
}

/** Only for the protocol's scripted askers (`full`, `full-adversarial`). */
export function scriptView(record: Pick<TaskRecord, "oracle">): ScriptView {
  return seal({ terms: record.oracle.ambiguities.filter(({ counts }) => counts).map(({ term }) => term) });
}
