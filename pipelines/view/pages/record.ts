import type { LedgerEntry } from "../../../schemas/types/ledger.js";
import type { Ambiguity, TaskRecord } from "../../../schemas/types/record.js";
import type { Zone } from "../../record/zones.js";
import type { Found } from "../read/lineage.js";
import type { OpenedRecord } from "../read/open-record.js";
import type { EpisodeEntry, OpenRun } from "../read/runs.js";
import { episodeTable } from "./episodes.js";
import { type Frame, layout, note } from "./layout.js";
import { lineageGraph, lineageSteps, sourcePairs } from "./lineage-graph.js";
import { counted, href, html, type Markup } from "./markup.js";
import { recordHref } from "./records.js";
import { markedRequest } from "./request-text.js";
import { sqlText } from "./sql-text.js";

/** Who may read a zone (spec 1): stands at its head. */
const READERS: Record<Zone, string> = {
  public: "read by everybody: asker, solver, oracle, verifier",
  oracle: "read by the simulated user, each oracle its part; never by asker or solver",
  verifier: "read by the verifier; never by asker or solver",
  provenance: "read by a person who audits, and by no part of an evaluation",
};

function zone(name: Zone, absent: OpenedRecord["absent"], content: () => Markup): Markup {
  const why = absent[name];
  return html`<section class="zone ${name}" id="${name}" aria-labelledby="${name}-title"><header><h2 id="${name}-title">${name}</h2><p>${READERS[name]}</p></header>
<div class="inside">${why === undefined ? content() : note(`Not shown: ${why}.`)}</div></section>`;
}

const pair = (name: string, value: Markup | string): Markup =>
  html`<div><dt>${name}</dt><dd dir="auto">${value}</dd></div>`;

function publicZone({ public: open, dataset }: Pick<TaskRecord, "public" | "dataset">): Markup {
  const { request, database, column_meanings, external_knowledge = [] } = open;
  const meanings = Object.entries(column_meanings ?? {});
  const at = href("/database", { dataset, database: database.database_id });
  return html`<dl class="pairs">${pair("request", request)}
${pair("database", html`<a href="${at}">${database.database_id}</a> <span class="dim">${database.engine}, ${database.path}</span>`)}</dl>
${
  meanings.length === 0
    ? ""
    : html`<details><summary>${counted(meanings.length, "column meaning")}</summary><dl class="pairs wide">${meanings.map(([name, meaning]) => pair(name, meaning))}</dl></details>`
}${
  external_knowledge.length === 0
    ? ""
    : html`<details><summary>${counted(external_knowledge.length, "piece")} of public knowledge</summary><dl class="pairs wide">${external_knowledge.map(
        (one) => pair(one.name, html`${one.description}<br><code>${one.definition}</code>`),
      )}</dl></details>`
}<div id="schema"><p><a class="button" data-into="schema" href="${at}">Show its tables</a></p></div>`;
}

function ambiguity(one: Ambiguity, at: number, marked: ReadonlySet<number>): Markup {
  return html`<article class="ambiguity" id="ambiguity-${at + 1}"><h3><q dir="auto">${one.term}</q> <span class="tag">${one.kind.replaceAll("_", " ")}</span>${
    one.counts ? "" : html` <span class="tag">does not count</span>`
  }</h3><dl class="pairs">
${pair("resolution", one.resolution)}
${pair("response", html`<q>${one.response}</q> <span class="tag">${one.response_status.replaceAll("_", " ")}</span>`)}
${one.aliases.length === 0 ? "" : pair("aliases", one.aliases.join(" · "))}
${one.concepts === undefined || one.concepts.length === 0 ? "" : pair("concepts", one.concepts.join(" · "))}
${one.sql_snippet === undefined ? "" : pair("in SQL", sqlText(one.sql_snippet))}
${marked.has(at) ? "" : pair("note", html`<span class="dim">the term is not in the request word for word</span>`)}</dl></article>`;
}

function oracleZone(oracle: TaskRecord["oracle"], marked: ReadonlySet<number>): Markup {
  const { clear_request, withheld_evidence, ambiguities } = oracle;
  return html`${
    clear_request === undefined && withheld_evidence === undefined
      ? ""
      : html`<dl class="pairs">${clear_request === undefined ? "" : pair("clear request", clear_request)}
${withheld_evidence === undefined ? "" : pair("withheld evidence", withheld_evidence)}</dl>`
  }${ambiguities.length === 0 ? html`<p class="dim">Nothing is left open: a control.</p>` : ambiguities.map((one, at) => ambiguity(one, at, marked))}`;
}

const statements = (name: string, list: readonly string[] | undefined): Markup | "" =>
  list === undefined || list.length === 0 ? "" : html`<h3>${name}</h3>${list.map((sql) => sqlText(sql))}`;

