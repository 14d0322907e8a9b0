import type { Execution, TableDescription, ViewDescription } from "../../sql/index.js";
import type { ReadingResult } from "../read/results.js";
import type { OpenDatabase } from "../read/tables.js";
import { type Frame, layout, note, pager } from "./layout.js";
import { counted, href, html, type Markup } from "./markup.js";
import { recordHref } from "./records.js";
import { resultTable } from "./result-table.js";
import { sqlText } from "./sql-text.js";

/** Rows on a page of a table. */
export const TABLE_PAGE = 50;

/** A part of a table, if one was chosen. */
export interface ShownTable {
  readonly name: string;
  readonly rows: Execution;
  readonly count: number | string;
  readonly page: number;
}

function columnsOf({ columns, foreign_keys }: TableDescription): Markup {
  return html`<table class="schema"><tbody>${columns.map(({ name, type, primary_key, not_null }) => {
    const key = foreign_keys.find((one) => one.columns.includes(name));
    return html`<tr><th scope="row" dir="auto">${name}${
      key === undefined
        ? ""
        : html`<small>→ ${key.table}${key.references === null ? "" : `.${key.references[key.columns.indexOf(name)] ?? ""}`}</small>`
    }</th><td class="dim">${type.toLowerCase()}</td><td>${primary_key > 0 ? html`<span class="tag">key</span> ` : ""}${
      not_null && primary_key === 0 ? html`<span class="tag">not null</span> ` : ""
    }</td></tr>`;
  })}</tbody></table>`;
}

const viewNote = ({ name, columns, problem }: ViewDescription): Markup =>
  html`<li dir="auto">view <code>${name}</code>${problem === undefined ? `: ${columns.map((one) => one.name).join(", ")}` : `: ${problem}`}</li>`;

/** A database: its schema, and the rows of one table. */
export function databasePage(
  frame: Frame,
  names: { dataset: string; database_id: string },
  { schema, engine }: OpenDatabase,
  records: number,
  shown: ShownTable | undefined,
): Markup {
  const { dataset, database_id } = names;
  const at = { dataset, database: database_id };
  const body = html`<nav class="crumbs" aria-label="Where this is"><a rel="up" href="${href("/records", at)}">${dataset}</a><code dir="auto">${database_id}</code></nav>
<h1 class="page" dir="auto">${database_id}</h1>
<p class="lead">${engine === "sqlite" ? "SQLite" : "PostgreSQL"}, ${counted(schema.tables.length, "table")}; <a href="${href("/records", at)}">${counted(records, "record")}</a></p>
${
  shown === undefined
    ? ""
    : html`<section class="rows-of" id="rows"><h2 dir="auto">${shown.name} <span class="dim">${typeof shown.count === "number" ? counted(shown.count, "row") : ""}</span></h2>
${typeof shown.count === "string" ? note(`The rows were not counted: ${shown.count}`) : ""}${resultTable(shown.rows, TABLE_PAGE)}
${typeof shown.count === "number" ? pager("/database", { ...at, table: shown.name }, { page: shown.page, pages: Math.max(1, Math.ceil(shown.count / TABLE_PAGE)) }) : ""}</section>`
}
<div class="tables" id="swap">${schema.tables.map(
    (table) =>
      html`<section class="table-card${table.name === shown?.name ? " chosen" : ""}"><h3 dir="auto"><a href="${href("/database", { ...at, table: table.name })}#rows">${table.name}</a> <span class="dim">${counted(table.columns.length, "column")}</span></h3>${columnsOf(table)}</section>`,
  )}</div>
${schema.views.length === 0 ? "" : html`<h2>Views</h2><ul>${schema.views.map(viewNote)}</ul>`}`;
  return layout(frame, { title: database_id, section: "records" }, body);
}

/** The readings of a record, each with its result. */
export function resultsPage(frame: Frame, id: string, results: readonly ReadingResult[]): Markup {
  const words: Partial<Record<string, string>> = {
    mismatch: "differs from the reference",
    match: "gives the reference's result",
  };
  const body = html`<nav class="crumbs" aria-label="Where this is"><a rel="up" href="${recordHref(id)}"><code dir="auto">${id}</code></a></nav>
<h1 class="page">Results</h1><div id="swap" class="results">${results.map(
    ({ name, sql, execution, verdict }) =>
      html`<section class="result"><h3>${name}${
        verdict === undefined
          ? ""
          : html` <span class="tag">${words[verdict] ?? verdict.replaceAll("_", " ")}</span>`
      }</h3>${sqlText(sql)}${resultTable(execution, 20, execution.duration_ms)}</section>`,
  )}</div>`;
  return layout(frame, { title: `Results of ${id}`, section: "records" }, body);
}
