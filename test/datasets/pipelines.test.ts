import { describe, expect, it } from "vitest";
import { PIPELINES } from "../../pipelines/datasets/index.js";

describe("the list of datasets", () => {
  it.each(PIPELINES)("names $dataset as its pipeline does", async ({ dataset, source, load }) => {
    expect(await load()).toMatchObject({ dataset, source });
  });
});
