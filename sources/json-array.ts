import { createReadStream } from "node:fs";
import { SourceError } from "../pipelines/errors.js";
import { parseElement } from "./json-element.js";

/** An element of a top-level JSON array: its position (from 0), the line it starts on (from 1) and its value. */
export interface JsonElement {
  row: number;
  line: number;
  value: unknown;
}

export interface JsonArrayOptions {
  /** How errors name the file; the path that is read when left out. */
  name?: string;
  /** Bytes a single element may have, so that an unclosed quote does not gather the whole file. Default 256 MiB. */
  maxElementBytes?: number;
  /** Bytes read at a time; tests make it small. */
  chunkBytes?: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09;

type Phase = "before-array" | "before-element" | "in-element" | "after-array";

/**
 * The elements of a file that holds one JSON array, one after another, without holding the file: element boundaries are
 * found in the bytes and each element is parsed alone. UTF-8, with or without a byte order mark.
 *
 * Throws a SourceError with row, line and column (from 1, in bytes) when the file is not one array, ends
 * early, goes on after the array, or has an element that is not JSON.
 */
export async function* readJsonArray(
  path: string,
  options: JsonArrayOptions = {},
): AsyncGenerator<JsonElement, void, undefined> {
  const name = options.name ?? path;
  const cap = options.maxElementBytes ?? 256 * 1024 * 1024;
  let phase: Phase = "before-array";
  let afterComma = false;
  let row = 0;
  let line = 1;
  let lineStart = 0; // offset in the file of the current line's first byte
  let base = 0; // offset in the file of the current chunk
  let depth = 0;
  let inString = false;
  let escaped = false;
  let carried: Buffer[] = [];
  let carriedBytes = 0;
  let startLine = 1;
  let startColumn = 1;
  let first = true;

  const fail = (at: number, problem: string): SourceError =>
    new SourceError(
      phase === "before-array" || phase === "after-array"
        ? { file: name, line, column: at - lineStart + 1 }
        : { file: name, row, line, column: at - lineStart + 1 },
      problem,
    );

  for await (const piece of createReadStream(path, { highWaterMark: options.chunkBytes ?? 1 << 20 })) {
    let chunk: Buffer = piece;
    if (first) {
      // A mark cut in two by a tiny chunk would be read as garbage, so the first bytes are gathered.
      if (carriedBytes + chunk.length < 3) {
        carried.push(chunk);
        carriedBytes += chunk.length;
        continue;
      }
      if (carriedBytes > 0) chunk = Buffer.concat([...carried, chunk]);
      carried = [];
      carriedBytes = 0;
      first = false;
      if ((chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff)) {
        throw new SourceError({ file: name }, "expected UTF-8, found a UTF-16 byte order mark");
      }
      if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) {
        chunk = chunk.subarray(3);
      }
    }
    const length = chunk.length;
    let start = 0; // where the current element begins in this chunk
    let index = 0;
    while (index < length) {
      if (phase === "in-element") {
        // The hot loop: every byte of every element passes here.
        let ended = false;
        while (index < length) {
          const byte = chunk[index]!;
          if (inString) {
            if (escaped) escaped = false;
            else if (byte === QUOTE) inString = false;
            else if (byte === BACKSLASH) escaped = true;
            else if (byte === NEWLINE) {
              line += 1;
              lineStart = base + index + 1;
            }
          } else if (byte === QUOTE) inString = true;
          else if (byte === OPEN_OBJECT || byte === OPEN) depth += 1;
          else if (byte === NEWLINE) {
            line += 1;
            lineStart = base + index + 1;
          } else if (depth === 1 && (byte === COMMA || byte === CLOSE)) {
            ended = true;
            break;
          } else if (byte === CLOSE_OBJECT || byte === CLOSE) depth -= 1;
          if (depth === 0) throw fail(base + index, `expected "," or "]", found "}"`);
          index += 1;
        }
        if (carriedBytes + index - start > cap) {
          throw new SourceError(
            { file: name, row, line: startLine, column: startColumn },
            `this element has no end within ${cap} bytes: a quote or bracket is probably not closed`,
          );
        }
        if (!ended) break;
        const bytes =
          carriedBytes === 0
            ? chunk.subarray(start, index)
            : Buffer.concat([...carried, chunk.subarray(start, index)]);
        carried = [];
        carriedBytes = 0;
        const value = parseElement(bytes, { file: name, row, line: startLine, column: startColumn });
        yield { row, line: startLine, value };
        row += 1;
        afterComma = chunk[index] === COMMA;
        phase = afterComma ? "before-element" : "after-array";
        index += 1;
        continue;
      }
      const byte = chunk[index]!;
      if (byte === NEWLINE) {
        line += 1;
        lineStart = base + index + 1;
      } else if (!isSpace(byte)) {
        if (phase === "before-array") {
          if (byte !== OPEN) throw fail(base + index, `expected a JSON array ("["), found ${shown(byte)}`);
          phase = "before-element";
          depth = 1;
        } else if (phase === "after-array") {
          throw fail(base + index, `expected nothing after the array, found ${shown(byte)}`);
        } else if (byte === CLOSE && !afterComma) {
          phase = "after-array";
        } else if (byte === CLOSE || byte === COMMA) {
          throw fail(base + index, `expected an element, found ${shown(byte)}`);
        } else {
          phase = "in-element";
          start = index;
          startLine = line;
          startColumn = base + index - lineStart + 1;
          continue;
        }
      }
      index += 1;
    }
    if (phase === "in-element") {
      carried.push(chunk.subarray(start));
      carriedBytes += length - start;
    }
    base += length;
  }
  if (phase === "after-array") return;
  if (first && carriedBytes > 0) {
    // The whole file is one or two bytes: only "[]" can be right.
    const text = Buffer.concat(carried).toString("utf8");
    if (text === "[]") return;
    throw new SourceError({ file: name, line: 1, column: 1 }, `expected a JSON array, found "${text}"`);
  }
  if (phase === "before-array")
    throw new SourceError({ file: name }, "expected a JSON array, found an empty file");
  throw fail(base, "the file ends inside the array: it is cut off");
}

const shown = (byte: number): string =>
  byte > 0x20 && byte < 0x7f
    ? `"${String.fromCharCode(byte)}"`
    : `byte 0x${byte.toString(16).padStart(2, "0")}`;
