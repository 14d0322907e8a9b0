import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";

/** Bytes of the longest line that is read: the longest of ours, a record with its tests, has some hundred thousand. */
export const LONGEST_LINE = 16 * 1024 * 1024;

/** What is wrong with a text file before it is read as anything, and at which line (from 1). */
export interface TextFault {
  code: "not_utf8" | "line_too_long";
  line: number;
}

/** The lines of a piece of text that ends with a whole line. */
const linesIn = (piece: Buffer): number => {
  let lines = 0;
  for (let at = piece.indexOf(0x0a); at >= 0; at = piece.indexOf(0x0a, at + 1)) lines += 1;
  return lines;
};

/** Where the first line that is no UTF-8 stands in a piece. */
function badLine(piece: Buffer): number {
  let line = 0;
  for (let from = 0; from < piece.length; line += 1) {
    const end = piece.indexOf(0x0a, from);
    const to = end < 0 ? piece.length : end + 1;
    if (!isUtf8(piece.subarray(from, to))) return line;
    from = to;
  }
  return line;
}

/**
 * Reads a text file through: whether it is UTF-8, which a reader that is not asked mends silently, and whether a line is so
 * long that reading it would fill the memory. Holds no more than one line. Undefined: sound.
 */
export async function textFault(path: string): Promise<TextFault | undefined> {
  let held: Buffer[] = [];
  let size = 0;
  let line = 1;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    // A line feed is never part of another character, so a piece may be cut there.
    const end = chunk.lastIndexOf(0x0a) + 1;
    if (end > 0) {
      const piece = Buffer.concat([...held, chunk.subarray(0, end)]);
      if (size + chunk.indexOf(0x0a) > LONGEST_LINE) return { code: "line_too_long", line };
      if (!isUtf8(piece)) return { code: "not_utf8", line: line + badLine(piece) };
      line += linesIn(piece);
      held = [];
      size = 0;
    }
    const rest = chunk.subarray(end);
    held.push(rest);
    size += rest.length;
    if (size > LONGEST_LINE) return { code: "line_too_long", line };
  }
  return isUtf8(Buffer.concat(held)) ? undefined : { code: "not_utf8", line };
}
