import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { createGunzip } from "node:zlib";
import { SourceError } from "../errors.js";

/** A text to look for, as it stands in the file: within JSON, quotes of a string's content are escaped. */
export interface Needle {
  readonly text: string;
  /** Looks at the bytes behind an occurrence, and may pass over it; a line counts where one is accepted. */
  accepts?(bytes: Buffer, after: number): boolean;
}

/** A line that a search found, counted from 1, and its bytes without the line's end. */
interface FoundLine {
  line: number;
  bytes: Buffer;
}

const NEWLINE = 0x0a;
/** Fits into a processor's cache, so that looking for a second text costs little. */
const CHUNK = 1 << 20;

/**
 * A file's bytes in stretches of whole lines. Each is good until the next is asked for: one buffer is used again and again,
 * and grows where a line is longer.
 */
function* linesOfFile(path: string): Generator<Buffer> {
  const file = openSync(path, "r");
  try {
    let buffer = Buffer.allocUnsafe(CHUNK);
    let held = 0;
    for (;;) {
      if (held === buffer.length) buffer = Buffer.concat([buffer], 2 * buffer.length);
      const read = readSync(file, buffer, held, buffer.length - held, null);
      if (read === 0) break;
      const end = buffer.subarray(0, held + read).lastIndexOf(NEWLINE) + 1;
      held += read;
      if (end === 0) continue;
      yield buffer.subarray(0, end);
      buffer.copyWithin(0, end, held);
      held -= end;
    }
    if (held > 0) yield buffer.subarray(0, held);
  } finally {
    closeSync(file);
  }
}

/** The same of a file that is packed. */
async function* linesOfPacked(path: string): AsyncGenerator<Buffer> {
  const stream = createReadStream(path, { highWaterMark: CHUNK });
  const unpacked = createGunzip({ chunkSize: CHUNK });
  // Not pipe() alone: a file that cannot be read must end the unpacking, too.
  stream.on("error", (error) => unpacked.destroy(error));
  let parts: Buffer[] = [];
  try {
    for await (const chunk of stream.pipe(unpacked) as AsyncIterable<Buffer>) {
      const end = chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0) yield Buffer.concat([...parts, chunk.subarray(0, end)]);
      parts = end > 0 ? [chunk.subarray(end)] : [...parts, chunk];
    }
  } catch (cause) {
    if (!String((cause as { code?: unknown }).code).startsWith("Z_")) throw cause;
    throw new SourceError({ file: path }, `is no whole gzip file (${(cause as Error).message})`, { cause });
  } finally {
    stream.destroy();
  }
  const last = Buffer.concat(parts);
  if (last.length > 0) yield last;
}

/** Counts line ends without looking at what stands between them. */
function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** Where the lines begin that hold the needle, and where they end; each once. */
function* linesWith(bytes: Buffer, { text, accepts }: Needle): Generator<readonly [number, number]> {
  const needle = Buffer.from(text);
  let at = bytes.indexOf(needle);
  while (at >= 0) {
    const after = at + needle.length;
    if (accepts !== undefined && !accepts(bytes, after)) {
      at = bytes.indexOf(needle, after);
      continue;
    }
    const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
    const next = bytes.indexOf(NEWLINE, after);
    const end = next < 0 ? bytes.length : next;
    yield [start, end];
    at = bytes.indexOf(needle, end);
  }
}

async function* foundLines(path: string, needles: readonly Needle[]): AsyncGenerator<FoundLine> {
  let before = 0;
  for await (const bytes of path.endsWith(".gz") ? linesOfPacked(path) : linesOfFile(path)) {
    const found = new Map(needles.flatMap((needle) => [...linesWith(bytes, needle)]));
    let counted = 0;
    for (const [start, end] of [...found].sort(([a], [b]) => a - b)) {
      before += linesIn(bytes.subarray(counted, start));
      counted = start;
      yield { line: before + 1, bytes: bytes.subarray(start, end) };
    }
    before += linesIn(bytes.subarray(counted));
  }
}

/**
 * Looks for texts in a JSONL file of ours by its bytes, and decodes and parses only the lines that hold one of them: a
 * search over files of a hundred megabytes takes about as long as reading them. Files whose name ends in `.gz` are
 * unpacked on the way.
 *
 * @throws SourceError naming file and line where such a line is no JSON object, or the file is no gzip file
 */
export async function* searchJsonl<T extends object>(
  path: string,
  ...needles: readonly Needle[]
): AsyncGenerator<T> {
  for await (const { line, bytes } of foundLines(path, needles)) {
    let value: unknown;
    try {
      value = JSON.parse(bytes.toString("utf8"));
    } catch (cause) {
      const why = (cause as Error).message;
      throw new SourceError(
        { file: path, line },
        `expected one JSON object, found text that does not parse (${why})`,
        { cause },
      );
    }
    if (value === null || typeof value !== "object" || Array.isArray(value))
      throw new SourceError({ file: path, line }, "expected one JSON object a line");
    yield value as T;
  }
}

/** A JSON string's content from behind its opening quote, decoded; undefined where it does not end here. */
export function stringFrom(bytes: Buffer, start: number): string | undefined {
  for (let end = bytes.indexOf(0x22, start); end >= 0; end = bytes.indexOf(0x22, end + 1)) {
    // A quote that an odd number of backslashes stands before is part of the text.
    let slashes = 0;
    while (end - slashes > start && bytes[end - slashes - 1] === 0x5c) slashes += 1;
    if (slashes % 2 === 1) continue;
    const text = bytes.toString("utf8", start, end);
    if (!text.includes("\\")) return text;
    try {
      return JSON.parse(`"${text}"`) as string;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** How a text's content stands within a JSON string. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
