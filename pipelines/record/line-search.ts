import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { SourceError } from "../errors.js";

/** A line that a search found, counted from 1, and its bytes without the line's end. */
interface FoundLine {
  line: number;
  bytes: Buffer;
}

const NEWLINE = 0x0a;
const CHUNK = 1 << 20;

/** The file's bytes; unpacked, where its name ends in `.gz`. */
function bytesOf(path: string): AsyncIterable<Buffer> {
  const stream = createReadStream(path, { highWaterMark: CHUNK });
  if (!path.endsWith(".gz")) return stream as AsyncIterable<Buffer>;
  const unpacked = createGunzip({ chunkSize: CHUNK });
  // Not pipe(): a file that cannot be read must end the unpacking, too.
  stream.on("error", (error) => unpacked.destroy(error));
  return stream.pipe(unpacked) as AsyncIterable<Buffer>;
}

/** Counts line ends without looking at what stands between them. */
function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** The whole lines of `bytes` that hold the needle where `accepts` agrees, each once. */
function* within(
  bytes: Buffer,
  needle: Buffer,
  accepts: (bytes: Buffer, after: number) => boolean,
): Generator<{ start: number; end: number }> {
  let at = bytes.indexOf(needle);
  while (at >= 0) {
    const after = at + needle.length;
    if (!accepts(bytes, after)) {
      at = bytes.indexOf(needle, after);
      continue;
    }
    const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
    const next = bytes.indexOf(NEWLINE, after);
    const end = next < 0 ? bytes.length : next;
    yield { start, end };
    at = bytes.indexOf(needle, end);
  }
}

async function* foundLines(
  path: string,
  needle: Buffer,
  accepts: (bytes: Buffer, after: number) => boolean,
): AsyncGenerator<FoundLine> {
  let before = 0;
  let parts: Buffer[] = [];
  const search = function* (bytes: Buffer): Generator<FoundLine> {
    let counted = 0;
    for (const { start, end } of within(bytes, needle, accepts)) {
      before += linesIn(bytes.subarray(counted, start));
      counted = start;
      yield { line: before + 1, bytes: bytes.subarray(start, end) };
    }
    before += linesIn(bytes.subarray(counted));
  };
  for await (const chunk of bytesOf(path)) {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last < 0) {
      parts.push(chunk);
      continue;
    }
    const whole = Buffer.concat([...parts, chunk.subarray(0, last + 1)]);
    yield* search(whole);
    parts = [chunk.subarray(last + 1)];
  }
  yield* search(Buffer.concat(parts));
}

/**
 * Looks for text in a JSONL file of ours by its bytes, and decodes and parses only the lines that hold it: a search over
 * files of a hundred megabytes takes about as long as reading them. Files whose name ends in `.gz` are unpacked on the way.
 *
 * @param needle as it stands in the file, so within JSON: quotes of a string's content are escaped
 * @param accepts looks at the bytes behind an occurrence, and may pass over it; a line is parsed where one is accepted
 * @throws SourceError naming file and line where such a line is no JSON object, or the file is no gzip file
 */
export async function* searchJsonl<T extends object>(
  path: string,
  needle: string,
  accepts: (bytes: Buffer, after: number) => boolean = () => true,
): AsyncGenerator<T> {
  try {
    for await (const { line, bytes } of foundLines(path, Buffer.from(needle), accepts)) {
      let value: unknown;
      try {
        value = JSON.parse(bytes.toString("utf8"));
      } catch (cause) {
        const why = (cause as Error).message;
        throw new SourceError(
          { file: path, line },
          `expected one JSON object, found text that does not parse (${why})`,
          {
            cause,
          },
        );
      }
      if (value === null || typeof value !== "object" || Array.isArray(value))
        throw new SourceError({ file: path, line }, "expected one JSON object a line");
      yield value as T;
    }
  } catch (cause) {
    if (!String((cause as { code?: unknown }).code).startsWith("Z_")) throw cause;
    throw new SourceError({ file: path }, `is no whole gzip file (${(cause as Error).message})`, { cause });
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
