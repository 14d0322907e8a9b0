import type { Funnel, FunnelStage } from "../../../schemas/types/funnel.js";
import { counted, grouped, href, html, type Markup } from "./markup.js";

/** The picture is a hundred units wide; the widest stage fills it. */
const WIDTH = 100;
const HEIGHT = 40;

/** A stage as a slice of the funnel: what goes in above, what comes out below, what was dropped as the wedge beside. */
function slice({ in: taken, kept, out }: FunnelStage, widest: number): Markup {
  const x = (items: number): string => ((items / widest) * WIDTH).toFixed(3);
  return html`<svg class="slice" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
<polygon class="kept" points="0,0 ${x(Math.min(taken, kept))},0 ${x(out)},${HEIGHT} 0,${HEIGHT}"/>
${kept < taken ? html`<polygon class="drop" points="${x(kept)},0 ${x(taken)},0 ${x(out)},${HEIGHT}"/>` : ""}</svg>`;
}

/** The funnel of a dataset: one slice a stage, the reasons of drops as links to the rows. */
export function funnelPicture(funnel: Funnel): Markup {
  const widest = Math.max(1, ...funnel.stages.flatMap(({ in: taken, out }) => [taken, out]));
  return html`<ol class="funnel">${funnel.stages.map(
    (stage) => html`<li><span class="stage">${stage.stage}</span>${slice(stage, widest)}
<span class="out">${grouped(stage.out)}</span>
<span class="lost">${Object.entries(stage.reasons).map(
      ([reason, count]) =>
        html`<a href="${href("/dropped", { dataset: funnel.dataset, reason })}">−${grouped(count)} ${reason.replaceAll("_", " ")}</a> `,
    )}</span></li>`,
  )}
<li class="records"><a href="${href("/records", { dataset: funnel.dataset })}">${counted(funnel.records, "record")} →</a></li></ol>`;
}

/** Counts, beside the published ones where there are any. */
export function publishedCounts(funnel: Funnel): Markup {
  const row = (name: string, ours: number, theirs: number): Markup => {
    const apart = ours - theirs;
    const sign = apart === 0 ? "as published" : `${apart > 0 ? "+" : "−"}${grouped(Math.abs(apart))}`;
    return html`<tr><th scope="row">${name}</th><td>${grouped(ours)}</td><td>${grouped(theirs)}</td><td class="dim">${sign}</td></tr>`;
  };
  const { published } = funnel;
  if (published === undefined) {
    const alone = (name: string, ours: number): Markup =>
      html`<tr><th scope="row">${name}</th><td>${grouped(ours)}</td></tr>`;
    return html`<table class="figures"><thead><tr><td></td><th scope="col">here</th></tr></thead><tbody>
${alone("records", funnel.records)}
${alone("databases", funnel.databases)}
${alone("ambiguities", funnel.ambiguities)}
</tbody></table>`;
  }
  return html`<table class="figures"><thead><tr><td></td><th scope="col">here</th><th scope="col">paper</th><td></td></tr></thead><tbody>
${row("records", funnel.records, published.records)}
${row("databases", funnel.databases, published.databases)}
${row("ambiguities", funnel.ambiguities, published.ambiguities)}
</tbody></table>`;
}
