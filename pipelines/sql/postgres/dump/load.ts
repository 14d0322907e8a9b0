import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import copyStreams from "pg-copy-streams";
import { SourceError } from "../../../errors.js";
import { filledTable, isHarmlessMeta, isSetting, leftOut, takesRowsAway } from "./classify.js";
import type { DumpScript } from "./read.js";
import { lineOf, type ScriptPart, splitScript } from "./split.js";

/** A statement of a dump that was not run, and why (classify.ts). */
export interface LeftOut {
  file: string;
  line: number;
  what: string;
}

/** What a load did. `filled` maps each table as written to the rows the server said it took. */
export interface Loaded {
  filled: Map<string, number>;
  /** Whether some statement takes rows away, so that counts cannot be checked against `filled`. */
  unaccountable: boolean;
  left_out: LeftOut[];
}

type Runnable = Extract<ScriptPart, { kind: "statement" | "copy" }>;
interface Placed {
  script: DumpScript;
  part: Runnable;
}
interface Failed extends Placed {
  error: ServerError;
}
interface ServerError extends Error {
  code?: string;
  position?: string;
  where?: string;
}

/**
 * Errors that may only mean that another file has not been loaded yet: something undefined, a key that refers to what is
 * not there. Such a statement is put off until the others have run, and tried again as long as that helps.
 */
const MAY_COME_LATER = new Set(["42P01", "42883", "42704", "42703", "3F000", "42830", "23503"]);

/** The place of a server's error in the file. */
function placeOf({ script, part, error }: Failed): SourceError {
  const copyLine = part.kind === "copy" ? /, line (\d+)/.exec(error.where ?? "")?.[1] : undefined;
  const first = copyLine !== undefined && part.kind === "copy" ? part.dataOffset : part.offset;
  let line = lineOf(script.text, first);
  if (copyLine !== undefined) line += Number(copyLine) - 1;
  else if (error.position !== undefined) {
    // The server counts characters, not UTF-16 units.
    const before = [...part.text].slice(0, Number(error.position) - 1);
    line += before.filter((character) => character === "\n").length;
  }
  const code = error.code === undefined ? "" : ` (${error.code})`;
  return new SourceError({ file: script.file, line }, `${error.message}${code}`, { cause: error });
}

function partsOf(script: DumpScript, leave: (left: LeftOut) => void): Runnable[] {
  const parts: Runnable[] = [];
  const at = (offset: number) => ({ file: script.file, line: lineOf(script.text, offset) });
  for (const part of splitScript(script.text)) {
    if (part.kind === "unterminated") {
      throw new SourceError(
        at(part.offset),
        "a string, name or comment that begins here or later never ends",
      );
    }
    if (part.kind === "meta") {
      if (isHarmlessMeta(part.text)) continue;
      throw new SourceError(
        at(part.offset),
        `a psql command that is not understood: ${part.text.slice(0, 60)}`,
      );
    }
    if (part.kind === "copy" && !part.ended) {
      throw new SourceError(
        at(part.offset),
        "the rows of this COPY do not end with \\. (is the file cut off?)",
      );
    }
    const what = leftOut(part.text);
    if (what === undefined) parts.push(part);
    else leave({ ...at(part.offset), what });
  }
  if (parts.length === 0)
    throw new SourceError({ file: script.file, line: 1 }, "the file holds no SQL statement");
  return parts;
}

/** Runs one part; resolves to the number of rows the server took. */
async function run(client: pg.Client, part: Runnable): Promise<number> {
  if (part.kind === "statement") return (await client.query(part.text)).rowCount ?? 0;
  const stream = client.query(copyStreams.from(part.text));
  await pipeline(Readable.from([Buffer.from(part.data)]), stream);
  return stream.rowCount;
}

class Load {
  readonly #client: pg.Client;
  readonly result: Loaded = { filled: new Map(), unaccountable: false, left_out: [] };
  /** Settings that each script has made so far, to be made again before one of its statements is tried again. */
  readonly #settings = new Map<DumpScript, Runnable[]>();
  #current: DumpScript | undefined;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Runs all statements in order; returns those that may work later. */
  async pass(placed: readonly Placed[], again: boolean): Promise<Failed[]> {
    const failed: Failed[] = [];
    for (const { script, part } of placed) {
      if (script !== this.#current) await this.#enter(script, again);
      if (isSetting(part.text)) this.#settings.get(script)?.push(part);
      try {
        this.#count(part, await run(this.#client, part));
      } catch (thrown) {
        const failure = { script, part, error: thrown as ServerError };
        if (!MAY_COME_LATER.has(failure.error.code ?? "")) throw placeOf(failure);
        failed.push(failure);
      }
    }
    return failed;
  }

  /** A script's session begins as it would in a psql of its own. */
  async #enter(script: DumpScript, again: boolean): Promise<void> {
    this.#current = script;
    await this.#client.query("RESET ALL");
    if (!again) this.#settings.set(script, []);
    else for (const { text } of this.#settings.get(script) ?? []) await this.#client.query(text);
  }

  #count(part: Runnable, rows: number): void {
    const table = filledTable(part.text);
    if (table !== undefined) this.result.filled.set(table, (this.result.filled.get(table) ?? 0) + rows);
    if (takesRowsAway(part.text)) this.result.unaccountable = true;
  }
}

/**
 * Loads the scripts of a dump, in any order of files, as the client's role. Each statement is a transaction of its own, as
 * in psql.
 *
 * @throws SourceError with file, line and the server's message at the first statement that cannot be run
 */
export async function loadDump(client: pg.Client, scripts: readonly DumpScript[]): Promise<Loaded> {
  const load = new Load(client);
  let open: Placed[] = scripts.flatMap((script) =>
    partsOf(script, (left) => load.result.left_out.push(left)).map((part) => ({ script, part })),
  );
  for (let again = false; open.length > 0; again = true) {
    const failed = await load.pass(open, again);
    const [first] = failed;
    if (first !== undefined && failed.length === open.length) throw placeOf(first);
    open = failed;
  }
  return load.result;
}
