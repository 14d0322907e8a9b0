/** The records that an asker fails at most, with their dialogues. */
import { join } from "node:path";
import type { EpisodeRecord } from "../../../schemas/types/episode.js";
import { readJsonl } from "../../record/jsonl.js";
import { mean } from "../metrics/aggregate.js";
import { episodesOf, type ReadRun, type ScoredEpisode } from "../run/read.js";
import { ranConditions } from "../run/summary.js";
import { formatNumber } from "./document/format.js";
import type { Transcript } from "./document/types.js";
import { datasetName } from "./labels.js";
import type { Traits } from "./slices/traits.js";

interface Failing {
  readonly record: string;
  readonly dataset: string;
  readonly sr: number;
  readonly full: number | null;
  readonly recall: number | null;
  /** A seed under which it failed. */
  readonly seed: number;
}

const byRecord = (episodes: readonly ScoredEpisode[]): Map<string, ScoredEpisode[]> => {
  const found = new Map<string, ScoredEpisode[]>();
  for (const one of episodes) found.set(one.record, [...(found.get(one.record) ?? []), one]);
  return found;
};

/** Lowest SR first; among equals those that all answers would have solved, then those of which least was found out. */
function failing(run: ReadRun, dataset: string): Failing[] {
  const full = byRecord(episodesOf(run, dataset, "full"));
  return [...byRecord(episodesOf(run, dataset, "asker"))]
    .flatMap(([record, episodes]): Failing[] => {
      const lost = episodes.filter(({ metrics }) => metrics.sr === 0);
      const seeds = lost.map(({ seed }) => seed).sort((a, b) => a - b);
      const sr = mean(episodes.flatMap(({ metrics }) => metrics.sr ?? []));
      if (sr === null || seeds[0] === undefined) return [];
      return [
        {
          record,
          dataset,
          sr,
          full: mean((full.get(record) ?? []).flatMap(({ metrics }) => metrics.sr ?? [])),
          recall: mean(episodes.flatMap(({ metrics }) => metrics.recall ?? [])),
          seed: seeds[0],
        },
      ];
    })
    .sort(
      (a, b) =>
        a.sr - b.sr ||
        (b.full ?? -1) - (a.full ?? -1) ||
        (a.recall ?? 2) - (b.recall ?? 2) ||
        (a.record < b.record ? -1 : 1),
    );
}

function transcript(one: Failing, episode: EpisodeRecord, traits: Traits | undefined): Transcript {
  const share = (value: number | null): string => formatNumber(value, "percent", 0);
  return {
    title: one.record,
    facts: [
      datasetName(one.dataset),
      `SR ${share(one.sr)} % over seeds, ${share(one.full)} % when all is asked`,
      `recall ${share(one.recall)} %`,
      `seed ${one.seed} shown`,
    ],
    ...(traits === undefined ? {} : { request: traits.request }),
    turns: episode.turns.map(({ question, response, credits }) => ({
      question,
      response,
      credit: credits.join(", "),
    })),
    sql: episode.sql,
    verdict: episode.detail === undefined ? episode.verdict : `${episode.verdict}: ${episode.detail}`,
  };
}

/**
 * The worst records of each dataset of a run. The log is read once more, and only the lines that are shown are parsed.
 *
 * @param most records per dataset
 */
export async function worstRecords(
  run: ReadRun,
  traits: ReadonlyMap<string, Traits>,
  most: number,
): Promise<Transcript[]> {
  const worst = run.settings.datasets.flatMap((dataset) => failing(run, dataset).slice(0, most));
  const condition = ranConditions(run.settings.conditions).asker;
  const wanted = new Map(worst.map((one) => [`${condition}/${one.seed}/${one.record}`, one]));
  if (wanted.size === 0) return [];
  const starts = [...wanted.keys()].map((id) => JSON.stringify(id));
  const found = new Map<string, EpisodeRecord>();
  const lines = readJsonl<EpisodeRecord>(join(run.folder, "episodes.jsonl"), {
    where: (text) => text.endsWith("}") && starts.some((start) => text.includes(start)),
  });
  for await (const { value } of lines) if (wanted.has(value.episode_id)) found.set(value.episode_id, value);
  return [...wanted].flatMap(([id, one]) => {
    const episode = found.get(id);
    return episode === undefined ? [] : [transcript(one, episode, traits.get(one.record))];
  });
}
