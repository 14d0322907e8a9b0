import { type Catalogue, holdsPrivate } from "../read/catalogue.js";
import type { OpenRun } from "../read/runs.js";
import { grouped, href, html, type Markup } from "./markup.js";

/** What every page shows round its own content. */
export interface Frame {
  readonly catalogue: Catalogue;
  readonly runs: readonly OpenRun[];
}

export type Section = "overview" | "records" | "dropped" | "runs";

const SECTIONS: readonly (readonly [Section, string, string])[] = [
  ["overview", "/", "Overview"],
  ["records", "/records", "Records"],
  ["dropped", "/dropped", "Dropped rows"],
  ["runs", "/runs", "Runs"],
];

const KEYS: readonly (readonly [string, string])[] = [
  ["/", "to the search"],
  ["j k", "next and previous row; ↓ ↑ too"],
  ["Enter", "open the row"],
  ["[ ]", "previous and next record"],
  ["Esc", "leave a field, then one page back"],
  ["g o", "overview"],
  ["g r", "records"],
  ["g d", "dropped rows"],
  ["g e", "runs and episodes"],
  ["?", "this list"],
];

const PRIVATE = "Shows private zones: what stands there must not reach an asker or a solver. ";

/** A whole page. */
export function layout(
  { catalogue: { suite, entries } }: Frame,
  { title, section }: { title: string; section?: Section },
  body: Markup,
): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · AmbiTab</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/style.css">
<script type="module" src="/assets/page.js"></script>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header class="top">
<a class="mark" href="/">AmbiTab</a>
<span class="suite" dir="auto" title="${suite.path}">${suite.kind} ${suite.name} <i>${grouped(entries.length)} records</i></span>
<nav aria-label="Sections">${SECTIONS.map(
    ([name, path, words]) =>
      html`<a href="${path}"${name === section ? html` aria-current="page"` : ""}>${words}</a>`,
  )}</nav>
</header>
<main id="main" tabindex="-1">${body}</main>
<footer class="foot"><p>${holdsPrivate(suite) ? PRIVATE : ""}This page answers to this machine alone and loads nothing from elsewhere.</p><p class="nokeys"><button type="button" id="keys-open">Keys <kbd>?</kbd></button></p></footer>
<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>
<dl class="keys">${KEYS.map(([key, does]) => html`<div><dt>${key.split(" ").map((one) => html`<kbd>${one}</kbd> `)}</dt><dd>${does}</dd></div>`)}</dl>
<form method="dialog"><button>Close</button></form></dialog>
</body>
</html>`;
}

/** A page that says what is wrong, and where to go on. */
export function messagePage(frame: Frame, title: string, text: string, remedy?: string): Markup {
  const body = html`<section class="message"><h1>${title}</h1><p dir="auto">${text}</p>
${remedy === undefined ? "" : html`<p class="dim">${remedy}</p>`}
<p><a href="${href("/records")}">All records</a></p></section>`;
  return layout(frame, { title }, body);
}

/** A note within a page: something is not shown, or not as it should be. */
export const note = (text: Markup | string): Markup => html`<p class="note" dir="auto">${text}</p>`;

/** Links to the pages of a long list. */
export function pager(
  path: string,
  parameters: Readonly<Record<string, string>>,
  { page, pages }: { page: number; pages: number },
): Markup | "" {
  if (pages < 2) return "";
  const to = (wanted: number): string => href(path, { ...parameters, page: wanted === 1 ? "" : wanted });
  const link = (wanted: number, words: string, rel: string): Markup =>
    wanted < 1 || wanted > pages
      ? html`<span class="off" aria-hidden="true">${words}</span>`
      : html`<a rel="${rel}" href="${to(wanted)}">${words}</a>`;
  return html`<nav class="pager" aria-label="Pages">${link(page - 1, "← Previous", "prev")}
<span>page ${grouped(page)} of ${grouped(pages)}</span>${link(page + 1, "Next →", "next")}</nav>`;
}

/** Which part of a list a page is; a page that is not there is the last one. */
export function paged<T>(
  all: readonly T[],
  wanted: number,
  size: number,
): { shown: readonly T[]; page: number; pages: number; from: number } {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const page = Math.min(Math.max(1, wanted), pages);
  const from = (page - 1) * size;
  return { shown: all.slice(from, from + size), page, pages, from };
}

/** One value of a facet, as a link that sets or lifts it. */
export function facetList(
  name: string,
  values: readonly (readonly [string, number])[],
  chosen: string,
  to: (value: string) => string,
): Markup | "" {
  if (values.length === 0) return "";
  return html`<section class="facet"><h3>${name}</h3><ul>${values.map(
    ([value, count]) =>
      html`<li><a href="${to(value === chosen ? "" : value)}"${
        value === chosen ? html` aria-current="true"` : ""
      }><span dir="auto">${value === "" ? "(none)" : value.replaceAll("_", " ")}</span><b>${grouped(count)}</b></a></li>`,
  )}</ul></section>`;
}

/** Values of a facet, most frequent first. */
export const byCount = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
