import type { DroppedRow } from "../../../schemas/types/dropped.js";
import type { LedgerEntry } from "../../../schemas/types/ledger.js";
import { DROP_CODES } from "../../engine/drop-codes.js";
import { folded } from "../read/catalogue.js";
import { byCount, type Frame, facetList, layout, note, paged, pager } from "./layout.js";
import { lineageGraph, lineageSteps, sourcePairs } from "./lineage-graph.js";
import { counted, grouped, href, html, type Markup } from "./markup.js";
import { recordHref } from "./records.js";

const PAGE = 100;

export interface DropFilter {
  readonly dataset: string;
  readonly reason: string;
  readonly stage: string;
  readonly q: string;
}

/** A dropped row and the dataset that it is not in. */
export interface PlacedDrop {
  readonly dataset: string;
  readonly row: DroppedRow;
}

const meaningOf = (reason: string): string | undefined =>
  Object.hasOwn(DROP_CODES, reason) ? DROP_CODES[reason as keyof typeof DROP_CODES] : undefined;

/** The rows that are not in the benchmark, by dataset, code and stage. */
export function droppedPage(
  frame: Frame,
  drops: readonly PlacedDrop[],
  absent: readonly string[],
  filter: DropFilter,
  wanted: number,
): Markup {
  const words = folded(filter.q).split(/\s+/).filter(Boolean);
  const found: PlacedDrop[] = [];
  const counts = {
    dataset: new Map<string, number>(),
    reason: new Map<string, number>(),
    stage: new Map<string, number>(),
  };
  for (const drop of drops) {
    const { key = "", detail = "", reason, stage, subject = "" } = drop.row;
    const values = { dataset: drop.dataset, reason, stage };
    const facets = ["dataset", "reason", "stage"] as const;
    const misses = facets.filter((one) => filter[one] !== "" && filter[one] !== values[one]);
    if (misses.length > 1) continue;
    const text = folded([key, detail, subject].join("\n"));
    if (!words.every((word) => text.includes(word))) continue;
    if (misses.length === 0) found.push(drop);
    for (const one of facets)
      if (misses.length === 0 || misses[0] === one)
        counts[one].set(values[one], (counts[one].get(values[one]) ?? 0) + 1);
  }
  const { shown, page, pages, from } = paged(found, wanted, PAGE);
  const facet = (title: string, name: "dataset" | "reason" | "stage"): Markup | "" =>
    facetList(title, byCount(counts[name]), filter[name], (value) =>
      href("/dropped", { ...filter, [name]: value }),
    );
  const meaning = filter.reason === "" ? undefined : meaningOf(filter.reason);
  const body = html`<h1 class="page">Dropped rows</h1>
${absent.map((why) => note(why))}
<form class="filter" role="search" action="/dropped" method="get" data-live>
${(["dataset", "reason", "stage"] as const).map((one) => (filter[one] === "" ? "" : html`<input type="hidden" name="${one}" value="${filter[one]}">`))}
<label class="search"><span>Search</span><input id="search" type="search" name="q" value="${filter.q}" placeholder="a key, or words of the reason" autocomplete="off" spellcheck="false" maxlength="500"></label><button class="go">Filter</button></form>
<div id="results" class="list-page"><aside class="facets" aria-label="Filters">${facet("Dataset", "dataset")}${facet("Reason", "reason")}${facet("Stage", "stage")}</aside>
<section><h2 class="found" role="status">${counted(found.length, "row")}${found.length > PAGE ? html` <span class="dim">${grouped(from + 1)}–${grouped(from + shown.length)}</span>` : ""}</h2>
${meaning === undefined ? "" : html`<p class="lead"><code>${filter.reason}</code>: ${meaning}</p>`}
<ol class="rows">${shown.map(
    ({
      row,
    }) => html`<li class="row"><a href="${href("/row", { key: row.key })}"><span class="request" dir="auto">${row.detail}</span>
<span class="meta"><span class="tag drop">${row.reason}</span><code dir="auto">${row.key}</code><span>at ${row.stage}</span></span></a></li>`,
  )}</ol>
${pager("/dropped", { ...filter }, { page, pages })}</section></div>`;
  return layout(frame, { title: "Dropped rows", section: "dropped" }, body);
}

/** A source row's whole way, kept or not. */
export function rowPage(frame: Frame, entry: LedgerEntry): Markup {
  const dropped = entry.steps.filter(({ outcome }) => outcome === "dropped");
  const { record_ids, dataset } = entry;
  const body = html`<nav class="crumbs" aria-label="Where this is"><a rel="up" href="${href("/dropped", { dataset })}">${dataset}</a><code dir="auto">${entry.key}</code></nav>
<h1 class="page">Source row ${grouped(entry.origin.row)}</h1>
${record_ids.length === 0 ? html`<p class="lead">Not in the benchmark${dropped[0]?.reason === undefined ? "" : html`: <code>${dropped[0].reason}</code>, ${meaningOf(dropped[0].reason) ?? ""}`}</p>` : html`<p class="lead">${counted(record_ids.length, "record")} came of it: ${record_ids.map((id) => html`<a href="${recordHref(id)}"><code dir="auto">${id}</code></a> `)}</p>`}
<section class="zone provenance"><header><h2>provenance</h2><p>read by a person who audits, and by no part of an evaluation</p></header>
<div class="inside">${sourcePairs(entry.source, entry.origin)}<div class="lineage-box">${lineageGraph(entry)}<div>${lineageSteps(entry)}</div></div></div></section>`;
  return layout(frame, { title: entry.key, section: "dropped" }, body);
}
