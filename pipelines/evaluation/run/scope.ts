/** Which datasets and records a run is on. */
import type { RunSettings } from "../../../schemas/types/run.js";
import type { DatasetFolder, Suite } from "../../record/suite.js";

/** The run's datasets, in the suite's order. */
export const runDatasets = (suite: Suite, { datasets }: Pick<RunSettings, "datasets">): DatasetFolder[] =>
  suite.datasets.filter(({ dataset }) => datasets.includes(dataset));

/** Whether a run's split and slice take a record in. */
export const isInScope = (
  { split, slice }: Pick<RunSettings, "split" | "slice">,
  record: { readonly split: string; readonly slices: readonly string[] },
): boolean => (split === null || record.split === split) && (slice === null || record.slices.includes(slice));
