/** The one call that makes the seventh dataset known; a dataset of the package has the same two lines in its indexes. */
import { join } from "node:path";
import { registerDataset } from "../../../pipelines/index.js";
import { PACKAGE_ROOT } from "../../../pipelines/package-root.js";
import { TEAROOM } from "./sources/tearoom/manifest.js";

export const TEAROOM_SAMPLE = join(PACKAGE_ROOT, "test/datasets/seventh/sources/tearoom/sample");

/** @returns what takes it out again */
export const registerTearoom = (): (() => void) =>
  registerDataset({
    dataset: "tearoom",
    source: "tearoom",
    manifest: TEAROOM,
    sample: TEAROOM_SAMPLE,
    traits: { title: "Tea room" },
    load: async () => (await import("./datasets/tearoom/pipeline.js")).tearoom,
  });
