// Generated from schemas/record.schema.json by scripts/build.mjs. Do not edit: change the schema.

export type Dataset = string;
export type AmbiguityKind =
  | "alternative_reading"
  | "knowledge"
  | "intent"
  | "scope"
  | "attachment"
  | "vagueness"
  | "column_choice"
  | "table_choice"
  | "value_choice";
export type ComparisonPolicy = "bird_ex" | "multiset" | "bird_interact" | "strict";
export type Sha256 = string;

/**
 * One reading of an ambiguous verifiable task. The four zones decide who may read what: public (everybody), oracle (the simulated user), verifier (the scorer), provenance (a person auditing).
 */
export interface TaskRecord {
  /**
   * Semantic version of this schema.
   */
  schema_version: string;
  /**
   * Stable: source coordinates and a suffix drawn per AVT by a seeded permutation of its readings.
   */
  record_id: string;
  /**
   * Shared by all readings of one request.
   */
  avt_id: string;
  dataset: Dataset;
  split: "train" | "dev" | "all";
  /**
   * Local database-disjoint slices this record belongs to.
   */
  slices: string[];
  public: PublicZone;
  oracle: OracleZone;
  verifier: VerifierZone;
  provenance: ProvenanceZone;
}
/**
 * All that an asker or a solver may read.
 */
export interface PublicZone {
  request: string;
  database: DatabaseRef;
  /**
   * Key: table.column.
   */
  column_meanings?: {
    [k: string]: string;
  };
  external_knowledge?: Knowledge[];
}
export interface DatabaseRef {
  engine: "sqlite" | "postgres";
  /**
   * Unique within the dataset.
   */
  database_id: string;
  /**
   * Relative to the dataset's databases folder.
   */
  path: string;
}
export interface Knowledge {
  id: string;
  name: string;
  description: string;
  definition: string;
}
/**
 * What the simulated user may know; each oracle variant reads a stated subset.
 */
export interface OracleZone {
  clear_request?: string;
  withheld_evidence?: string;
  ambiguities: Ambiguity[];
}
export interface Ambiguity {
  ambiguity_id: string;
  /**
   * What a person would ask about.
   */
  term: string;
  aliases: string[];
  kind: AmbiguityKind;
  /**
   * Critical and knowledge ambiguities count in every metric; non-critical ones are kept with false.
   */
  counts: boolean;
  /**
   * What the hidden interpretation decides for this ambiguity.
   */
  resolution: string;
  /**
   * The frozen response that the intent oracle returns verbatim.
   */
  response: string;
  response_status: "template" | "authored" | "audited" | "needs_review";
  concepts?: string[];
  sql_snippet?: string;
}
/**
 * What only the verifier reads.
 */
export interface VerifierZone {
  /**
   * One statement or several, in order.
   */
  reference_sql: string[];
  /**
   * Other readings known to the source whose results differ from the reference.
   */
  alternative_sql?: string[];
  comparison: Comparison;
  verifiable: boolean;
  /**
   * Why, where verifiable is false.
   */
  not_verifiable?: string;
  success: "comparison" | "tests";
  category: "query" | "management";
  setup_sql?: string[];
  cleanup_sql?: string[];
  test_cases?: string[];
  /**
   * Kept as the source gives it; not evaluated in ask-then-solve.
   */
  follow_up?: {} | null;
}
export interface Comparison {
  policy: ComparisonPolicy;
  /**
   * Compare row by row, because the reference orders its outermost result.
   */
  ordered: boolean;
}
/**
 * For a person auditing: where the record comes from and what was done to it.
 */
export interface ProvenanceZone {
  source: string;
  source_version: string;
  /**
   * Relative to the source's folder.
   */
  file: string;
  file_sha256: Sha256;
  /**
   * Position in the file, from 0.
   */
  row: number;
  /**
   * Of the row's canonical JSON (RFC 8785), so that reformatting the file does not change it.
   */
  row_sha256: string;
  pipeline_version: string;
  /**
   * The key of the ledger line that tells what each stage did and on which evidence.
   */
  decisions_ref: string;
  /**
   * What the pipeline changed or found on the way, one sentence each.
   */
  notes?: string[];
}
