/** A report as GitHub-flavoured Markdown. */
import { cellText, headingText } from "./format.js";
import { SYNTHETIC_NOTICE } from "./text.js";
import type { Report, Section, Table, Transcript } from "./types.js";

/** Text that Markdown and HTML would read as markup, and bars that would end a cell, are escaped. */
const escaped = (text: string): string =>
  text.replace(/[\\`*_[\]<>|#]/g, (character) => `\\${character}`).replace(/\s*\n\s*/g, " ");

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

function tableMarkdown({ title, caption, columns, keys, rows, notes }: Table): string {
  const rule = columns.map((_, at) => (at < keys ? ":--" : "--:"));
  const body = rows.map((row) =>
    line(
      row.map((cell) =>
        cell.kind === "value" && cell.strong === true
          ? `**${escaped(cellText(cell))}**`
          : escaped(cellText(cell)),
      ),
    ),
  );
  return [
    `**${escaped(title)}**`,
    [line(columns.map((column) => escaped(headingText(column)))), line(rule), ...body].join("\n"),
    `*${escaped(caption)}*`,
    ...(notes.length > 0 ? [notes.map((note) => `- ${escaped(note)}`).join("\n")] : []),
  ].join("\n\n");
}

/** A block that nothing inside can end: its fence is longer than any run of backticks in it. */
function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function transcriptMarkdown(one: Transcript): string {
  const { title, facts, request, turns, sql, verdict } = one;
  const dialogue = turns.map(
    ({ question, response, credit }) =>
      `1. **Q** ${escaped(question)}  \n   **A** ${escaped(response)}${credit === "" ? "" : ` *(credit: ${escaped(credit)})*`}`,
  );
  return [
    `#### ${escaped(title)}`,
    facts.map(escaped).join("; "),
    ...(request === undefined ? [] : [`> ${escaped(request)}`]),
    ...(dialogue.length > 0 ? [dialogue.join("\n")] : []),
    fenced(sql ?? "no SQL", "sql"),
    `Verdict: ${escaped(verdict)}`,
  ].join("\n\n");
}

function sectionMarkdown(
  { heading, paragraphs, tables, figures, transcripts }: Section,
  pictureOf: (id: string) => string,
): string {
  return [
    `## ${escaped(heading)}`,
    ...paragraphs.map(escaped),
    ...tables.map(tableMarkdown),
    ...figures.map(
      ({ id, title, caption }) =>
        `**${escaped(title)}**\n\n![${escaped(title)}](${pictureOf(id)})\n\n*${escaped(caption)}*`,
    ),
    ...transcripts.map(transcriptMarkdown),
  ].join("\n\n");
}

/** @param pictureOf where a figure's picture lies, relative to the Markdown file */
export function reportMarkdown(report: Report, pictureOf: (id: string) => string): string {
  const { title, synthetic, facts, sections } = report;
  return `${[
    `# ${escaped(title)}`,
    ...(synthetic ? [`> **${escaped(SYNTHETIC_NOTICE)}**`] : []),
    facts.map((fact) => `- ${escaped(fact)}`).join("\n"),
    ...sections.map((one) => sectionMarkdown(one, pictureOf)),
  ].join("\n\n")}\n`;
}
