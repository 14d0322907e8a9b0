import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import type { EpisodeRecord } from "../../../schemas/types/episode.js";
import type { Prediction } from "../../../schemas/types/prediction.js";
import type { LoggedPrompt } from "../../../schemas/types/prompt.js";
import { sha256 } from "../../record/ids.js";
import { type JsonLine, readJsonl } from "../../record/jsonl.js";
import { canonicalLine } from "../../record/schema-order.js";

/** How many bytes of a file of lines are whole lines: what follows the last line feed was never finished. */
function wholeBytes(handle: number): number {
  const chunk = Buffer.alloc(1 << 16);
  for (let end = fstatSync(handle).size; end > 0; ) {
    const from = Math.max(0, end - chunk.length);
    const read = readSync(handle, chunk, 0, end - from, from);
    const at = chunk.subarray(0, read).lastIndexOf(0x0a);
    if (at >= 0) return from + at + 1;
    end = from;
  }
  return 0;
}

/** An append-only JSONL file that a killed writer may have left with half a line at its end. */
class AppendOnly {
  readonly #handle: number;

  constructor(path: string) {
    this.#handle = openSync(path, "a+");
    // The episode of half a line is run again.
    ftruncateSync(this.#handle, wholeBytes(this.#handle));
  }

  /** Appends one whole line with one write, so that a reader never sees half of it while the writer lives. */
  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`, "utf8");
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#handle, bytes, done);
  }

  close(): void {
    closeSync(this.#handle);
  }
}

export const EPISODES_FILE = "episodes.jsonl";
export const PREDICTIONS_FILE = "predictions.jsonl";

/** What a run writes a line of for every episode. */
export interface LineKind<Line extends { readonly episode_id: string }> {
  /** The schema that a line obeys. */
  readonly schema: "episode" | "prediction";
  /** Whether a model server failed the episode for good. */
  failed(line: Line): boolean;
}

/** Whole episodes, with their verdicts. */
export const EPISODE_LINES: LineKind<EpisodeRecord> = {
  schema: "episode",
  failed: ({ verdict }) => verdict === "model_error",
};

/** Episodes that others will verify. */
export const PREDICTION_LINES: LineKind<Prediction> = {
  schema: "prediction",
  failed: ({ outcome }) => outcome === "model_error",
};

/**
 * The ids of finished episodes, after those that a model server failed have been taken out of the file. The file is
 * replaced in whole, so a kill leaves the old one or the new one.
 */
async function withoutServerFaults<Line extends { readonly episode_id: string }>(
  path: string,
  kind: LineKind<Line>,
): Promise<Set<string>> {
  const done = new Set<string>();
  let failed = 0;
  for await (const line of readLines<Line>(path)) {
    if (kind.failed(line)) failed += 1;
    else done.add(line.episode_id);
  }
  if (failed === 0) return done;
  const kept = `${path}.partial`;
  rmSync(kept, { force: true });
  const file = new AppendOnly(kept);
  for await (const line of readLines<Line>(path)) {
    if (!kind.failed(line)) file.append(canonicalLine(kind.schema, line));
  }
  file.close();
  renameSync(kept, path);
  return done;
}

/** A run's growing files: a line for every episode, and prompts.jsonl. */
export class RunLog<Line extends { readonly episode_id: string }> {
  readonly #kind: LineKind<Line>;
  readonly #lines: AppendOnly;
  readonly #prompts: AppendOnly;
  /** Episodes that were finished before. */
  readonly done: ReadonlySet<string>;
  readonly #logged: Set<string>;

  private constructor(
    kind: LineKind<Line>,
    lines: AppendOnly,
    prompts: AppendOnly,
    done: Set<string>,
    logged: Set<string>,
  ) {
    this.#kind = kind;
    this.#lines = lines;
    this.#prompts = prompts;
    this.done = done;
    this.#logged = logged;
  }

  /**
   * Opens a run's files, mends what a kill left half-written and learns what is done. Episodes that a model server failed
   * for good are taken out: the server may be well again, and they are run once more.
   */
  static async open<Line extends { readonly episode_id: string }>(
    paths: { lines: string; prompts: string },
    kind: LineKind<Line>,
  ): Promise<RunLog<Line>> {
    const done = await withoutServerFaults(paths.lines, kind);
    const lines = new AppendOnly(paths.lines);
    const prompts = new AppendOnly(paths.prompts);
    const logged = new Set<string>();
    for await (const { value } of readJsonl<LoggedPrompt>(paths.prompts)) logged.add(value.sha256);
    return new RunLog(kind, lines, prompts, done, logged);
  }

  /** Logs a text once and gives its hash. It is on disk before the episode that names it. */
  readonly prompt = (role: LoggedPrompt["role"], text: string): string => {
    const hash = sha256(text);
    if (!this.#logged.has(hash)) {
      this.#logged.add(hash);
      this.#prompts.append(canonicalLine("prompt", { sha256: hash, role, text }));
    }
    return hash;
  };

  line(line: Line): void {
    this.#lines.append(canonicalLine(this.#kind.schema, line));
  }

  close(): void {
    this.#lines.close();
    this.#prompts.close();
  }
}

/**
 * Streams the lines of a finished or running run's log; half a line at its end, that a killed run has left, is none.
 * Other lines that do not parse are a SourceError.
 */
export async function* readLog<T extends object>(path: string): AsyncGenerator<JsonLine<T>> {
  const handle = openSync(path, "r");
  let whole: number;
  try {
    whole = wholeBytes(handle);
  } finally {
    closeSync(handle);
  }
  let bytes = 0;
  const beforeHalf = (text: string): boolean => {
    bytes += Buffer.byteLength(text, "utf8") + 1;
    return bytes <= whole;
  };
  if (whole > 0) yield* readJsonl<T>(path, { where: beforeHalf });
}

/** Streams a log's lines; a run that has none yet has no file either. */
export async function* readLines<Line extends object>(path: string): AsyncGenerator<Line> {
  if (!existsSync(path)) return;
  for await (const { value } of readLog<Line>(path)) yield value;
}

/** Streams a run's episodes. */
export const readEpisodes = (path: string): AsyncGenerator<EpisodeRecord> => readLines<EpisodeRecord>(path);
