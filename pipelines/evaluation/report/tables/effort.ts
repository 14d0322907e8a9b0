/** Questions, stops, tokens and verdicts: what the results cost and how episodes ended. */
import { bySeed, mean, sampleDeviation } from "../../metrics/aggregate.js";
import { episodesOf, type ScoredEpisode } from "../../run/read.js";
import { CONDITIONS, type Condition } from "../../run/summary.js";
import { formatCount } from "../document/format.js";
import { type Cell, type Table, textCell, type ValueCell } from "../document/types.js";
import { datasetName, type LabelledRun, policyOf } from "../labels.js";
import { countCell } from "../measures.js";

const STOPS = ["asker", "budget", "nothing_to_ask", "fallback", "cut_short"] as const;

/** Mean over episodes within each seed, then mean and SD over seeds. */
function overEpisodes(
  episodes: readonly ScoredEpisode[],
  of: (one: ScoredEpisode) => number,
  unit: ValueCell["unit"],
  decimals = 1,
): ValueCell {
  const seeds = [...bySeed(episodes).values()].flatMap((all) => mean(all.map(of)) ?? []);
  return { kind: "value", unit, mean: mean(seeds), sd: sampleDeviation(seeds), decimals };
}

interface Group {
  readonly names: Cell[];
  readonly episodes: ScoredEpisode[];
  readonly condition: Condition;
}

/** Every run's episodes by dataset and condition, leaving out conditions that were not run. */
function groups(runs: readonly LabelledRun[]): Group[] {
  return runs.flatMap((one) =>
    one.run.settings.datasets.flatMap((dataset) =>
      CONDITIONS.map((condition) => ({
        names: [textCell(policyOf(one)), textCell(datasetName(dataset)), textCell(condition)],
        episodes: episodesOf(one.run, dataset, condition),
        condition,
      })).filter(({ episodes }) => episodes.length > 0),
    ),
  );
}

const KEYS = [{ label: "Asker" }, { label: "Dataset" }, { label: "Condition" }];

/** How much is asked and who ends it. */
export function turnTable(runs: readonly LabelledRun[]): Table {
  return {
    id: "turns",
    title: "Questions and how the asking ended",
    caption:
      "Questions per episode: mean ± sample SD over seeds of the seeds' means; budget: |Amb| + 2 questions. Stops: share of episodes in percent, ± SD over seeds, that the asker ended, the budget ended, that had nothing to ask (no counted ambiguity), that ended because a reply could not be read (fallback), or that a model call cut short.",
    columns: [
      ...KEYS,
      { label: "Episodes" },
      { label: "Questions", unit: "per episode" },
      ...STOPS.map((stop) => ({ label: stop.replaceAll("_", " "), unit: "%" })),
    ],
    keys: 3,
    rows: groups(runs).map(({ names, episodes }) => [
      ...names,
      countCell(episodes.length),
      overEpisodes(episodes, ({ questions }) => questions, "number", 2),
      ...STOPS.map((stop) => overEpisodes(episodes, (one) => Number(one.stop === stop), "percent")),
    ]),
    notes: [],
  };
}

