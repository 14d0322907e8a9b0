/** Reading finished or running runs: settings, summary, and what reports need of each episode. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { EpisodeRecord } from "../../../schemas/types/episode.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import type { RunSummary } from "../../../schemas/types/summary.js";
import { UserError } from "../../errors.js";
import { schemaFaults } from "../../record/check-schema.js";
import { episodeMetrics, type Metric, type Verdict } from "../metrics/index.js";
import { readEpisodes } from "./log.js";
import { type Condition, ranConditions, summariseRun } from "./summary.js";

/** What reports and comparisons keep of an episode: numbers and names, no texts. */
export interface ScoredEpisode {
  readonly dataset: string;
  readonly record: string;
  readonly avt: string;
  readonly split: string;
  readonly condition: Condition;
  readonly seed: number;
  /** |Amb| */
  readonly ambiguities: number;
  readonly questions: number;
  readonly stop: EpisodeRecord["stop"];
  readonly verdict: Verdict;
  /** Fractions of 1, null where the metric is not defined. */
  readonly metrics: Readonly<Record<Metric, number | null>>;
  /** Recall on routing-action credit alone, which ΔRec_spec^Q counts (spec 3, "offline scorer"). */
  readonly actionRecall: number | null;
  /** Recall without what only the responses earned: a responder that volunteers something adds nothing to it. */
  readonly unvolunteeredRecall: number | null;
  /** Role → model calls and tokens; absent where no model was asked. */
  readonly usage?: EpisodeRecord["usage"];
  /** Synthetic solvers: the probability of success, known in closed form. */
  readonly expected?: number;
}

export interface ReadRun {
  readonly folder: string;
  readonly name: string;
  readonly settings: RunSettings;
  readonly summary: RunSummary;
  readonly episodes: readonly ScoredEpisode[];
}

type CreditSource = EpisodeRecord["turns"][number]["credit_source"];

/** Recall on the credits of some sources alone. */
function recallFrom(
  episode: EpisodeRecord,
  recall: number | null,
  counts: (source: CreditSource) => boolean,
): number | null {
  if (recall === null || recall === 0) return recall;
  const found = new Set(
    episode.turns.flatMap(({ credits, credit_source }) => (counts(credit_source) ? credits : [])),
  );
  return found.size / episode.ambiguities;
}

/** The metrics of an episode and the names it is grouped by. */
export function scoreEpisode(episode: EpisodeRecord): ScoredEpisode {
  const { record_id, avt_id, turns, dataset, split, condition, seed, ambiguities, stop, verdict } = episode;
  const metrics = episodeMetrics({
    ...episode,
    record: record_id,
    credits: turns.map(({ credits }) => credits),
  });
  return {
    dataset,
    record: record_id,
    avt: avt_id,
    split,
    condition,
    seed,
    ambiguities,
    questions: turns.length,
    stop,
    verdict,
    metrics,
    actionRecall: recallFrom(episode, metrics.recall, (source) => source === "label"),
    unvolunteeredRecall: recallFrom(episode, metrics.recall, (source) => source !== "response"),
    ...(episode.usage === undefined ? {} : { usage: episode.usage }),
    ...(episode.expected_success === undefined ? {} : { expected: episode.expected_success }),
  };
}

/** The settings in a run's folder. */
export function readSettings(folder: string): RunSettings {
  const path = join(folder, "run.json");
  if (!existsSync(path)) {
    throw new UserError(`${folder} is no run`, { remedy: "name a folder that ambitab eval has written" });
  }
  let settings: RunSettings;
  try {
    settings = JSON.parse(readFileSync(path, "utf8")) as RunSettings;
  } catch (cause) {
    throw new UserError(`${path} cannot be read`, { remedy: "name a run whose files are whole", cause });
  }
  const faults = schemaFaults("run", settings);
  if (faults.length > 0) throw new UserError(`${path} holds no run's settings: ${faults[0]}`);
  return settings;
}

async function* scoring(
  episodes: AsyncIterable<EpisodeRecord>,
  kept: ScoredEpisode[],
): AsyncGenerator<EpisodeRecord> {
  for await (const episode of episodes) {
    kept.push(scoreEpisode(episode));
    yield episode;
  }
}

/** A run as its episodes are now, whether or not it is finished; the log is read once and never held as a whole. */
export async function readRun(folder: string): Promise<ReadRun> {
  const settings = readSettings(folder);
  const name = basename(resolve(folder));
  const episodes: ScoredEpisode[] = [];
  const log = scoring(readEpisodes(join(folder, "episodes.jsonl")), episodes);
  const summary = await summariseRun(name, settings, log);
  return { folder, name, settings, summary, episodes };
}

/** The episodes that stand for a condition: those of an earlier one where both have the same asker. */
export function episodesOf(run: ReadRun, dataset: string, condition: Condition): ScoredEpisode[] {
  const ran = ranConditions(run.settings.conditions)[condition];
  return run.episodes.filter((one) => one.dataset === dataset && one.condition === ran);
}
