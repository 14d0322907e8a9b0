import type { EpisodeRecord } from "../../../schemas/types/episode.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import type { DatasetSummary, RunSummary } from "../../../schemas/types/summary.js";
import { askingGain, type Episode, gapToFull, leftOut, summarise } from "../metrics/index.js";
import { tokenCost } from "../token-cost.js";

export const CONDITIONS = ["none", "asker", "full"] as const;
export type Condition = (typeof CONDITIONS)[number];

/** What the summary keeps of an episode: a hundredth of the line. */
interface Kept extends Episode {
  readonly condition: Condition;
  readonly expected: number | undefined;
  readonly flags: readonly string[];
  /** Turns of which the oracle's reply could not be read. */
  readonly unread: number;
}

/** Expected SR and the SD of its sampling error: each episode is a coin of known bias, and a seed's draws are one set. */
function expectation(episodes: readonly Kept[]): { mean: number; sd: number } | undefined {
  const expected = episodes.flatMap(({ expected: one }) => one ?? []);
  if (expected.length === 0) return undefined;
  const sorted = expected.toSorted((a, b) => a - b);
  const mean = sorted.reduce((sum, one) => sum + one, 0) / expected.length;
  const variance = sorted.reduce((sum, one) => sum + one * (1 - one), 0) / expected.length ** 2;
  return { mean, sd: Math.sqrt(variance) };
}

function countEach(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function summariseDataset(all: readonly Kept[], ran: Record<Condition, Condition>): DatasetSummary {
  const of = (condition: Condition): Kept[] => all.filter((one) => one.condition === ran[condition]);
  const none = summarise(of("none"));
  const asker = summarise(of("asker"));
  const full = summarise(of("full"));
  const expected = CONDITIONS.flatMap((condition) => {
    const value = expectation(of(condition));
    return value === undefined ? [] : [[condition, value] as const];
  });
  return {
    none,
    asker,
    full,
    asking_gain: askingGain({ none, asker, full }),
    gap_to_full: gapToFull({ none, asker, full }),
    episodes: all.length,
    verdicts: Object.fromEntries(
      CONDITIONS.map((condition) => [condition, countEach(of(condition).map(({ verdict }) => verdict))]),
    ),
    left_out: [...new Set(CONDITIONS.map((condition) => ran[condition]))].flatMap((condition) =>
      leftOut(all.filter((one) => one.condition === condition)).map((one) => ({ ...one, condition })),
    ),
    ...(all.some(({ flags }) => flags.length > 0)
      ? { flags: countEach(all.flatMap(({ flags }) => flags)) }
      : {}),
    fallback_stops: all.filter(({ fallback_stop }) => fallback_stop).length,
    oracle_fallbacks: all.reduce((sum, { unread }) => sum + unread, 0),
    ...(expected.length > 0 ? { expected_sr: Object.fromEntries(expected) } : {}),
  };
}

/**
 * Which condition was really run for each: one whose asker an earlier one has is that one. A condition that the run does
 * not have stands for itself and has no episodes.
 */
export function ranConditions(conditions: RunSettings["conditions"]): Record<Condition, Condition> {
  const first = (condition: Condition): Condition =>
    conditions[condition] === undefined
      ? condition
      : (CONDITIONS.find((earlier) => conditions[earlier] === conditions[condition]) ?? condition);
  return { none: first("none"), asker: first("asker"), full: first("full") };
}

/** The conditions that a run really runs. */
export function conditionsToRun(conditions: RunSettings["conditions"]): Condition[] {
  const ran = ranConditions(conditions);
  return CONDITIONS.filter(
    (condition) => conditions[condition] !== undefined && ran[condition] === condition,
  );
}

/** Adds up what the episodes' model calls came to, role by role, and what they cost where the run knows a price. */
class UsageSum {
  readonly #roles = new Map<string, { calls: number; prompt_tokens: number; completion_tokens: number }>();

  add(usage: EpisodeRecord["usage"]): void {
    for (const [role, { calls, prompt_tokens, completion_tokens }] of Object.entries(usage ?? {})) {
      const sum = this.#roles.get(role) ?? { calls: 0, prompt_tokens: 0, completion_tokens: 0 };
      sum.calls += calls;
      sum.prompt_tokens += prompt_tokens;
      sum.completion_tokens += completion_tokens;
      this.#roles.set(role, sum);
    }
  }

  /** Undefined where no model was asked. */
  total(settings: RunSettings): RunSummary["usage"] {
    if (this.#roles.size === 0) return undefined;
    const priced = [...this.#roles].map(([role, sum]) => {
      const price = settings.models?.[role]?.price;
      return [role, { ...sum, cost: price === undefined ? null : tokenCost(sum, price) }] as const;
    });
    return Object.fromEntries(priced.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Summarises a run from its episodes. The order in which they were logged changes nothing. */
export async function summariseRun(
  run: string,
  settings: RunSettings,
  episodes: AsyncIterable<EpisodeRecord>,
): Promise<RunSummary> {
  const byDataset = new Map<string, Kept[]>(settings.datasets.map((dataset) => [dataset, []]));
  const usage = new UsageSum();
  for await (const one of episodes) {
    usage.add(one.usage);
    byDataset.get(one.dataset)?.push({
      record: one.record_id,
      seed: one.seed,
      credits: one.turns.map(({ credits }) => credits),
      ambiguities: one.ambiguities,
      fallback_stop: one.fallback_stop,
      verdict: one.verdict,
      condition: one.condition,
      expected: one.expected_success,
      flags: one.flags,
      unread: one.turns.filter(({ fallback }) => fallback !== undefined).length,
    });
  }
  const ran = ranConditions(settings.conditions);
  const datasets = [...byDataset].map(([dataset, kept]) => [dataset, summariseDataset(kept, ran)] as const);
  const total = usage.total(settings);
  return {
    run,
    synthetic: settings.synthetic,
    suite_hash: settings.suite.hash,
    datasets: Object.fromEntries(datasets),
    ...(total === undefined ? {} : { usage: total }),
  };
}
