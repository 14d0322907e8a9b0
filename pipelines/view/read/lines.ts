/** Lines of JSONL files by their place in bytes, so that a record is found again without the file in memory. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { SourceError } from "../../errors.js";

/** Where a line stands. `line` counts from 1, `offset` and `length` are bytes, the line feed not counted. */
export interface LinePlace {
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}

/** Where a scan has come to, to go on from when the file has grown. */
export interface ScanEnd {
  readonly lines: number;
  readonly bytes: number;
}

/**
 * Hands over every line of a file that is not empty, in order.
 *
 * @param from where an earlier scan ended
 * @param half whether text after the last line feed is a line; in a log it is what a killed writer left
 */
export async function scanLines(
  path: string,
  each: (bytes: Buffer, place: LinePlace) => void,
  { from = { lines: 0, bytes: 0 }, half = true }: { from?: ScanEnd; half?: boolean } = {},
): Promise<ScanEnd> {
  let { lines, bytes: offset } = from;
  let carried: Buffer[] = [];
  const hand = (end: Buffer): void => {
    const bytes = carried.length === 0 ? end : Buffer.concat([...carried, end]);
    carried = [];
    lines += 1;
    if (bytes.length > 0) each(bytes, { line: lines, offset, length: bytes.length });
    offset += bytes.length + 1;
  };
  for await (const chunk of createReadStream(path, { start: offset, highWaterMark: 1 << 18 })) {
    const bytes = chunk as Buffer;
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
      hand(bytes.subarray(start, end));
      start = end + 1;
    }
    if (start < bytes.length) carried.push(bytes.subarray(start));
  }
  if (half && carried.length > 0) hand(Buffer.alloc(0));
  return { lines, bytes: offset };
}

/** The JSON object on a line, or why there is none. */
export function parseLine<T extends object>(bytes: Buffer, file: string, line: number): T {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SourceError(
      { file, line },
      `expected one JSON object, found text that does not parse (${why})`,
      {
        cause,
      },
    );
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new SourceError({ file, line }, "expected one JSON object a line");
  return value as T;
}

/** A field that should be a text, of a line that may not obey its schema: lists show what there is and never fail. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Likewise a number. */
export const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);

/** Reads one line again. */
export async function readLineAt<T extends object>(path: string, place: LinePlace): Promise<T> {
  const file = await open(path, "r");
  try {
    const bytes = Buffer.alloc(place.length);
    const { bytesRead } = await file.read(bytes, 0, place.length, place.offset);
    return parseLine<T>(bytes.subarray(0, bytesRead), path, place.line);
  } finally {
    await file.close();
  }
}
