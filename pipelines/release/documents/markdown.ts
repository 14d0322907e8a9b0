import { grouped } from "./grouped.js";

/** What Markdown, or the HTML and the formulas in it, would read as more than text within a line. A bar ends a table's cell. */
const SPECIAL = /[\\`*_[\]<>|~&$#]/g;

/**
 * Text as Markdown shows it letter for letter: names from sources and records say nothing to the page that shows them. Line
 * breaks and other controls become blanks, so that a name stays in its line.
 */
export function escaped(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ").replace(SPECIAL, (one) => `\\${one}`);
}

/** Text as code, fenced by more backticks than it has in a row. */
export function code(text: string): string {
  const plain = text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, " ").replaceAll("|", "\\|");
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const room = plain.startsWith("`") || plain.endsWith("`") ? " " : "";
  return `${fence}${room}${plain}${room}${fence}`;
}

/** A table; cells are Markdown already. `right` names the columns that hold numbers. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = header.map((_, at) => (right.includes(at) ? "---:" : "---"));
  return [line(header), line(rule), ...rows.map(line)].join("\n");
}

/** The first of some names as code, and how many are left. */
export function listed(names: readonly string[], limit: number): string {
  const shown = names.slice(0, limit).map(code).join(", ");
  return names.length > limit ? `${shown} and ${grouped(names.length - limit)} more` : shown;
}
