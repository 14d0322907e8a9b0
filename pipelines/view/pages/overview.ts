import type { Entry } from "../read/catalogue.js";
import type { Lineage } from "../read/lineage.js";
import { funnelPicture, publishedCounts } from "./funnel.js";
import { byCount, type Frame, layout, note } from "./layout.js";
import { counted, grouped, href, html, type Markup } from "./markup.js";

function tally(entries: readonly Entry[], of: (entry: Entry) => readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) for (const value of of(entry)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Values with a bar each, as links into the list; a single one would only say the total again. */
function bars(
  name: string,
  zone: "public" | "oracle",
  counts: ReadonlyMap<string, number>,
  total: number,
  to: (value: string) => string,
): Markup | "" {
  if (counts.size === 0 || (zone === "public" && counts.size === 1)) return "";
  return html`<section class="bars ${zone}"><h4>${name}</h4><ul>${byCount(counts).map(
    ([value, count]) => html`<li><a href="${to(value)}"><span>${value.replaceAll("_", " ")}</span>
<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${((100 * count) / total).toFixed(2)}" height="8"/></svg>
<b>${grouped(count)}</b></a></li>`,
  )}</ul></section>`;
}

/** What is here: each dataset's counts and its funnel. */
export function overviewPage(frame: Frame, lineage: Lineage): Markup {
  const { suite, entries, broken } = frame.catalogue;
  const datasets = suite.datasets.map((folder) => {
    const own = entries.filter(({ dataset }) => dataset === folder.dataset);
    const funnel = lineage.funnel(folder);
    const { dataset } = folder;
    const tasks = new Set(own.map(({ avt_id }) => avt_id)).size;
    const databases = new Set(own.map(({ database_id }) => database_id)).size;
    return html`<article class="dataset" aria-labelledby="d-${dataset}">
<header><h2 id="d-${dataset}"><a href="${href("/records", { dataset })}">${dataset}</a></h2>
<p class="lead">${counted(own.length, "record")} of ${counted(tasks, "task")} on ${counted(databases, "database")}</p></header>
${folder.whole ? "" : note(`Zones that are here: ${folder.zones.join(", ")}. What the others hold is not shown.`)}
<div class="split">
<div class="side">${"value" in funnel ? publishedCounts(funnel.value) : ""}
${bars(
  "Split",
  "public",
  tally(own, ({ split }) => [split]),
  own.length,
  (split) => href("/records", { dataset, split }),
)}
${bars(
  "Kind of ambiguity",
  "oracle",
  tally(own, ({ kinds }) => kinds),
  own.length,
  (kind) => href("/records", { dataset, kind }),
)}</div>
<div class="way"><h3>From source rows to records</h3>${
      "value" in funnel ? funnelPicture(funnel.value) : note(`The funnel is not shown: ${funnel.why}.`)
    }</div></div></article>`;
  });
  const told = broken.slice(0, 20);
  const body = html`<h1 class="page">${suite.kind === "release" ? `Release ${suite.name}` : "Build"}</h1>
<p class="lead">${counted(entries.length, "record")} in ${counted(suite.datasets.length, "dataset")}.
<span class="dim">Hash <code>${suite.hash.slice(0, 12)}</code></span></p>
${
  broken.length === 0
    ? ""
    : html`<section class="note"><p>${counted(broken.length, "line")} could not be read and ${broken.length === 1 ? "is" : "are"} not listed:</p>
<ul>${told.map(({ why }) => html`<li dir="auto">${why}</li>`)}</ul>${
        told.length < broken.length ? html`<p>… and ${grouped(broken.length - told.length)} more</p>` : ""
      }</section>`
}${datasets}`;
  return layout(frame, { title: "Overview", section: "overview" }, body);
}
