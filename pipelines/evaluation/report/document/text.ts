/** A report as plain text for a terminal of 100 columns. */
import { cellText, formatPaper, headingText } from "./format.js";
import type { Cell, Report, Section, Table, Transcript } from "./types.js";

/** Reports are made for terminals of this width; only names that are longer than a line run over. */
export const WIDTH = 100;

/** A sentence on lines of at most WIDTH characters, the second and later ones indented by two more than the first. */
export function wrapped(text: string): string {
  const indent = /^ */.exec(text)![0];
  const lines: string[] = [];
  let line = "";
  for (const word of text.trimStart().split(" ")) {
    if (line !== "" && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = "";
    }
    if (line === "") line = `${indent}${lines.length > 0 ? "  " : ""}${word}`;
    else line += ` ${word}`;
  }
  return [...lines, line].join("\n");
}

const lengthOf = (text: string): number => [...text].length;

/** Rows with their cells aligned: keys to the left, values to the right. */
function aligned(rows: readonly (readonly string[])[], keys: number): string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => lengthOf(row[at]!))));
  return rows.map((row) =>
    row
      .map((text, at) => {
        const blanks = " ".repeat(widths[at]! - lengthOf(text));
        return at < keys ? text + blanks : blanks + text;
      })
      .join("  ")
      .trimEnd(),
  );
}

/** Columns in groups that fit a line, each with the key columns before it. */
function columnGroups(rows: readonly (readonly string[])[], keys: number): number[][] {
  const widths = rows[0]!.map((_, at) => 2 + Math.max(...rows.map((row) => lengthOf(row[at]!))));
  const keyColumns = Array.from({ length: keys }, (_, at) => at);
  const room = WIDTH + 2 - keyColumns.reduce((sum, at) => sum + widths[at]!, 0);
  const groups: number[][] = [];
  let used = Number.POSITIVE_INFINITY;
  for (let at = keys; at < widths.length; at += 1) {
    if (used + widths[at]! > room) {
      groups.push([...keyColumns]);
      used = 0;
    }
    groups.at(-1)!.push(at);
    used += widths[at]!;
  }
  return groups;
}

/** A row, and below it the paper's numbers where there are any: beside ours they would not fit a line. */
function rowTexts(row: readonly Cell[], keys: number): string[][] {
  const ours = row.map((cell) => {
    if (cell.kind === "text") return cell.text;
    const { paper: _printed, ...own } = cell;
    return cellText(own);
  });
  const paper = row.map((cell, at) => {
    if (at === keys - 1) return "  the paper";
    return cell.kind === "value" && cell.paper !== undefined ? formatPaper(cell.paper) : "";
  });
  return row.some((cell) => cell.kind === "value" && cell.paper !== undefined) ? [ours, paper] : [ours];
}

/** A table; one that is too wide for a line is broken into groups of columns. */
export function tableText(table: Table): string {
  const rows = [table.columns.map(headingText), ...table.rows.flatMap((row) => rowTexts(row, table.keys))];
  const blocks = columnGroups(rows, table.keys).map((group) =>
    aligned(
      rows.map((row) => group.map((at) => row[at]!)),
      table.keys,
    ).join("\n"),
  );
  const below = [wrapped(table.caption), ...table.notes.map((note) => wrapped(`  ${note}`))];
  return [wrapped(table.title), ...blocks, below.join("\n")].join("\n\n");
}

function transcriptText({ title, facts, request, turns, sql, verdict }: Transcript): string {
  const lines = [title, ...facts.map((fact) => `  ${fact}`)];
  if (request !== undefined) lines.push(`  request: ${request}`);
  for (const { question, response, credit } of turns)
    lines.push(`  Q: ${question}`, `  A: ${response}${credit === "" ? "" : `  [credit: ${credit}]`}`);
  lines.push(`  SQL: ${(sql ?? "none").replace(/\s+/g, " ")}`);
  return [...lines, `  verdict: ${verdict}`].map(wrapped).join("\n");
}

function sectionText({ heading, paragraphs, tables, figures, transcripts }: Section): string {
  return [
    `${heading}\n${"=".repeat(lengthOf(heading))}`,
    ...paragraphs.map(wrapped),
    ...tables.map(tableText),
    ...figures.map(({ title, caption }) =>
      wrapped(`${title} (a picture: see --format html, svg or png). ${caption}`),
    ),
    ...transcripts.map(transcriptText),
  ].join("\n\n");
}

/** What a reader must know before any number of a run whose solver or oracle knows the answers. */
export const SYNTHETIC_NOTICE =
  "SYNTHETIC: a solver or an oracle of these runs reads what only the verifier may. The numbers test the harness and say nothing of any model.";

export function reportText({ title, synthetic, facts, sections }: Report): string {
  const head = [title, ...(synthetic ? [SYNTHETIC_NOTICE] : []), ...facts].map(wrapped).join("\n");
  return [head, ...sections.map(sectionText)].join("\n\n");
}
