import { SourceError } from "../pipelines/errors.js";
import { found, isObject } from "./row-check.js";

/** A line of a JSONL file: its position among the lines that are not empty (from 0), its line (from 1), its object. */
export type JsonLineItem = { row: number; line: number } & (
  | { kind: "object"; value: Record<string, unknown> }
  | { kind: "error"; error: SourceError }
);

/**
 * The lines of a JSONL text, one object each. A bad line does not stop the reading: it comes out as an error with file,
 * line and column of what does not parse.
 *
 * @param file how errors name the file
 */
export function readJsonLines(text: string, file: string): JsonLineItem[] {
  const items: JsonLineItem[] = [];
  for (const [at, written] of text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .entries()) {
    if (written.trim() === "") continue;
    const place = { row: items.length, line: at + 1 };
    items.push({ ...place, ...parseLine(written, { file, ...place }) });
  }
  return items;
}

function parseLine(
  text: string,
  place: { file: string; row: number; line: number },
): { kind: "object"; value: Record<string, unknown> } | { kind: "error"; error: SourceError } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return { kind: "error", error: new SourceError(place, `expected JSON: ${cause.message}`, { cause }) };
  }
  if (isObject(value)) return { kind: "object", value };
  return { kind: "error", error: new SourceError(place, `expected an object, found ${found(value)}`) };
}
