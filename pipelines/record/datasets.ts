/**
 * What sets a dataset's records apart from others', for modules that read records and know no pipeline: views, oracles,
 * campaigns, reports. A dataset that is not here has the defaults, which fit any dataset of readings with terms.
 */

/** Which oracle asks for a view: each variant reads a stated subset (spec 3, paper Table 6). */
export type OracleVariant = "intent" | "knowledge";

export interface DatasetTraits {
  /** How the paper, and so a report, writes its name; the name itself unless given. */
  readonly title?: string;
  /** Which deterministic oracle it has (spec 3); `intent` unless given. */
  readonly oracle?: OracleVariant;
  /** Which records campaigns and development comparisons are on; all of them unless given. */
  readonly campaign?: { readonly split?: string; readonly slice?: string };
  /** Whether a reference that returns no rows is an answer; else it is an error of the record. */
  readonly emptyReference?: true;
}

const DEFAULTS: DatasetTraits = {};

const traits = new Map<string, DatasetTraits>([
  ["bird", { title: "Bird", oracle: "knowledge", campaign: { split: "dev" } }],
  ["ew-bird", { title: "EW-Bird", oracle: "knowledge", campaign: { split: "dev" } }],
  ["bird-interact", { title: "BIRD-Interact" }],
  ["ambrosia", { title: "Ambrosia", campaign: { slice: "local-test" } }],
  // Its readings are told apart by their results alone, and none is an answer, too.
  ["ambiqt", { title: "AmbiQT", emptyReference: true }],
  ["taco", { title: "TACO" }],
]);

/** The traits of a dataset: the defaults where none are stated. */
export const traitsOf = (dataset: string): DatasetTraits => traits.get(dataset) ?? DEFAULTS;

/** The datasets whose traits are stated, in the paper's order. */
export const describedDatasets = (): string[] => [...traits.keys()];

/** States a dataset's traits (`registerDataset` does). Gives what takes them back. */
export function describeDataset(dataset: string, stated: DatasetTraits): () => void {
  const before = traits.get(dataset);
  traits.set(dataset, stated);
  return () => {
    if (before === undefined) traits.delete(dataset);
    else traits.set(dataset, before);
  };
}