function verifierZone(verifier: TaskRecord["verifier"], id: string): Markup {
  const { reference_sql, alternative_sql, comparison, verifiable, not_verifiable, success, category } =
    verifier;
  const by = success === "tests" ? "the task's own tests" : comparison.policy;
  const tests = verifier.test_cases ?? [];
  return html`${verifiable ? "" : note(`Cannot be verified here: ${not_verifiable ?? "the record says so"}.`)}
<dl class="pairs">${pair("compared by", `${by}${comparison.ordered ? ", row by row" : ""}`)}${category === "query" ? "" : pair("category", category)}</dl>
${statements("Set-up", verifier.setup_sql)}
${statements("Reference", reference_sql)}
${statements("Other readings", alternative_sql)}
${statements("Clean-up", verifier.cleanup_sql)}
${
  tests.length === 0
    ? ""
    : html`<details><summary>${counted(tests.length, "test")}</summary>${tests.map((one) => html`<pre class="sql"><code>${one}</code></pre>`)}</details>`
}${
  verifier.follow_up === undefined || verifier.follow_up === null
    ? ""
    : html`<details><summary>Follow-up, as the source gives it</summary><pre class="sql"><code>${JSON.stringify(verifier.follow_up, null, 2)}</code></pre></details>`
}<div id="readings-results"><p><a class="button" data-into="readings-results" href="${href("/results", { id })}">Run the readings side by side</a></p></div>`;
}

function provenanceZone(provenance: TaskRecord["provenance"], row: Found<LedgerEntry>, id: string): Markup {
  return html`${sourcePairs(provenance.source, provenance, provenance.source_version)}
<dl class="pairs">${pair("made by", provenance.pipeline_version)}
${(provenance.notes ?? []).map((one) => pair("note", one))}</dl>
${
  "why" in row
    ? note(`The way from the source row is not shown: ${row.why}.`)
    : html`<div class="lineage-box">${lineageGraph(row.value, id)}<div>${lineageSteps(row.value)}
<p><a href="${href("/row", { key: row.value.key })}">The source row on a page of its own</a></p></div></div>`
}`;
}

/** A record, its zones clearly apart. */
export function recordPage(
  frame: Frame,
  { entry, record, absent }: OpenedRecord,
  row: Found<LedgerEntry>,
  episodes: readonly { run: OpenRun; entries: readonly EpisodeEntry[] }[],
): Markup {
  const { entries, byAvt, byId } = frame.catalogue;
  const here = byId.get(entry.record_id) ?? 0;
  const [before, after] = [entries[here - 1], entries[here + 1]];
  const ambiguities = absent.oracle === undefined ? (record.oracle?.ambiguities ?? []) : [];
  const { markup, marked } = markedRequest(
    record.public?.request ?? "",
    ambiguities.map(({ term }) => term),
  );
  const siblings = byAvt.get(entry.avt_id) ?? [];
  const { oracle, verifier, provenance } = record;
  const body = html`<nav class="crumbs" aria-label="Where this is"><a href="${href("/records", { dataset: entry.dataset })}" rel="up">${entry.dataset}</a>
<span>${[entry.split, ...(record.slices ?? [])].join(", ")}</span><code dir="auto">${entry.record_id}</code>
<span class="turn">${before === undefined ? "" : html`<a rel="prev" href="${recordHref(before.record_id)}">← Previous</a>`}
${after === undefined ? "" : html`<a rel="next" href="${recordHref(after.record_id)}">Next →</a>`}</span></nav>
<h1 class="hero" dir="auto">${markup}</h1>
${marked.size === 0 ? "" : html`<p class="legend"><mark>marked</mark> is what the oracle zone calls ambiguous; agents see no marks</p>`}
${
  siblings.length < 2
    ? ""
    : html`<section class="siblings" aria-labelledby="siblings"><h2 id="siblings">${counted(siblings.length, "reading")} of this request</h2><ul>${siblings.map(
        (at) => {
          const id = entries[at]?.record_id ?? "";
          const name = id.slice(id.lastIndexOf("#"));
          return html`<li>${id === entry.record_id ? html`<b aria-current="true">${name}</b>` : html`<a href="${recordHref(id)}">${name}</a>`}</li>`;
        },
      )}</ul></section>`
}
${zone("public", absent, () => publicZone({ public: record.public, dataset: record.dataset }))}
${zone("oracle", absent, () => (oracle === undefined ? html`` : oracleZone(oracle, marked)))}
${zone("verifier", absent, () => (verifier === undefined ? html`` : verifierZone(verifier, entry.record_id)))}
${zone("provenance", absent, () => (provenance === undefined ? html`` : provenanceZone(provenance, row, entry.record_id)))}
<section class="record-episodes" aria-labelledby="episodes"><h2 id="episodes">Episodes</h2>${
    frame.runs.length === 0
      ? html`<p class="dim">Start the view with <code>--run DIR</code> to read the episodes of a run here.</p>`
      : episodes.map(({ run, entries: own }) =>
          own.length === 0
            ? html`<p class="dim">The run ${run.name} has no episode on this record.</p>`
            : html`<h3>${run.name}</h3>${episodeTable(run, own, false)}`,
        )
  }</section>`;
  return layout(frame, { title: entry.record_id, section: "records" }, body);
}
