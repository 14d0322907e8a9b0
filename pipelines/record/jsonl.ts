import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { SourceError } from "../errors.js";

/** One parsed line of a JSONL file. `line` counts from 1. */
export interface JsonLine<T> {
  line: number;
  value: T;
}

/**
 * Streams a JSONL file of ours, one object a line. Empty lines are skipped. A line that is not a JSON object is a
 * `SourceError` with file and line, so that a truncated file says where it ends.
 *
 * @param options `name`: how the file is called in messages, where the path would be noise; `where`: looks at a line's
 *   text before it is parsed, so that a search over a large file parses only what may match
 */
export async function* readJsonl<T extends object>(
  path: string,
  { name = path, where }: { name?: string; where?: (text: string) => boolean } = {},
): AsyncGenerator<JsonLine<T>> {
  const stream = createReadStream(path, { encoding: "utf8", highWaterMark: 1 << 18 });
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  let line = 0;
  try {
    for await (const text of lines) {
      line += 1;
      if (text.trim() === "" || where?.(text) === false) continue;
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new SourceError(
          { file: name, line },
          `expected one JSON object, found text that does not parse (${why})`,
          {
            cause,
          },
        );
      }
      if (value === null || typeof value !== "object" || Array.isArray(value)) {
        throw new SourceError({ file: name, line }, "expected one JSON object a line");
      }
      yield { line, value: value as T };
    }
  } finally {
    lines.close();
    stream.destroy();
  }
}
