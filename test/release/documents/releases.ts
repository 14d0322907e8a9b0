import { join } from "node:path";
import { openSuite } from "../../../pipelines/record/suite.js";
import { type ReleaseOptions, writeRelease } from "../../../pipelines/release/write.js";
import { buildSample, DATASETS, temporaryFolder } from "../sample.js";

/** Writes a release of samples without its gate, whose SQL has tests of its own; gives its folder. */
export async function writtenRelease(
  options: Partial<ReleaseOptions> = {},
  datasets: readonly string[] = DATASETS,
  out = temporaryFolder(),
): Promise<string> {
  const build = await buildSample(out, datasets);
  const own = openSuite(build).datasets;
  const place = { releases: join(out, "releases"), version: "1.2.3", publicOnly: false, ...options };
  return writeRelease(own, place, async () => undefined);
}

/** Datasets that may be published, one of them without its ground truth. */
export const PUBLISHABLE = DATASETS.filter((dataset) => dataset !== "taco");
