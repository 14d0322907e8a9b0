import type { Dataset, TaskRecord } from "../../schemas/types/record.js";
import type { SourceName } from "../../sources/manifest.js";
import type { SourceError } from "../errors.js";
import type { ModelRole } from "../model/types.js";
import type { FileRef } from "./files.js";
import type { BuildSettings, Item, Stage } from "./stage.js";

/** A source row that could not be read. It is an error of the build unless `--keep-going`, and then a drop. */
export interface BadRow {
  bad: SourceError;
  key: string;
  row: number;
}

/** What a source hands to a pipeline: a stream of items, and what identifies the copy that was read. */
export interface SourceStream<T> {
  /** The source's folder. */
  readonly root: string;
  /** The release that was recognised, or "unrecognised" and a hash: it stands in every record. */
  readonly version: string;
  /** Every file that decides the stream's content: path relative to the root → sha256. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Files of rows that a whole copy of the source has and this one lacks: the funnel names them. */
  readonly absent?: readonly string[];
  items(): AsyncIterable<Item<T> | BadRow>;
}

/** What the last stage makes of one item: its records and the database files that they name. */
export interface Emitted {
  records: TaskRecord[];
  /** `path` is relative to the dataset's databases folder. */
  databases: { path: string; file: FileRef }[];
}

/** The paper's counts, shown beside ours (paper Table 4). */
export interface PublishedCounts {
  records: number;
  databases: number;
  ambiguities: number;
  /** The same of each split, where a dataset has several. */
  splits?: Readonly<Record<string, Omit<PublishedCounts, "splits">>>;
}

/** Files that a person gave beside the source. What they hold is named by its hash in the settings. */
export interface GivenFiles {
  /** Predictions without and with the withheld text, in BIRD's format. */
  readonly predictions?: { readonly without: string; readonly with: string };
  /** A catalogue of frozen responses (BIRD-Interact); it need not be there yet. The lock's inputs name its hash. */
  readonly catalogue?: string;
}

/** A dataset's pipeline: a source and a list of stages, read top to bottom. */
export interface Pipeline {
  readonly dataset: Dataset;
  readonly version: string;
  readonly source: SourceName;
  /** None where nobody has published any. */
  readonly published?: PublishedCounts;
  /** The models that its stages ask, by what for. */
  readonly roles?: readonly ModelRole[];
  /** It builds without them too, and asks them only where a person says so (--models, --replay-only). */
  readonly modelsOptional?: true;
  /** `version` names the copy that was brought in (its lock's `source_version`). */
  readonly open: (
    root: string,
    settings: BuildSettings,
    version: string,
    given: GivenFiles,
  ) => Promise<SourceStream<unknown>>;
  readonly stages: readonly Stage<unknown, unknown>[];
}

/** Collects stages so that each one's input type is checked against the output of the one before. */
export class PipelineBuilder<Current> {
  readonly #stages: readonly Stage<unknown, unknown>[];
  constructor(stages: readonly Stage<unknown, unknown>[]) {
    this.#stages = stages;
  }
  stage<Next>(stage: Stage<Current, Next>): PipelineBuilder<Next> {
    return new PipelineBuilder<Next>([
      ...this.#stages,
      stage as Stage<never, unknown> as Stage<unknown, unknown>,
    ]);
  }
  get stages(): readonly Stage<unknown, unknown>[] {
    return this.#stages;
  }
}

/**
 * Defines a pipeline.
 *
 * @example
 * definePipeline({ dataset: "ambiqt", version: "1.0.0", source: "ambiqt", published, open }, (rows) =>
 *   rows.stage(locateDatabase).stage(rejectProtectedKeys).stage(emitIntents))
 */
export function definePipeline<Row>(
  head: {
    dataset: Dataset;
    version: string;
    source: SourceName;
    published?: PublishedCounts;
    roles?: readonly ModelRole[];
    modelsOptional?: true;
    open: (
      root: string,
      settings: BuildSettings,
      version: string,
      given: GivenFiles,
    ) => Promise<SourceStream<Row>>;
  },
  list: (rows: PipelineBuilder<Row>) => PipelineBuilder<Emitted>,
): Pipeline {
  return { ...head, stages: list(new PipelineBuilder<Row>([])).stages };
}
