import type { Dataset } from "../../schemas/types/record.js";
import type { SourceName } from "../../sources/manifest.js";
import type { Pipeline } from "../engine/pipeline.js";

/** A dataset that can be built; its pipeline is loaded where it is run, because six of them take a while to load. */
export interface Buildable {
  readonly dataset: Dataset;
  readonly source: SourceName;
  load(): Promise<Pipeline>;
}

/** Every dataset that this version can build, in the order in which a build of all of them runs. */
export const PIPELINES: readonly Buildable[] = [
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
