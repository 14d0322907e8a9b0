import { type Cell, decodeCell, describeFailure, type Execution } from "../../sql/index.js";
import { counted, cut, grouped, html, type Markup } from "./markup.js";

/** A cell is shown so long. */
const LONGEST = 300;

function cell(value: Cell): Markup {
  const decoded = decodeCell(value);
  switch (decoded.kind) {
    case "null":
      return html`<td class="null">NULL</td>`;
    case "integer":
    case "real":
    case "numeric":
      return html`<td class="num">${String(value).slice(1)}</td>`;
    case "blob":
    case "invalid_text":
      return html`<td class="bytes">${cut(`x'${decoded.value.toString("hex")}'`, 80)}</td>`;
    case "boolean":
      return html`<td>${decoded.value ? "true" : "false"}</td>`;
    case "array":
      return html`<td dir="auto">${cut(JSON.stringify(decoded.value), LONGEST)}</td>`;
    default:
      return html`<td dir="auto">${cut(decoded.value, LONGEST)}</td>`;
  }
}

/**
 * Rows under their columns' names, or how the statement ended instead.
 *
 * @param ms how long it took, where that is of interest
 */
export function resultTable(execution: Execution, most: number, ms?: number): Markup {
  if (execution.outcome !== "rows")
    return html`<p class="failed" dir="auto">${describeFailure(execution)}</p>`;
  const { columns, rows, row_count } = execution;
  const shown = rows.slice(0, most);
  // A heading stands over its column's values: to the right over numbers.
  const isNumeric = (at: number): boolean => {
    const first = shown.find((row) => row[at] !== null && row[at] !== undefined)?.[at];
    return /^[irn]/.test(first ?? "");
  };
  const heading = (name: string, at: number): Markup =>
    html`<th scope="col" dir="auto"${isNumeric(at) ? html` class="num"` : ""}>${name}</th>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Rows"><table class="cells"><thead><tr>${columns.map(heading)}</tr></thead>
<tbody>${shown.map((row) => html`<tr>${row.map(cell)}</tr>`)}</tbody></table></div>
<p class="count">${counted(row_count, "row")}${shown.length < row_count ? `, the first ${grouped(shown.length)} shown` : ""}${ms === undefined ? "" : `, ${grouped(Math.round(ms))} ms`}</p>`;
}