/** Tokens by role; null where no model was asked. */
export function tokenTable(runs: readonly LabelledRun[]): Table | null {
  const rows = groups(runs).flatMap(({ names, episodes }) => {
    const roles = [...new Set(episodes.flatMap(({ usage }) => Object.keys(usage ?? {})))].sort();
    return roles.map((role): Cell[] => {
      const of = (field: "calls" | "prompt_tokens" | "completion_tokens") => (one: ScoredEpisode) =>
        one.usage?.[role]?.[field] ?? 0;
      const total = episodes.reduce(
        (sum, one) => sum + of("prompt_tokens")(one) + of("completion_tokens")(one),
        0,
      );
      return [
        ...names,
        textCell(role),
        overEpisodes(episodes, of("calls"), "number", 2),
        overEpisodes(episodes, of("prompt_tokens"), "number", 0),
        overEpisodes(episodes, of("completion_tokens"), "number", 0),
        countCell(total),
      ];
    });
  });
  if (rows.length === 0) return null;
  const costs = runs.flatMap(({ run }) =>
    Object.entries(run.summary.usage ?? {}).flatMap(([role, { cost }]) =>
      cost === null ? [] : [`${run.name}: ${role} cost ${cost.toFixed(2)} at the prices of its run.json`],
    ),
  );
  return {
    id: "tokens",
    title: "Model calls and tokens",
    caption:
      "Per episode, mean ± sample SD over seeds, whether an answer came from a server or from the response store; total: prompt and completion tokens of all episodes.",
    columns: [
      ...KEYS,
      { label: "Role" },
      { label: "Calls", unit: "per episode" },
      { label: "Prompt", unit: "tokens" },
      { label: "Completion", unit: "tokens" },
      { label: "Total", unit: "tokens" },
    ],
    keys: 4,
    rows,
    notes: costs,
  };
}

/** How many episodes ended in each verdict, and which of them leave SR's denominator. */
export function verdictTable(runs: readonly LabelledRun[]): Table {
  const all = groups(runs);
  const verdicts = [...new Set(all.flatMap(({ episodes }) => episodes.map(({ verdict }) => verdict)))].sort();
  const left = runs.flatMap(({ run }) =>
    Object.entries(run.summary.datasets).flatMap(([dataset, { left_out }]) =>
      left_out.length === 0
        ? []
        : [
            `${run.name}, ${datasetName(dataset)}: ${formatCount(left_out.length)} episodes are in no denominator of SR, such as ${left_out[0]!.record} (${left_out[0]!.verdict}); all are in summary.json`,
          ],
    ),
  );
  return {
    id: "verdicts",
    title: "Verdicts",
    caption:
      "Episodes by verdict, over all seeds. gold_error, gold_timeout and model_error leave the denominator of SR; every other verdict but match counts as wrong.",
    columns: [...KEYS, ...verdicts.map((verdict) => ({ label: verdict }))],
    keys: 3,
    rows: all.map(({ names, episodes }) => [
      ...names,
      ...verdicts.map((verdict) => countCell(episodes.filter((one) => one.verdict === verdict).length)),
    ]),
    notes: left,
  };
}

/** SR against its closed form; null where no solver knows one. */
export function knownAnswerTable(runs: readonly LabelledRun[]): Table | null {
  const rows = groups(runs).flatMap(({ names, episodes: all }): Cell[][] => {
    const episodes = all.filter(({ metrics }) => metrics.sr !== null);
    const known = episodes.flatMap(({ expected }) => expected ?? []);
    if (known.length === 0) return [];
    const expected = mean(known)!;
    const sd = Math.sqrt(known.reduce((sum, p) => sum + p * (1 - p), 0)) / known.length;
    const seen = overEpisodes(episodes, ({ metrics }) => metrics.sr!, "percent");
    const apart = sd === 0 || seen.mean === null ? null : (seen.mean - expected) / sd;
    return [
      [
        ...names,
        seen,
        { kind: "value", unit: "percent", mean: expected, sd },
        { kind: "value", unit: "number", mean: apart },
      ],
    ];
  });
  if (rows.length === 0) return null;
  return {
    id: "known-answers",
    title: "Success against its closed form",
    caption:
      "A synthetic solver's success is known before it is measured: 1 where the dialogue resolves every ambiguity, else 1 over the number of readings. Expected: ± SD of the sampling error; apart: measured minus expected in such SDs, a dash where the expectation is certain.",
    columns: [
      ...KEYS,
      { label: "SR", unit: "%" },
      { label: "Expected", unit: "%" },
      { label: "Apart", unit: "SD" },
    ],
    keys: 3,
    rows,
    notes: [],
  };
}
