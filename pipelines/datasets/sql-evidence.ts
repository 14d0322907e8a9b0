import type { Evidence } from "../engine/stage.js";
import { sha256 } from "../record/ids.js";
import { type Cell, describeFailure, type Execution, type Row, renderCell } from "../sql/index.js";

/** Characters of a result that the ledger keeps for a person's eyes. */
const SHOWN = 100;

/** A cell may be large, and more than this is not looked at: as many characters as are shown, each perhaps two units. */
const LONG = 2 * SHOWN + 3;
const isLong = (cell: Cell): cell is string => cell !== null && cell.length > LONG && /^[tub]/.test(cell);

/** The first rows of a result on one line, cut where it is long: `(1, 'Ada'), (2, NULL)`. */
function inShort(rows: readonly Row[]): string {
  let text = "";
  for (const row of rows) {
    const cells = row.map((cell) => renderCell(isLong(cell) ? cell.slice(0, LONG) : cell));
    text += `${text === "" ? "" : ", "}(${cells.join(", ")})`.replace(/\s+/g, " ");
    const characters = [...text];
    if (characters.length > SHOWN) return `${characters.slice(0, SHOWN - 1).join("")}…`;
  }
  return text;
}

/** What the ledger keeps of a statement that ran: its text, how it ended, its rows in short and a hash of them. */
export function evidenceOf(sql: string, execution: Execution): Evidence {
  if (execution.outcome !== "rows")
    return { kind: "sql", sql, outcome: execution.outcome, message: describeFailure(execution) };
  const result_sha256 = sha256(JSON.stringify(execution.rows));
  const { row_count, rows } = execution;
  const first = rows.length === 0 ? {} : { first: inShort(rows) };
  return { kind: "sql", sql, outcome: "rows", rows: row_count, ...first, result_sha256 };
}
