import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import type { EpisodeRecord } from "../../../schemas/types/episode.js";
import type { LoggedPrompt } from "../../../schemas/types/prompt.js";
import { sha256 } from "../../record/ids.js";
import { readJsonl } from "../../record/jsonl.js";
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

  /** Opens a run's files, mends what a kill left half-written and learns what is done. */
  static async open(paths: { episodes: string; prompts: string }): Promise<RunLog> {
    const episodes = new AppendOnly(paths.episodes);
    const prompts = new AppendOnly(paths.prompts);
    const done = new Set<string>();
    for await (const { value } of readJsonl<EpisodeRecord>(paths.episodes)) done.add(value.episode_id);
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

/** Streams a finished or running log's episodes; half a line at its end, that a killed run has left, is none. */
export async function* readEpisodes(path: string): AsyncGenerator<EpisodeRecord> {
  if (!existsSync(path)) return;
  const handle = openSync(path, "r");
  let whole: number;
  try {
    whole = wholeBytes(handle);
  } finally {
    closeSync(handle);
  }
  if (whole === 0) return;
  let bytes = 0;
  const beforeHalf = (text: string): boolean => {
    bytes += Buffer.byteLength(text, "utf8") + 1;
    return bytes <= whole;
  };
  for await (const { value } of readJsonl<EpisodeRecord>(path, { where: beforeHalf })) yield value;
}
