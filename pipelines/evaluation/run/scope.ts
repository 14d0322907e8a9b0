/** Which datasets and records a run is on. */
import type { RunSettings } from "../../../schemas/types/run.js";
import { PACKAGE_VERSION } from "../../package-root.js";
import type { DatasetFolder, Suite } from "../../record/suite.js";

/** The run's datasets, in the suite's order. */
export const runDatasets = (suite: Suite, { datasets }: Pick<RunSettings, "datasets">): DatasetFolder[] =>
  suite.datasets.filter(({ dataset }) => datasets.includes(dataset));

/** Whether a run's split and slice take a record in. */
export const isInScope = (
  { split, slice }: Pick<RunSettings, "split" | "slice">,
  record: { readonly split: string; readonly slices: readonly string[] },
): boolean => (split === null || record.split === split) && (slice === null || record.slices.includes(slice));

/** The part of a run's settings that says what it is on: the whole suite with seed 0, unless told. */
export function runScope(
  suite: Suite,
  {
    datasets = suite.datasets.map(({ dataset }) => dataset),
    split = null,
    slice = null,
    limit = null,
    seeds = [0],
  }: Partial<Pick<RunSettings, "datasets" | "split" | "slice" | "limit" | "seeds">> = {},
): Pick<
  RunSettings,
  "schema_version" | "tool" | "suite" | "datasets" | "split" | "slice" | "limit" | "seeds"
> {
  const { kind, name, hash, publicHash } = suite;
  return {
    schema_version: "1.0.0",
    tool: `ambitab ${PACKAGE_VERSION}`,
    suite: { kind, name, hash, ...(kind === "release" ? { public_hash: publicHash } : {}) },
    datasets: [...datasets].sort(),
    split,
    slice,
    limit,
    seeds: [...seeds].sort((a, b) => a - b),
  };
}
