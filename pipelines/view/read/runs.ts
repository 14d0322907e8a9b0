/** Runs to look into: their episodes and prompts by place, so that a log of many thousand stays on disk. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { EpisodeRecord } from "../../../schemas/types/episode.js";
import type { LoggedPrompt } from "../../../schemas/types/prompt.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import type { RunSummary } from "../../../schemas/types/summary.js";
import { SourceError, UserError } from "../../errors.js";
import { EPISODES_FILE } from "../../evaluation/run/log.js";
import { readSettings } from "../../evaluation/run/read.js";
import { type LinePlace, numberOf, parseLine, readLineAt, type ScanEnd, scanLines, textOf } from "./lines.js";

/** An episode as lists show it. */
export interface EpisodeEntry {
  readonly episode_id: string;
  readonly record_id: string;
  readonly dataset: string;
  readonly condition: string;
  readonly seed: number;
  readonly verdict: string;
  readonly questions: number;
  /** Different ambiguities that got credit, of `ambiguities`. */
  readonly credited: number;
  readonly ambiguities: number;
  readonly place: LinePlace;
}

export interface OpenRun {
  /** Its folder's name, with a number where two are called the same. */
  readonly name: string;
  readonly folder: string;
  readonly settings: RunSettings;
  /** Undefined until the run is finished. */
  summary(): RunSummary | undefined;
  /** The episodes that are there now; a run that goes on may have more than before. */
  episodes(): Promise<RunIndex>;
  episode(entry: EpisodeEntry): Promise<EpisodeRecord>;
  prompt(sha256: string): Promise<LoggedPrompt | undefined>;
}

export interface RunIndex {
  readonly entries: readonly EpisodeEntry[];
  readonly byId: ReadonlyMap<string, EpisodeEntry>;
  readonly byRecord: ReadonlyMap<string, readonly EpisodeEntry[]>;
  /** Lines that could not be read. */
  readonly broken: readonly string[];
}

/** An index of an append-only file that is brought up to date when the file has grown, and made anew when it was replaced. */
class Growing<Index> {
  readonly #path: string;
  readonly #empty: () => Index;
  readonly #take: (index: Index, bytes: Buffer, place: LinePlace) => void;
  #index: Index;
  #end: ScanEnd = { lines: 0, bytes: 0 };
  #inode = -1;
  #underway: Promise<void> = Promise.resolve();

  constructor(
    path: string,
    empty: () => Index,
    take: (index: Index, bytes: Buffer, place: LinePlace) => void,
  ) {
    this.#path = path;
    this.#empty = empty;
    this.#take = take;
    this.#index = empty();
  }

  async now(): Promise<Index> {
    // One after the other: two scans at once would take a line twice.
    this.#underway = this.#underway.catch(() => undefined).then(() => this.#catchUp());
    await this.#underway;
    return this.#index;
  }

  async #catchUp(): Promise<void> {
    const there = existsSync(this.#path) ? statSync(this.#path) : undefined;
    if (there === undefined || there.ino !== this.#inode || there.size < this.#end.bytes) {
      this.#index = this.#empty();
      this.#end = { lines: 0, bytes: 0 };
      this.#inode = there?.ino ?? -1;
    }
    if (there === undefined || there.size <= this.#end.bytes) return;
    const index = this.#index;
    this.#end = await scanLines(this.#path, (bytes, place) => this.#take(index, bytes, place), {
      from: this.#end,
      half: false,
    });
  }
}

interface Filling extends RunIndex {
  readonly entries: EpisodeEntry[];
  readonly byId: Map<string, EpisodeEntry>;
  readonly byRecord: Map<string, EpisodeEntry[]>;
  readonly broken: string[];
}

function takeEpisode(index: Filling, bytes: Buffer, place: LinePlace): void {
  let line: EpisodeRecord;
  try {
    line = parseLine<EpisodeRecord>(bytes, EPISODES_FILE, place.line);
    if (typeof line.episode_id !== "string" || !Array.isArray(line.turns))
      throw new SourceError(
        { file: EPISODES_FILE, line: place.line },
        "expected an episode, found something else",
      );
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    index.broken.push(error.message);
    return;
  }
  const { episode_id, record_id, dataset, condition, seed, verdict, ambiguities, turns } = line;
  const entry: EpisodeEntry = {
    episode_id,
    record_id: textOf(record_id),
    dataset: textOf(dataset),
    condition: textOf(condition),
    seed: numberOf(seed),
    verdict: textOf(verdict),
    questions: turns.length,
    credited: new Set(turns.flatMap((turn) => turn?.credits ?? [])).size,
    ambiguities: numberOf(ambiguities),
    place,
  };
  index.entries.push(entry);
  index.byId.set(episode_id, entry);
  const others = index.byRecord.get(entry.record_id);
  if (others === undefined) index.byRecord.set(entry.record_id, [entry]);
  else others.push(entry);
}

/** A run's hash of a prompt stands first in its line. */
const PROMPT = /^\{"sha256":"([0-9a-f]{64})"/;

function readSummary(folder: string): RunSummary | undefined {
  const path = join(folder, "summary.json");
  if (!existsSync(path)) return undefined;
  try {
    const summary = JSON.parse(readFileSync(path, "utf8")) as RunSummary;
    return typeof summary.datasets === "object" ? summary : undefined;
  } catch {
    // A summary that cannot be read is none; the episodes are there all the same.
    return undefined;
  }
}

/**
 * Opens a run's folder.
 *
 * @throws UserError where it holds no run, or predictions that nobody has scored
 */
export function openRun(folder: string, taken: ReadonlySet<string> = new Set()): OpenRun {
  const settings = readSettings(folder);
  const log = join(folder, EPISODES_FILE);
  if (!existsSync(log) && existsSync(join(folder, "predictions.jsonl"))) {
    throw new UserError(`${folder} holds predictions that have no verdicts yet`, {
      remedy: "score them with ambitab score, and name the folder that it writes",
    });
  }
  const base = basename(resolve(folder));
  let name = base;
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`;
  const episodes = new Growing<Filling>(
    log,
    () => ({ entries: [], byId: new Map(), byRecord: new Map(), broken: [] }),
    takeEpisode,
  );
  const promptFile = join(folder, "prompts.jsonl");
  const prompts = new Growing<Map<string, LinePlace>>(
    promptFile,
    () => new Map(),
    (index, bytes, place) => {
      const [, hash] = PROMPT.exec(bytes.toString("utf8", 0, 100)) ?? [];
      if (hash !== undefined) index.set(hash, place);
    },
  );
  return {
    name,
    folder,
    settings,
    summary: () => readSummary(folder),
    episodes: () => episodes.now(),
    episode: ({ place }) => readLineAt<EpisodeRecord>(log, place),
    async prompt(sha256) {
      const place = (await prompts.now()).get(sha256);
      return place === undefined ? undefined : readLineAt<LoggedPrompt>(promptFile, place);
    },
  };
}
