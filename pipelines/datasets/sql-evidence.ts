import type { Evidence } from "../engine/stage.js";
import { sha256 } from "../record/ids.js";
import { describeFailure, type Execution } from "../sql/index.js";

/** What the ledger keeps of a statement that ran: its text, how it ended, and a hash of its rows. */
export function evidenceOf(sql: string, execution: Execution): Evidence {
  if (execution.outcome !== "rows")
    return { kind: "sql", sql, outcome: execution.outcome, message: describeFailure(execution) };
  const result_sha256 = sha256(JSON.stringify(execution.rows));
  return { kind: "sql", sql, outcome: "rows", rows: execution.row_count, result_sha256 };
}
