import type { LedgerEntry, LedgerStep } from "../../../schemas/types/ledger.js";
import { cut, grouped, html, type Markup } from "./markup.js";
import { recordHref } from "./records.js";

/** The picture in CSS pixels; texts keep their size on every screen. */
const WIDTH = 320;
const STEP = 34;
const AXIS = 16;
const INDENT = 34;
/** About so many characters fit beside the axis. */
const FITS = 38;

/** What one stage did with all items of the row. */
export interface StageSteps {
  readonly stage: string;
  readonly steps: readonly LedgerStep[];
}

/** Steps of one stage stand together, in the order in which the row met the stages. */
export function stagesOf(entry: LedgerEntry): StageSteps[] {
  const stages = new Map<string, LedgerStep[]>();
  for (const step of entry.steps) {
    const others = stages.get(step.stage);
    if (others === undefined) stages.set(step.stage, [step]);
    else others.push(step);
  }
  return [...stages].map(([stage, steps]) => ({ stage, steps }));
}

interface Node {
  readonly label: string;
  readonly href?: string;
  readonly kind: "source" | "kept" | "dropped" | "mixed" | "record" | "this";
}

function stageNode({ stage, steps }: StageSteps, at: number): Node {
  const dropped = steps.filter(({ outcome }) => outcome === "dropped");
  const kind = dropped.length === 0 ? "kept" : dropped.length === steps.length ? "dropped" : "mixed";
  const why = dropped.length === 0 ? "" : `: ${dropped[0]?.reason ?? "dropped"}`;
  const many =
    steps.length > 1 ? ` (${grouped(steps.length - dropped.length)} of ${grouped(steps.length)})` : "";
  return { label: `${stage}${many}${why}`, kind, href: `#step-${at + 1}` };
}

/** The shape of a node: what is in the benchmark is square, what was done is round, a drop is crossed out. */
function shape(kind: Node["kind"], y: number): Markup {
  if (kind === "source")
    return html`<rect class="n source" x="${AXIS - 7}" y="${y - 7}" width="14" height="14" rx="2"/>`;
  if (kind === "record" || kind === "this")
    return html`<rect class="n ${kind}" x="${AXIS + INDENT - 23}" y="${y - 6}" width="12" height="12" rx="2"/>`;
  const dot = html`<circle class="n ${kind}" cx="${AXIS}" cy="${y}" r="6"/>`;
  if (kind !== "dropped") return dot;
  return html`${dot}<path class="cross" d="M${AXIS - 3},${y - 3}l6,6m0,-6l-6,6"/>`;
}

/**
 * A row's way as a picture, top to bottom: the source row, what each stage did, and the records that came of it.
 *
 * @param current the record whose page this is, if it is a record's
 */
export function lineageGraph(entry: LedgerEntry, current?: string): Markup {
  const { origin, record_ids } = entry;
  const stages = stagesOf(entry);
  const nodes: Node[] = [
    {
      label: `${origin.file.split("/").at(-1) ?? origin.file}, row ${origin.row}`,
      kind: "source",
      href: "#source",
    },
    ...stages.map(stageNode),
    ...record_ids.map((id): Node => {
      const kind = id === current ? "this" : "record";
      return { label: id.slice(id.lastIndexOf("/") + 1), kind, href: recordHref(id) };
    }),
  ];
  const y = (at: number): number => STEP / 2 + at * STEP;
  const lastStep = stages.length;
  const height = nodes.length * STEP;
  const title = `From ${origin.file}, row ${origin.row}, through ${stages.length} stages to ${record_ids.length} records`;
  return html`<svg class="lineage" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="group" aria-label="${title}">
<path class="axis" d="M${AXIS},${y(0)}V${y(lastStep)}"/>
${record_ids.map((_id, at) => {
  const to = y(lastStep + 1 + at);
  return html`<path class="axis" d="M${AXIS},${y(lastStep)}V${to - 8}q0,8 8,8h${INDENT - 30}"/>`;
})}
${nodes.map((node, at) => {
  const isRecord = node.kind === "record" || node.kind === "this";
  const x = isRecord ? AXIS + INDENT : AXIS + 18;
  const text = html`<title>${node.label}</title>${shape(node.kind, y(at))}<text class="${node.kind}" x="${x}" y="${y(at) + 4.5}">${
    [...node.label].length > FITS ? `${[...node.label].slice(0, FITS - 1).join("")}…` : node.label
  }</text>`;
  return node.href === undefined || node.kind === "this"
    ? html`<g>${text}</g>`
    : html`<a href="${node.href}">${text}</a>`;
})}</svg>`;
}

function evidence(one: Record<string, unknown>): Markup {
  const { kind, ...details } = one;
  return html`<li><b>${String(kind)}</b><dl>${Object.entries(details).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const shown = /sha256/.test(name) ? text.slice(0, 12) : cut(text, 4000);
    return html`<div><dt>${name.replaceAll("_", " ")}</dt><dd dir="auto">${
      name === "sql" || /sha256/.test(name) ? html`<code>${shown}</code>` : shown
    }</dd></div>`;
  })}</dl></li>`;
}

function stepItem(step: LedgerStep): Markup {
  const proof = step.evidence ?? [];
  return html`<div class="step ${step.outcome}"><p><b class="outcome">${step.outcome}</b>${
    step.item === undefined ? "" : html` <code dir="auto">${step.item}</code>`
  }${step.outputs === undefined ? "" : ` ${grouped(step.outputs)} outputs`}${
    step.reason === undefined
      ? ""
      : html` <code>${step.reason}</code> <span dir="auto">${step.detail ?? ""}</span>`
  }${step.subject === undefined ? "" : html` <span class="dim" dir="auto">about ${step.subject}</span>`}</p>${
    proof.length === 0
      ? ""
      : html`<details${step.outcome === "dropped" ? html` open` : ""}><summary>${proof.length} ${proof.length === 1 ? "piece" : "pieces"} of evidence</summary><ul class="evidence">${proof.map((one) => evidence({ ...one }))}</ul></details>`
  }</div>`;
}

/** Where a row lies and what it was, by hashes; `version` where it is known which copy of the source that is. */
export function sourcePairs(source: string, origin: LedgerEntry["origin"], version = ""): Markup {
  const { file, row, file_sha256, row_sha256 } = origin;
  return html`<dl class="pairs" id="source"><div><dt>source</dt><dd dir="auto">${source} ${version}</dd></div>
<div><dt>row</dt><dd dir="auto">${file}, row ${grouped(row)}</dd></div>
<div><dt>file sha256</dt><dd><code>${file_sha256}</code></dd></div>
<div><dt>row sha256</dt><dd>${row_sha256 === "" ? "none: the row could not be read" : html`<code>${row_sha256}</code>`}</dd></div></dl>`;
}

/** The way in words, with the evidence of each step. */
export function lineageSteps(entry: LedgerEntry): Markup {
  return html`<ol class="steps">${stagesOf(entry).map(
    ({ stage, steps }, at) => html`<li id="step-${at + 1}"><h3>${stage}</h3>${steps.map(stepItem)}</li>`,
  )}</ol>`;
}
