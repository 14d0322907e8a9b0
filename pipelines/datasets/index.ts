/** The datasets that can be built, and the one door through which each comes in: `registerDataset`. */
import type { Dataset } from "../../schemas/types/record.js";
import type { SourceManifest, SourceName } from "../../sources/manifest.js";
import { assertName, knownManifest, registerSource } from "../../sources/registry.js";
import type { Pipeline } from "../engine/pipeline.js";
import { UserError } from "../errors.js";
import { type DatasetTraits, describeDataset } from "../record/datasets.js";

/** A dataset that can be built; its pipeline is loaded where it is run, because loading them all takes a while. */
export interface Buildable {
  readonly dataset: Dataset;
  readonly source: SourceName;
  load(): Promise<Pipeline>;
}

/** What is said of a new dataset. */
export interface NewDataset extends Buildable {
  /** Of its source, where that is not known yet; several datasets may share one. */
  readonly manifest?: SourceManifest;
  /** Where that source's sample lies; `sources/<source>/sample` of the package unless given. */
  readonly sample?: string;
  /** Where it differs from the defaults: its oracle, its name in reports, … */
  readonly traits?: DatasetTraits;
}

const buildable: Buildable[] = [];

/** Every dataset that can be built, in the order in which a build of all of them runs; grows with `registerDataset`. */
export const PIPELINES: readonly Buildable[] = buildable;

/** A pipeline that says it is another's would write into that one's folder. */
async function loaded({ dataset, source, load }: Buildable): Promise<Pipeline> {
  const pipeline = await load();
  if (pipeline.dataset === dataset && pipeline.source === source) return pipeline;
  throw new Error(
    `the dataset ${dataset} of ${source} is registered with the pipeline of ${pipeline.dataset} of ${pipeline.source}`,
  );
}

/**
 * Makes a dataset known to everything that looks one up by name: builds, validation, releases, audits, reports.
 *
 * @returns what takes it out again, and its source where it brought one
 * @throws UserError when a name is taken or is none, or its source is not known and no manifest is given
 */
export function registerDataset(added: NewDataset): () => void {
  const { dataset, source, manifest, sample, traits } = added;
  assertName("dataset", dataset);
  if (buildable.some((one) => one.dataset === dataset)) {
    throw new UserError(`there is a dataset "${dataset}" already`, {
      remedy: "give the new one another name",
    });
  }
  if (manifest !== undefined && manifest.source !== source) {
    throw new UserError(
      `the dataset "${dataset}" names the source "${source}" and brings "${manifest.source}"`,
      {
        remedy: "name its manifest's source",
      },
    );
  }
  const forgetSource = manifest === undefined ? undefined : registerSource(manifest, sample);
  knownManifest(source);
  const forgetTraits = traits === undefined ? undefined : describeDataset(dataset, traits);
  const one: Buildable = { dataset, source, load: () => loaded(added) };
  buildable.push(one);
  return () => {
    const at = buildable.indexOf(one);
    if (at < 0) return;
    buildable.splice(at, 1);
    forgetTraits?.();
    forgetSource?.();
  };
}

const OWN: readonly Buildable[] = [
  { dataset: "ambiqt", source: "ambiqt", load: async () => (await import("./ambiqt/pipeline.js")).ambiqt },
  {
    dataset: "ambrosia",
    source: "ambrosia",
    load: async () => (await import("./ambrosia/pipeline.js")).ambrosia,
  },
  { dataset: "taco", source: "taco", load: async () => (await import("./taco/pipeline.js")).taco },
  { dataset: "ew-bird", source: "bird", load: async () => (await import("./ew-bird/pipeline.js")).ewBird },
  { dataset: "bird", source: "bird", load: async () => (await import("./bird/pipeline.js")).bird },
  {
    dataset: "bird-interact",
    source: "bird-interact",
    load: async () => (await import("./bird-interact/pipeline.js")).birdInteract,
  },
];
for (const one of OWN) registerDataset(one);
