import type { Entry } from "../read/catalogue.js";
import { type Filter, filterEntries } from "../read/filter.js";
import { byCount, type Frame, facetList, layout, paged, pager } from "./layout.js";
import { counted, grouped, href, html, type Markup } from "./markup.js";

const PAGE = 100;
/** A list of more databases than this is searched by typing. */
const OFFERED = 200;

/** The address of a list with some of its filter changed; the page begins anew. */
const address = (filter: Filter, change: Partial<Filter>): string =>
  href("/records", { ...filter, ...change });

export const recordHref = (record_id: string): string => href("/record", { id: record_id });

function row(entry: Entry): Markup {
  const { record_id, database_id, request, terms, dataset } = entry;
  return html`<li class="row"><a href="${recordHref(record_id)}"><span class="request" dir="auto">${request === "" ? "(no request)" : request}</span>
<span class="meta"><span class="tag">${dataset}</span> <code dir="auto">${record_id.startsWith(`${dataset}/`) ? record_id.slice(dataset.length + 1) : record_id}</code>
<span class="db" dir="auto">${database_id}</span>${
    terms.length === 0 ? "" : html`<span class="terms" dir="auto">${terms.join(" · ")}</span>`
  }</span></a></li>`;
}

/** The list of records, with its filter in the address. */
export function recordsPage(
  frame: Frame,
  filter: Filter,
  wanted: number,
  databases: ReadonlySet<string>,
): Markup {
  const { found, counts } = filterEntries(frame.catalogue.entries, filter, databases);
  const { shown, page, pages, from } = paged(found, wanted, PAGE);
  const { q, database, ...picked } = filter;
  const offered = byCount(counts.database).slice(0, OFFERED);
  const set = (Object.keys(filter) as (keyof Filter)[]).filter((name) => filter[name] !== "");
  const body = html`<h1 class="page">Records</h1>
<form class="filter" role="search" action="/records" method="get" data-live>
${Object.entries(picked).map(([name, value]) => (value === "" ? "" : html`<input type="hidden" name="${name}" value="${value}">`))}
<label class="search"><span>Search</span><input id="search" type="search" name="q" value="${q}" placeholder="words of a request, a term, an id" autocomplete="off" spellcheck="false" maxlength="500"></label>
<label class="search narrow"><span>Database</span><input type="search" name="database" value="${database}" list="databases" placeholder="any" autocomplete="off" spellcheck="false" maxlength="300"></label>
<button class="go">Filter</button></form>
<div id="results" class="list-page">
<datalist id="databases">${offered.map(([value, count]) => html`<option value="${value}">${counted(count, "record")}</option>`)}</datalist>
<aside class="facets" aria-label="Filters">
${facetList("Dataset", byCount(counts.dataset), filter.dataset, (dataset) => address(filter, { dataset }))}
${facetList("Split", byCount(counts.split), filter.split, (split) => address(filter, { split }))}
${facetList("Kind of ambiguity", byCount(counts.kind), filter.kind, (kind) => address(filter, { kind }))}
</aside>
<section aria-labelledby="found"><h2 id="found" class="found" role="status">${counted(found.length, "record")}${
    found.length > PAGE
      ? html` <span class="dim">${grouped(from + 1)}–${grouped(from + shown.length)}</span>`
      : ""
  }${set.length === 0 ? "" : html` <a class="clear" href="/records">Clear all filters</a>`}</h2>
${found.length === 0 ? html`<p class="empty">Nothing matches all of the filters.</p>` : ""}
<ol class="rows">${shown.map(row)}</ol>
${pager("/records", { ...filter }, { page, pages })}</section></div>`;
  return layout(frame, { title: "Records", section: "records" }, body);
}
