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

/**
 * The ids of finished episodes, after those that ended in `model_error` have been taken out of the file. The file is
 * replaced in whole, so a kill leaves the old one or the new one.
 */
async function withoutServerFaults(path: string): Promise<Set<string>> {
  const done = new Set<string>();
  let failed = 0;
  for await (const { episode_id, verdict } of readEpisodes(path)) {
    if (verdict === "model_error") failed += 1;
    else done.add(episode_id);
  }
  if (failed === 0) return done;
  const kept = `${path}.partial`;
  rmSync(kept, { force: true });
  const file = new AppendOnly(kept);
  for await (const episode of readEpisodes(path)) {
    if (episode.verdict !== "model_error") file.append(canonicalLine("episode", episode));
  }
  file.close();
  renameSync(kept, path);
  return done;
}

/** A run's growing files: episodes.jsonl and prompts.jsonl. */
export class RunLog {
  readonly #episodes: AppendOnly;
  readonly #prompts: AppendOnly;
  /** Episodes that were finished before. */
  readonly done: ReadonlySet<string>;
  readonly #logged: Set<string>;

  private constructor(episodes: AppendOnly, prompts: AppendOnly, done: Set<string>, logged: Set<string>) {
    this.#episodes = episodes;
    this.#prompts = prompts;
    this.done = done;
    this.#logged = logged;
  }

  /**
   * Opens a run's files, mends what a kill left half-written and learns what is done. Episodes that a model server failed
   * for good are taken out: the server may be well again, and they are run once more.
   */
  static async open(paths: { episodes: string; prompts: string }): Promise<RunLog> {
    const done = await withoutServerFaults(paths.episodes);
    const episodes = new AppendOnly(paths.episodes);
    const prompts = new AppendOnly(paths.prompts);
    const logged = new Set<string>();
    for await (const { value } of readJsonl<LoggedPrompt>(paths.prompts)) logged.add(value.sha256);
    return new RunLog(episodes, prompts, done, logged);
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

  episode(episode: EpisodeRecord): void {
    this.#episodes.append(canonicalLine("episode", episode));
  }

  close(): void {
    this.#episodes.close();
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

/** Streams a run's episodes; a run that has none yet has no file either. */
export async function* readEpisodes(path: string): AsyncGenerator<EpisodeRecord> {
  if (!existsSync(path)) return;
  for await (const { value } of readLog<EpisodeRecord>(path)) yield value;
}
