import type { EpisodeRecord, EpisodeTurn } from "../../../schemas/types/episode.js";
import type { RunSummary } from "../../../schemas/types/summary.js";
import type { EpisodeEntry, OpenRun, RunIndex } from "../read/runs.js";
import { byCount, type Frame, facetList, layout, note, paged, pager } from "./layout.js";
import { counted, grouped, href, html, type Markup } from "./markup.js";
import { recordHref } from "./records.js";
import { sqlText } from "./sql-text.js";

const PAGE = 100;

const verdictTag = (verdict: string): Markup =>
  html`<span class="verdict ${verdict === "match" ? "good" : "bad"}">${verdict.replaceAll("_", " ")}</span>`;

const episodeHref = (run: OpenRun, id: string): string => href("/episode", { run: run.name, id });

/** Episodes as rows, each a link to its dialogue. */
export function episodeTable(run: OpenRun, episodes: readonly EpisodeEntry[], withRecord: boolean): Markup {
  return html`<ol class="rows episodes">${episodes.map(
    (one) => html`<li class="row"><a href="${episodeHref(run, one.episode_id)}">
<span class="cond">${one.condition}</span><span class="seed">seed ${one.seed}</span>
${withRecord ? html`<code dir="auto">${one.record_id}</code>` : ""}
<span class="asked">${counted(one.questions, "question")}, ${grouped(one.credited)} of ${grouped(one.ambiguities)} cleared up</span>${verdictTag(one.verdict)}</a></li>`,
  )}</ol>`;
}

/** The runs that this view was started with. */
export function runsPage(frame: Frame, sizes: ReadonlyMap<string, number>): Markup {
  const body = html`<h1 class="page">Runs</h1>${
    frame.runs.length === 0
      ? html`<p class="empty">No run was named. <code>ambitab view PATH --run DIR</code> shows its episodes here.</p>`
      : html`<ol class="rows">${frame.runs.map(
          ({
            name,
            settings,
          }) => html`<li class="row"><a href="${href("/run", { run: name })}"><span class="request" dir="auto">${name}</span>
<span class="meta"><span>asker <b dir="auto">${settings.asker}</b></span><span>oracle <b dir="auto">${settings.oracle}</b></span><span>solver <b dir="auto">${settings.solver}</b></span>
<span>${counted(sizes.get(name) ?? 0, "episode")}</span></span></a></li>`,
        )}</ol>`
  }`;
  return layout(frame, { title: "Runs", section: "runs" }, body);
}

