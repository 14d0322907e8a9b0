// Generated from schemas/prompt.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * A text that an asker or a solver was given, once per run. A line of prompts.jsonl, for an audit to scan.
 */
export interface LoggedPrompt {
  sha256: string;
  /**
   * asker and solver read the public context; the solver reads the clarifications too; a synthetic solver's private view is never logged as a prompt.
   */
  role: "context" | "clarifications";
  text: string;
}
