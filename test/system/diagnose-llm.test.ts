/** A campaign with models in the oracle's place: one that tells the reference SQL wherever it is shown it, one that never does. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CampaignResult } from "../../pipelines/evaluation/diagnostics/types.js";
import type { Campaign } from "../../schemas/types/campaign.js";
import { type ModelServer, type SeenRequest, startModelServer } from "../model/model-server.mjs";
import { buildSample, temporaryFolder } from "../release/sample.js";
import { ambitabHere } from "./command.js";

let build = "";
let telling: ModelServer;
let silent: ModelServer;

const sqlIn = (prompt: string): string =>
  /## The right SQL[^\n]*\n([\s\S]*?)(?=\n\n## |$)/.exec(prompt)?.[1] ?? "";
const routes = JSON.stringify({ action: "unanswerable()", cot: "names nothing" });
const responds = (output: string): string => JSON.stringify({ type: "unanswerable()", output });

beforeAll(async () => {
  build = await buildSample(temporaryFolder());
  const user =
    (says: (prompt: string) => string) =>
    ({ prompt }: SeenRequest): string =>
      prompt.includes("## Chosen action") ? responds(says(prompt)) : routes;
  telling = await startModelServer({
    rules: [{ role: "oracle", answer: user((prompt) => `Here: ${sqlIn(prompt)};`) }],
  });
  silent = await startModelServer({ rules: [{ role: "oracle", answer: user(() => "I cannot say.") }] });
});
afterAll(() => Promise.all([telling.close(), silent.close()]));

/** A configuration that names the oracle's model. */
function modelsFile(url: string, model: string): string {
  const path = join(temporaryFolder(), "models.json");
  const roles = { oracle: { model } };
  writeFileSync(path, JSON.stringify({ endpoints: { local: { base_url: url, backoff_ms: 1 } }, roles }));
  return path;
}

async function diagnosed(campaign: string, models: string, ...more: string[]): Promise<CampaignResult> {
  const ended = await ambitabHere([
    ...["diagnose", build, "--asker", "none-adversarial", "--oracle", "llm", "--solver", "copies-leaked-sql"],
    ...["--models", models, "--campaign", campaign, "--limit", "20", "--seeds", "0,1", "--jobs", "1"],
    ...["--out", temporaryFolder(), "--quiet", "--json", ...more],
  ]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(ended.stdout) as CampaignResult;
}

describe("a campaign with LLM oracles", () => {
  it("compares the SQL shown and hidden, and takes a second oracle in beside the first", async () => {
    const campaign = join(temporaryFolder(), "campaign");
    const first = await diagnosed(campaign, modelsFile(telling.url, "acme/Teller-9B"), "--sql-access");
    const [access] = first.sql_access;
    // Shown, it tells and is right; hidden, it has nothing to tell and the solver guesses between two readings.
    expect(access).toMatchObject({ dataset: "ambiqt", oracle: "teller-9b" });
    const { dj_resp, dj_full } = access!.differences;
    expect(dj_resp).toMatchObject({ levels: { minuend: 1 }, n: 40 });
    expect(dj_resp!.mean).toBe(1 - dj_resp!.levels.subtrahend!);
    expect(dj_resp!.interval!.lo).toBeGreaterThan(0);
    expect(dj_full!.levels.minuend).toBe(1);
    const shown = first.datasets.find(({ sql }) => sql === "shown")!;
    const hidden = first.datasets.find(({ sql }) => sql === "hidden")!;
    expect(shown.diagnostics.dj_resp!.mean).toBeGreaterThan(0.2);
    expect(hidden.diagnostics.dj_resp).toMatchObject({ mean: 0, interval: { lo: 0, hi: 0 } });

    const second = await diagnosed(campaign, modelsFile(silent.url, "acme/Silent-9B"), "--resume");
    expect(second.datasets.map(({ oracle, sql }) => [oracle, sql])).toEqual([
      ["deterministic", null],
      ["silent-9b", "hidden"],
      ["teller-9b", "hidden"],
      ["teller-9b", "shown"],
    ]);
    expect(second.sql_access).toEqual(first.sql_access);
    const { runs } = JSON.parse(readFileSync(join(campaign, "campaign.json"), "utf8")) as Campaign;
    // Both oracles share the two reference runs; a script has no spec-randomized form.
    expect(runs.filter(({ oracle }) => oracle === "deterministic")).toHaveLength(2);
    expect(runs).toHaveLength(2 + 7 + 4);
    const report = await ambitabHere([
      "report",
      campaign,
      "--format",
      "svg,html",
      "--to",
      join(campaign, "pictures"),
    ]);
    expect(report).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(campaign, "pictures", "figure-sql-access.svg"), "utf8")).toContain("<svg");
  });
});
