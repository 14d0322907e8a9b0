// Generated from schemas/recipe.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * How the verifier zone of a record is made of a ground truth that its authors withhold: all of the zone but that, and the ground truth's hash.
 */
export interface Recipe {
  record_id: string;
  /**
   * The task's name in the ground-truth file.
   */
  instance_id: string;
  /**
   * Of solution, tests and second phase; null where the record was built without.
   */
  ground_truth_sha256: string | null;
  verifier: OpenVerifier;
}
export interface OpenVerifier {
  comparison: RecipeComparison;
  verifiable: boolean;
  not_verifiable?: string;
  success: "comparison" | "tests";
  category: "query" | "management";
  setup_sql?: string[];
  cleanup_sql?: string[];
  /**
   * Without what is withheld of it.
   */
  follow_up?: {} | null;
}
export interface RecipeComparison {
  policy: "bird_ex" | "multiset" | "bird_interact" | "strict";
  ordered: boolean;
}
