/** Results by kind of ambiguity, number of ambiguities, SQL feature, split and database. */
import { mean } from "../../metrics/aggregate.js";
import { episodesOf, type ReadRun, type ScoredEpisode } from "../../run/read.js";
import { type Cell, type Table, textCell } from "../document/types.js";
import { datasetName, type LabelledRun, policyOf } from "../labels.js";
import { countCell, estimateOf, HOW_TO_READ, levelCell, measured } from "../measures.js";
import type { Traits } from "./traits.js";

/** Databases shown per dataset: those with the lowest SR. */
const DATABASES = 8;
/** A database of fewer records says nothing that its records do not say better. */
const FEWEST = 4;

type Dimension = readonly [string, (episode: ScoredEpisode, traits: Traits | undefined) => readonly string[]];

const DIMENSIONS: readonly Dimension[] = [
  ["Split", ({ split }) => [split]],
  ["Ambiguities", ({ ambiguities }) => [ambiguities >= 5 ? "5 or more" : String(ambiguities)]],
  ["Kind", (_episode, traits) => traits?.kinds ?? []],
  ["SQL", (_episode, traits) => traits?.features ?? []],
  ["Database", (_episode, traits) => (traits === undefined ? [] : [traits.database])],
];

/** Episodes of all conditions by the slice they are in. */
function grouped(
  episodes: readonly ScoredEpisode[],
  of: Dimension[1],
  traits: ReadonlyMap<string, Traits>,
): Map<string, Set<string>> {
  const slices = new Map<string, Set<string>>();
  for (const episode of episodes) {
    for (const slice of of(episode, traits.get(episode.record))) {
      const records = slices.get(slice) ?? new Set<string>();
      slices.set(slice, records.add(episode.record));
    }
  }
  return slices;
}

function hardest(slices: Map<string, Set<string>>, asked: readonly ScoredEpisode[]): [string, Set<string>][] {
  const sr = (records: Set<string>): number =>
    mean(asked.flatMap(({ record, metrics }) => (records.has(record) ? (metrics.sr ?? []) : []))) ?? 1;
  return [...slices]
    .filter(([, records]) => records.size >= FEWEST)
    .map((entry) => [sr(entry[1]), entry] as const)
    .sort(([a, [nameA]], [b, [nameB]]) => a - b || (nameA < nameB ? -1 : 1))
    .slice(0, DATABASES)
    .map(([, entry]) => entry);
}

function sliceRows(run: ReadRun, dataset: string, traits: ReadonlyMap<string, Traits>): Cell[][] {
  const conditions = (["none", "asker", "full"] as const).map((name) => episodesOf(run, dataset, name));
  const asked = conditions[1]!;
  return DIMENSIONS.flatMap(([dimension, of]) => {
    const slices = grouped(asked, of, traits);
    // A dataset that is one slice has nothing to tell apart.
    if (slices.size < 2) return [];
    const shown =
      dimension === "Database" ? hardest(slices, asked) : [...slices].sort(([a], [b]) => (a < b ? -1 : 1));
    return shown.map(([slice, records]): Cell[] => {
      const [none, asker, full] = conditions.map((all) => all.filter(({ record }) => records.has(record)));
      return [
        textCell(datasetName(dataset)),
        textCell(dimension),
        textCell(slice),
        countCell(records.size),
        levelCell(estimateOf(measured(none!, "sr")), undefined, { interval: null }),
        levelCell(estimateOf(measured(asker!, "sr"))),
        levelCell(estimateOf(measured(full!, "sr")), undefined, { interval: null }),
        levelCell(estimateOf(measured(asker!, "precision")), undefined, { interval: null }),
        levelCell(estimateOf(measured(asker!, "recall"))),
      ];
    });
  });
}

/** One table a run; null where nothing can be told apart. `traits` is empty where the suite is not at hand. */
export function sliceTable(one: LabelledRun, traits: ReadonlyMap<string, Traits>, at: number): Table | null {
  const rows = one.run.settings.datasets.flatMap((dataset) => sliceRows(one.run, dataset, traits));
  if (rows.length === 0) return null;
  return {
    id: `slices-${at + 1}`,
    title: `Slices of ${one.run.name} (${policyOf(one)})`,
    caption: `A record with several kinds of ambiguity or several SQL features (of its reference SQL) is in several slices. Databases: the ${DATABASES} with the lowest SR among those with ${FEWEST} records or more. ${HOW_TO_READ}`,
    columns: [
      { label: "Dataset" },
      { label: "By" },
      { label: "Slice" },
      { label: "Records" },
      { label: "SR none", unit: "%" },
      { label: "SR asker", unit: "%" },
      { label: "SR full", unit: "%" },
      { label: "Precision", unit: "%" },
      { label: "Recall", unit: "%" },
    ],
    keys: 3,
    rows,
    notes:
      traits.size === 0
        ? ["kinds, SQL features and databases need the records: name their build or release with --suite"]
        : [],
  };
}
