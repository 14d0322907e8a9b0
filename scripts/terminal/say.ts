import { styleText } from "node:util";
import { getBorderCharacters, table } from "table";

/** Messages go to stderr, so that stdout holds the result alone. */
export type Say = (text: string) => void;

/** A `Say` that `--quiet` silences. */
export function sayer(quiet: boolean): Say {
  return quiet ? () => undefined : (text) => process.stderr.write(`${text}\n`);
}

/** Writes the result to stdout. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Bold, dim and colours where stdout is a terminal that wants them, plain text elsewhere. */
export function styled(format: Parameters<typeof styleText>[0], text: string): string {
  const wanted = process.stdout.isTTY && process.env.NO_COLOR === undefined;
  return wanted ? styleText(format, text) : text;
}

/** Rows under a header, aligned, without lines; numbers should come as text and are set to the right by `right`. */
export function columns(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const text = table([[...header], ...rows.map((row) => [...row])], {
    border: getBorderCharacters("void"),
    columnDefault: { paddingLeft: 0, paddingRight: 2 },
    columns: Object.fromEntries(right.map((index) => [index, { alignment: "right" as const }])),
    drawHorizontalLine: () => false,
  });
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
}

/** A text on one line of at most `width` characters, with an ellipsis where something is cut. */
export function shorten(text: string, width: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  const points = [...line];
  return points.length <= width ? line : `${points.slice(0, width - 1).join("")}…`;
}
