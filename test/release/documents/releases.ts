import type { ReleaseOptions } from "../../../pipelines/release/write.js";
import { buildSample, DATASETS, temporaryFolder, writeSample } from "../sample.js";

/** Writes a release of samples without its gate, whose SQL has tests of its own; gives its folder. */
export async function writtenRelease(
  options: Partial<ReleaseOptions> = {},
  datasets: readonly string[] = DATASETS,
  out = temporaryFolder(),
): Promise<string> {
  const { version = "1.2.3", ...rest } = options;
  await buildSample(out, datasets);
  return (await writeSample(out, version, rest)).folder;
}

/** Datasets that may be published, one of them without its ground truth. */
export const PUBLISHABLE = DATASETS.filter((dataset) => dataset !== "taco");
