import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { readJsonl } from "../record/jsonl.js";
import type { DatasetFolder } from "../record/suite.js";
import { isSignificant, tokens } from "../sql/index.js";
import { error, type Finding } from "./finding.js";

/** Statement, as it is compared → sha256 of the rows that it gave when the record was built. */
type Results = ReadonlyMap<string, string>;

/** A statement without white space and comments, which hide nothing, and with both ways to quote a literal made one. */
const plainText = (sql: string): string => {
  const words = tokens(sql).filter(isSignificant);
  while (words.at(-1)?.text === ";") words.pop();
  return words
    .map(({ kind, text }) => (kind === "quoted_identifier" ? `'${text.slice(1, -1)}'` : text))
    .join(" ");
};

/** What the ledger recorded of the statements that were run for a record. */
export class RecordedResults {
  readonly #results = new Map<string, Results>();

  /** Reads a dataset's ledger; one that is not here has recorded nothing. */
  static async of({ zones, ledger }: DatasetFolder): Promise<RecordedResults> {
    const recorded = new RecordedResults();
    if (!zones.includes("provenance")) return recorded;
    for await (const { value } of readJsonl<LedgerEntry>(ledger)) {
      if (value.record_ids.length === 0) continue;
      const results = new Map<string, string>();
      for (const { evidence = [] } of value.steps) {
        for (const { kind, sql, result_sha256 } of evidence as {
          kind: string;
          sql?: unknown;
          result_sha256?: unknown;
        }[]) {
          if (kind === "sql" && typeof sql === "string" && typeof result_sha256 === "string")
            results.set(plainText(sql), result_sha256);
        }
      }
      for (const id of value.record_ids) recorded.#results.set(id, results);
    }
    return recorded;
  }

  /** Whether the ledger recorded any result for a record. */
  has(record_id: string): boolean {
    return (this.#results.get(record_id)?.size ?? 0) > 0;
  }

  /**
   * Whether a record's reference is a statement that was run for it, and gives today what it gave then.
   *
   * @param result_sha256 of the rows that it gives today
   */
  compare(
    { record_id, verifier }: Pick<TaskRecord, "record_id" | "verifier">,
    result_sha256: string,
  ): Finding[] {
    const results = this.#results.get(record_id);
    const [sql = ""] = verifier.reference_sql;
    // A pipeline that keeps no such evidence (BIRD-Interact) proves its references in another way.
    if (results === undefined || results.size === 0) return [];
    const then = results.get(plainText(sql));
    if (then === result_sha256) return [];
    return [
      then === undefined
        ? error("reference_unproven", record_id, "the ledger records no run of its reference SQL")
        : error("result_changed", record_id, "its reference SQL gives other rows than the ledger recorded"),
    ];
  }
}
