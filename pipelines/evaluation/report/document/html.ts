/** A report as one self-contained HTML page: no script, no font, no picture from elsewhere. */
import { headingText, valueTexts } from "./format.js";
import { STYLE } from "./style.js";
import { SYNTHETIC_NOTICE } from "./text.js";
import type { Cell, Figure, Report, Section, Table, Transcript } from "./types.js";

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Text with the diagnostics' symbols set as they are printed. */
const prose = (text: string): string =>
  escaped(text).replace(
    /Δ(J|Rec)_([a-z]+)(\^Q)?/g,
    (_all, name: string, index: string, exponent: string | undefined) =>
      `Δ${name}<sub>${index}</sub>${exponent === undefined ? "" : "<sup>Q</sup>"}`,
  );

const paragraph = (text: string, name = ""): string =>
  `<p${name === "" ? "" : ` class="${name}"`}>${prose(text)}</p>`;

function cellHtml(cell: Cell, key: boolean): string {
  if (cell.kind === "text")
    return key
      ? `<th scope="row">${escaped(cell.text)}</th>`
      : `<td class="words">${escaped(cell.text)}</td>`;
  const { main, interval, n, paper } = valueTexts(cell);
  // An interval may stand above its n, but neither is torn.
  const parts = [interval, n].filter((part) => part !== "").map((part) => `<span>${escaped(part)}</span>`);
  return [
    `<td${cell.strong === true ? ' class="strong"' : ""}>${escaped(main)}`,
    parts.length === 0 ? "" : `<small>${parts.join(", ")}</small>`,
    paper === "" ? "" : `<small class="paper">${escaped(paper)}</small>`,
    "</td>",
  ].join("");
}

/** A name that the row above has too is not said again. */
function rowHtml(row: readonly Cell[], before: readonly Cell[] | undefined, keys: number): string {
  let same = true;
  const cells = row.map((cell, at) => {
    const above = before?.[at];
    same =
      same && at < keys - 1 && cell.kind === "text" && above?.kind === "text" && above.text === cell.text;
    return same ? '<th scope="row" class="again"></th>' : cellHtml(cell, at < keys);
  });
  const starts = keys > 1 && cells[0] !== '<th scope="row" class="again"></th>';
  return `<tr${starts ? ' class="group"' : ""}>${cells.join("")}</tr>`;
}

function tableHtml({ id, title, caption, columns, keys, rows, notes }: Table): string {
  const head = columns.map(
    (column, at) => `<th scope="col"${at < keys ? ' class="key"' : ""}>${prose(headingText(column))}</th>`,
  );
  const body = rows.map((row, at) => rowHtml(row, rows[at - 1], keys));
  const list =
    notes.length === 0
      ? ""
      : `<ul class="notes">${notes.map((one) => `<li>${prose(one)}</li>`).join("")}</ul>`;
  return `<figure class="table" id="${escaped(id)}"><h3>${escaped(title)}</h3><div class="scroll"><table><thead><tr>${head.join("")}</tr></thead>
<tbody>${body.join("\n")}</tbody></table></div><figcaption>${prose(caption)}</figcaption>${list}</figure>`;
}

function figureHtml({ id, title, caption }: Figure, picture: string): string {
  return `<figure class="picture" id="${escaped(id)}"><h3>${escaped(title)}</h3><div class="scroll" role="img" aria-label="${escaped(title)}">${picture}</div><figcaption>${prose(caption)}</figcaption></figure>`;
}

function transcriptHtml({ title, facts, request, turns, sql, verdict }: Transcript): string {
  const dialogue = turns.map(
    ({ question, response, credit }) =>
      `<dt>${escaped(question)}</dt><dd>${escaped(response)}${credit === "" ? "" : ` <small>credit: ${escaped(credit)}</small>`}</dd>`,
  );
  return [
    `<details class="transcript"><summary>${escaped(title)} <small>${escaped(facts.join("; "))}</small></summary>`,
    request === undefined ? "" : `<blockquote>${escaped(request)}</blockquote>`,
    dialogue.length === 0 ? paragraph("Nothing was asked.") : `<dl>${dialogue.join("")}</dl>`,
    `<p>Answer (${escaped(verdict)}):</p><pre>${escaped(sql ?? "none")}</pre>`,
    "</details>",
  ].join("\n");
}

function sectionHtml(
  { heading, paragraphs, tables, figures, transcripts }: Section,
  pictures: ReadonlyMap<string, string>,
  id: string,
): string {
  return [
    `<section id="${id}"><h2>${escaped(heading)}</h2>`,
    ...paragraphs.map((text) => paragraph(text)),
    ...figures.map((figure) => figureHtml(figure, pictures.get(figure.id) ?? "")),
    ...tables.map(tableHtml),
    ...transcripts.map(transcriptHtml),
    "</section>",
  ].join("\n");
}

/** @param pictures SVG of each figure by its id */
export function reportHtml(report: Report, pictures: ReadonlyMap<string, string>): string {
  const { title, synthetic, facts, sections } = report;
  const contents = sections.map(
    ({ heading }, at) => `<li><a href="#section-${at + 1}">${escaped(heading)}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body${synthetic ? ' class="synthetic"' : ""}>
<header><h1>${escaped(title)}</h1>
${synthetic ? `<p class="notice">${escaped(SYNTHETIC_NOTICE)}</p>` : ""}
<ul class="facts">${facts.map((fact) => `<li>${escaped(fact)}</li>`).join("")}</ul>
<nav><ol>${contents.join("")}</ol></nav></header>
<main>
${sections.map((one, at) => sectionHtml(one, pictures, `section-${at + 1}`)).join("\n")}
</main>
</body>
</html>
`;
}