function summaryTable(summary: RunSummary): Markup {
  const share = (value: number | null): string => (value === null ? "–" : (100 * value).toFixed(1));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Summary"><table class="figures"><thead><tr><th scope="col">dataset</th><th scope="col" class="left">condition</th><th scope="col">SR %</th><th scope="col">precision %</th><th scope="col">recall %</th><th scope="col">F1 %</th><th scope="col">n</th></tr></thead>
<tbody>${Object.entries(summary.datasets).flatMap(([dataset, one]) =>
    (["none", "asker", "full"] as const).map((condition) => {
      const { sr, precision, recall, f1 } = one[condition];
      return html`<tr><th scope="row">${condition === "none" ? dataset : ""}</th><td class="left">${condition}</td>${[
        sr,
        precision,
        recall,
        f1,
      ].map(({ mean }) => html`<td>${share(mean)}</td>`)}<td>${grouped(sr.n)}</td></tr>`;
    }),
  )}</tbody></table></div>`;
}

export interface EpisodeFilter {
  readonly dataset: string;
  readonly condition: string;
  readonly verdict: string;
  readonly q: string;
}

/** A run: what decided it, its figures, and its episodes. */
export function runPage(
  frame: Frame,
  run: OpenRun,
  index: RunIndex,
  filter: EpisodeFilter,
  wanted: number,
): Markup {
  const { settings, name } = run;
  const wants = filter.q.toLowerCase();
  const fits = (one: EpisodeEntry, but?: keyof EpisodeFilter): boolean =>
    (but === "dataset" || filter.dataset === "" || one.dataset === filter.dataset) &&
    (but === "condition" || filter.condition === "" || one.condition === filter.condition) &&
    (but === "verdict" || filter.verdict === "" || one.verdict === filter.verdict) &&
    one.record_id.toLowerCase().includes(wants);
  const facet = (title: string, of: "dataset" | "condition" | "verdict"): Markup | "" => {
    const counts = new Map<string, number>();
    for (const one of index.entries) if (fits(one, of)) counts.set(one[of], (counts.get(one[of]) ?? 0) + 1);
    return facetList(title, byCount(counts), filter[of], (value) =>
      href("/run", { run: name, ...filter, [of]: value }),
    );
  };
  const found = index.entries.filter((one) => fits(one));
  const { shown, page, pages } = paged(found, wanted, PAGE);
  const summary = run.summary();
  const { suite } = settings;
  const other = suite.hash !== frame.catalogue.suite.hash;
  const body = html`<h1 class="page" dir="auto">Run ${name}</h1>
<p class="lead">asker <b dir="auto">${settings.asker}</b> · oracle <b dir="auto">${settings.oracle}</b> · solver <b dir="auto">${settings.solver}</b> · seeds ${settings.seeds.join(", ")}</p>
${settings.synthetic ? note("The solver reads what only the verifier may: this run tests the harness, not a system.") : ""}
${other ? note(`It was made on another ${suite.kind} (${suite.name}); records may differ from what is shown here.`) : ""}
${index.broken.length === 0 ? "" : note(`${counted(index.broken.length, "line")} of its log could not be read; the first: ${index.broken[0]}`)}
${summary === undefined ? note("There is no summary yet: the run is not finished.") : summaryTable(summary)}
<form class="filter" role="search" action="/run" method="get" data-live><input type="hidden" name="run" value="${name}">
${(["dataset", "condition", "verdict"] as const).map((one) => (filter[one] === "" ? "" : html`<input type="hidden" name="${one}" value="${filter[one]}">`))}
<label class="search"><span>Record</span><input id="search" type="search" name="q" value="${filter.q}" placeholder="a part of a record's id" autocomplete="off" spellcheck="false" maxlength="500"></label><button class="go">Filter</button></form>
<div id="results" class="list-page"><aside class="facets" aria-label="Filters">${facet("Dataset", "dataset")}${facet("Condition", "condition")}${facet("Verdict", "verdict")}</aside>
<section><h2 class="found" role="status">${counted(found.length, "episode")}</h2>${episodeTable(run, shown, true)}
${pager("/run", { run: name, ...filter }, { page, pages })}</section></div>`;
  return layout(frame, { title: `Run ${name}`, section: "runs" }, body);
}

function turn(one: EpisodeTurn, at: number): Markup {
  const { kind, term, clause } = one.action;
  const about = term ?? clause;
  return html`<li class="said asker"><h3>asker <span class="dim">question ${at + 1}</span></h3><p dir="auto">${one.question}</p></li>
<li class="said oracle"><h3>simulated user</h3><p dir="auto">${one.response}</p>
<footer><span class="tag">${kind}${about === undefined ? "" : html`: <span dir="auto">${about}</span>`}</span>
${
  one.credits.length === 0
    ? html`<span class="tag">no credit</span>`
    : html`<span class="tag credit">credit for <span dir="auto">${one.credits.join(", ")}</span>, by ${one.credit_source}</span>`
}
${one.fallback === undefined ? "" : html`<span class="tag">${one.fallback}'s reply could not be read</span>`}
<span class="why" dir="auto">${one.why}</span></footer></li>`;
}

const STOPS: Record<EpisodeRecord["stop"], string> = {
  asker: "the asker stopped by itself",
  budget: "the budget of questions was used up",
  fallback: "the asker's reply could not be read",
  nothing_to_ask: "there was nothing to ask",
  oracle: "the oracle's model gave no reply for good",
  cut_short: "a call of the asker was cut short",
};

/** An episode as the dialogue that it was. */
export function episodePage(
  frame: Frame,
  run: OpenRun,
  episode: EpisodeRecord,
  request: string | undefined,
): Markup {
  const { timings_ms: took, turns } = episode;
  const ms = (value: number): string => `${grouped(Math.round(value))} ms`;
  const id = episode.record_id;
  const body = html`<nav class="crumbs" aria-label="Where this is"><a rel="up" href="${href("/run", { run: run.name })}" dir="auto">${run.name}</a><span>${episode.condition}</span><span>seed ${episode.seed}</span>
<a href="${recordHref(id)}"><code dir="auto">${id}</code></a></nav>
<h1 class="page">Episode ${verdictTag(episode.verdict)}</h1>
<div class="episode"><ol class="dialogue">
<li class="said request"><h3>request</h3><p dir="auto">${request ?? "The record is not in what is shown here."}</p></li>
${turns.map(turn)}
<li class="stage-note">${turns.length === 0 ? "no question was asked; " : ""}${STOPS[episode.stop]}</li>
${episode.unread_reply === undefined ? "" : html`<li class="said asker"><h3>asker <span class="dim">could not be read</span></h3><p dir="auto">${episode.unread_reply}</p></li>`}
<li class="said solver"><h3>solver</h3>${episode.sql === null ? html`<p class="dim">no SQL</p>` : sqlText(episode.sql)}</li>
<li class="said verifier"><h3>verifier</h3><p>${verdictTag(episode.verdict)} <span dir="auto">${episode.detail ?? ""}</span></p>${
    episode.flags.length === 0
      ? ""
      : html`<footer>${episode.flags.map((flag) => html`<span class="tag">${flag}</span>`)}</footer>`
  }</li></ol>
<section class="about" aria-label="About this episode"><dl class="pairs">
<div><dt>asker</dt><dd dir="auto">${episode.asker}</dd></div>
<div><dt>ambiguities</dt><dd>${counted(episode.ambiguities, "counted ambiguity", "counted ambiguities")}; at most ${counted(episode.max_turn, "turn")}</dd></div>
${episode.donor === undefined ? "" : html`<div><dt>donor</dt><dd><a href="${recordHref(episode.donor)}"><code>${episode.donor}</code></a></dd></div>`}
${episode.expected_success === undefined ? "" : html`<div><dt>expected</dt><dd>${(100 * episode.expected_success).toFixed(1)} % success, in closed form</dd></div>`}
<div><dt>took</dt><dd>asking ${ms(took.asking)}, solving ${ms(took.solving)}, verifying ${ms(took.verifying)}</dd></div>
${Object.entries(episode.usage ?? {}).map(
  ([role, { calls, prompt_tokens, completion_tokens }]) =>
    html`<div><dt>${role}</dt><dd>${counted(calls, "call")}, ${grouped(prompt_tokens)} tokens in, ${grouped(completion_tokens)} out</dd></div>`,
)}
</dl></section></div>
<section class="prompts" aria-labelledby="prompts"><h2 id="prompts">What asker and solver were given</h2>${
    episode.prompts.length === 0
      ? html`<p class="dim">Nothing was logged.</p>`
      : episode.prompts.map(
          (hash, at) =>
            html`<div id="prompt-${at + 1}"><p><a data-into="prompt-${at + 1}" href="${href("/prompt", { run: run.name, sha256: hash })}">Text ${at + 1}</a> <code class="dim">${hash.slice(0, 12)}</code></p></div>`,
        )
  }</section>`;
  return layout(frame, { title: `Episode ${episode.episode_id}`, section: "runs" }, body);
}

/** What an asker or a solver was given. */
export function promptPage(
  frame: Frame,
  { role, sha256, text }: { role: string; sha256: string; text: string },
): Markup {
  const body = html`<h1 class="page">Prompt</h1><div id="swap"><p class="dim">${role} <code>${sha256.slice(0, 12)}</code></p><pre class="prompt" dir="auto">${text}</pre></div>`;
  return layout(frame, { title: "Prompt", section: "runs" }, body);
}
