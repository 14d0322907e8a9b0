import type { Decoding } from "../model/roles.js";
import type { ModelClient, ModelRole } from "../model/types.js";
import type { PostgresServer, SqliteSandbox } from "../sql/index.js";
import type { DropCode } from "./drop-codes.js";
import type { FileRef, FileStore } from "./files.js";
import type { Draws } from "./random.js";
import type { WorkThread } from "./thread.js";

/** Where in the source an item comes from. `row` counts from 0. */
export interface Origin {
  file: string;
  file_sha256: string;
  row: number;
  row_sha256: string;
}

/** A value on its way through a pipeline. `key` is stable: made of source coordinates, unique in the dataset. */
export interface Item<T> {
  key: string;
  origin: Origin;
  value: T;
}

/**
 * What a stage saw that made it decide: a SQL run, a model call, a finding. Kept in the ledger for the auditor. A
 * `finding` has a `code` and a `count` a `name` and a `count`; the funnel adds up both.
 */
export interface Evidence {
  kind: "sql" | "database" | "finding" | "draw" | "model" | "count" | "reading";
  [detail: string]: unknown;
}

/** A stage's answer for one item: it keeps it (one or more outputs) or drops it with a reason. Never silence. */
export type Outcome<Out> =
  | { kept: Out[]; evidence?: Evidence[] }
  | { dropped: Dropped; evidence?: Evidence[] };

/** Why an item is dropped. `subject` is what the reason is about (a database's name), for counting. */
export interface Dropped {
  reason: DropCode;
  detail: string;
  subject?: string;
}

export function keep<Out>(output: Out, evidence?: Evidence[]): Outcome<Out> {
  return evidence === undefined ? { kept: [output] } : { kept: [output], evidence };
}

export function drop(
  reason: DropCode,
  detail: string,
  more: { subject?: string; evidence?: Evidence[] } = {},
): Outcome<never> {
  const { subject, evidence } = more;
  const dropped: Dropped = subject === undefined ? { reason, detail } : { reason, detail, subject };
  return evidence === undefined ? { dropped } : { dropped, evidence };
}

/** What a stage may use beside its input. Everything here is deterministic or keyed by content. */
export interface StageContext {
  readonly settings: BuildSettings;
  /** Absolute path of a file of the source. The item must carry the file's sha256, or a change would go unseen. */
  sourcePath(relative: string): string;
  readonly files: FileStore;
  readonly sandbox: SqliteSandbox;
  /** For work that takes long and asks nobody, so that other rows go on meanwhile. */
  readonly thread: Pick<WorkThread, "run">;
  /** The build's PostgreSQL: DATABASE_URL's or one of our own, opened when a stage first asks and closed with the build. */
  postgres(): Promise<PostgresServer>;
  /** For model-made stages. A build without models refuses the first call with a message that says what to configure. */
  readonly model: ModelClient;
  draws(purpose: string, unit: string): Draws;
}

/** The settings that decide a build's bytes, and nothing else (no job counts, no paths). */
export interface BuildSettings {
  readonly seed: number;
  readonly limit: number | null;
  readonly strict_readings: boolean;
  readonly keep_going: boolean;
  /** Read every region of a source that has several (TACO); left out where it is not asked for. */
  readonly all_regions?: true;
  /** Which of several releases that a source's folder holds is read (BIRD's dev questions); by name or path. */
  readonly source_release?: string;
  /** Role → the model and decoding that answer it, of the roles that the pipeline asks. */
  readonly models?: Readonly<Partial<Record<ModelRole, Decoding>>>;
  /** Predictions that stand in for probe models (EW-Bird): the sha256 of both files. */
  readonly probe?: { readonly replay: { readonly without: string; readonly with: string } };
  /** Run the tests that a source gives as Python (BIRD-Interact), and let them decide. */
  readonly upstream_tests?: true;
}

/**
 * A stage that looks at one item at a time: streamed, run concurrently, memoised.
 *
 * `select` picks the part of the item that the outcome depends on; items that share that part (many rows, one database)
 * share one run and one stored outcome. `merge` puts what was made back on the item.
 */
export interface ItemStage<In, Out> {
  readonly kind: "item";
  readonly name: string;
  readonly version: string;
  /** The module whose import closure is fingerprinted: `import.meta.url`. */
  readonly module: string;
  /** The settings the stage reads; they become part of its key. */
  readonly parameters: (settings: BuildSettings) => Record<string, unknown>;
  readonly select: (item: Item<In>) => unknown;
  readonly run: (part: unknown, context: StageContext) => Promise<Outcome<unknown>>;
  readonly merge: (item: Item<In>, made: unknown) => Out;
}

/** A stage that must see the whole set: it is shown a projection of every item and decides for each by key. */
export interface SetStage<T, Out> {
  readonly kind: "set";
  readonly name: string;
  readonly version: string;
  readonly module: string;
  readonly parameters: (settings: BuildSettings) => Record<string, unknown>;
  readonly project: (item: Item<T>) => unknown;
  readonly decide: (
    projections: { key: string; origin: Origin; part: unknown }[],
    context: StageContext,
  ) => Promise<Map<string, Outcome<unknown>>>;
  readonly merge: (item: Item<T>, made: unknown) => Out;
}

// A pipeline's list holds stages of different types; `definePipeline` checks that each fits the one before it.
export type Stage<In, Out> = ItemStage<In, Out> | SetStage<In, Out>;

interface StageNames {
  name: string;
  version: string;
  module: string;
  parameters?: (settings: BuildSettings) => Record<string, unknown>;
}

/** Defines a per-item stage whose outcome depends on `select(item)` alone. */
export function itemStage<In, Part, Made, Out>(
  definition: StageNames & {
    select: (value: In, item: Item<In>) => Part;
    run: (part: Part, context: StageContext) => Promise<Outcome<Made>> | Outcome<Made>;
    merge: (value: In, made: Made) => Out;
  },
): ItemStage<In, Out> {
  const { name, version, module, parameters = () => ({}) } = definition;
  return {
    kind: "item",
    name,
    version,
    module,
    parameters,
    select: (item) => definition.select(item.value, item),
    run: async (part, context) => definition.run(part as Part, context),
    merge: (item, made) => definition.merge(item.value, made as Made),
  };
}

/** Defines a whole-set stage. Only projections are held in memory, never the items. */
export function setStage<T, Part, Made, Out>(
  definition: StageNames & {
    project: (value: T, item: Item<T>) => Part;
    decide: (
      projections: { key: string; origin: Origin; part: Part }[],
      context: StageContext,
    ) => Promise<Map<string, Outcome<Made>>> | Map<string, Outcome<Made>>;
    merge: (value: T, made: Made) => Out;
  },
): SetStage<T, Out> {
  const { name, version, module, parameters = () => ({}) } = definition;
  return {
    kind: "set",
    name,
    version,
    module,
    parameters,
    project: (item) => definition.project(item.value, item),
    decide: async (projections, context) =>
      definition.decide(projections as { key: string; origin: Origin; part: Part }[], context),
    merge: (item, made) => definition.merge(item.value, made as Made),
  };
}

export type { FileRef };
