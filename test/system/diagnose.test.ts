import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { CampaignResult, DatasetDiagnostics } from "../../pipelines/evaluation/diagnostics/types.js";
import { ambitabHere, buildSample, temporaryFolder } from "../release/sample.js";
import { start } from "./command.js";

/** So many that the campaign is not over before it is stopped. */
const MANY_SEEDS = Array.from({ length: 60 }, (_, seed) => seed).join(",");

let build = "";
beforeAll(async () => {
  build = await buildSample(temporaryFolder());
});

const words = (campaign: string, asker: string, oracle: string, ...more: string[]): string[] => [
  ...["diagnose", build, "--asker", asker, "--oracle", oracle, "--solver", "copies-leaked-sql"],
  ...["--campaign", campaign, "--quiet", "--jobs", "1", "--seeds", "0,1", ...more],
];

async function diagnosed(
  ...args: Parameters<typeof words>
): Promise<{ result: CampaignResult; own: DatasetDiagnostics }> {
  const ended = await ambitabHere(words(...args, "--json"));
  expect(ended).toMatchObject({ status: 0, stderr: "" });
  const result = JSON.parse(ended.stdout) as CampaignResult;
  return { result, own: result.datasets.find(({ oracle }) => oracle === args[2])! };
}

describe("ambitab diagnose, on leakage that is known", () => {
  it("finds a responder that leaks the SQL, and no credit that the matcher did not give", async () => {
    const campaign = join(temporaryFolder(), "leaky");
    const { result, own } = await diagnosed(campaign, "none-adversarial", "synthetic:leak=0.3");
    expect(result).toMatchObject({ synthetic: true, asker: "none-adversarial" });
    const { dj_resp, dj_full, drec_none, drec_spec_q } = own.diagnostics;
    // Three responses, each of which leaks with 0.3; two readings, of which one is guessed right half the time.
    const expected = (1 - 0.7 ** 3) / 2;
    expect(dj_resp!.interval!.lo).toBeLessThan(expected);
    expect(dj_resp!.interval!.hi).toBeGreaterThan(expected);
    expect(dj_resp!.interval!.lo).toBeGreaterThan(0.15);
    // What is asked in full is solved without a leak too.
    expect(dj_full).toMatchObject({ mean: 0, interval: { lo: 0, hi: 0 }, by_definition: false });
    // The reference names columns that are terms: the scorer credits them, and the report tells them apart.
    expect(drec_none!.volunteered).toBeGreaterThan(0);
    expect(drec_none!.mean! - drec_none!.volunteered).toBe(0);
    expect(drec_spec_q).toBeNull();
    expect(own.preconditions.flatMap(({ broken }) => broken)).toEqual([]);
  });

  it("finds a matcher that credits by chance; resumes, and takes the finished runs as they are", async () => {
    const campaign = join(temporaryFolder(), "inaccurate");
    const { own } = await diagnosed(campaign, "lexical", "synthetic:credit=0.2");
    const { dj_resp, drec_none, drec_spec_q } = own.diagnostics;
    const expected = 1 - 0.8 ** 3;
    expect(drec_none!.interval!.lo).toBeLessThan(expected);
    expect(drec_none!.interval!.hi).toBeGreaterThan(expected);
    expect(drec_none!.volunteered).toBe(0);
    // The same matcher on both sides: nothing of it is the responder's.
    expect(dj_resp).toMatchObject({ mean: 0, interval: { lo: 0, hi: 0 } });
    expect(drec_spec_q!.clusters).toBeLessThan(30);
    expect(existsSync(join(campaign, "report.html"))).toBe(true);

    const refused = await ambitabHere(words(campaign, "lexical", "synthetic:credit=0.2"));
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain("--resume");
    const plan = readFileSync(join(campaign, "campaign.json"), "utf8");
    const again = await diagnosed(campaign, "lexical", "synthetic:credit=0.2", "--resume");
    expect(again.own).toEqual(own);
    expect(readFileSync(join(campaign, "campaign.json"), "utf8")).toBe(plan);

    const report = await ambitabHere(["report", `lexical=${campaign}`]);
    expect(report).toMatchObject({ status: 0, stderr: "" });
    const said = report.stdout.replace(/\s+/g, " ");
    expect(said).toMatch(/resamples \d+ components?; below 30, so the interval covers less than 95 %/);
    expect(said).toContain("They do not cover the gap between the reference oracle and a perfect one");
    expect(report.stdout).not.toMatch(/NaN|undefined/);
  });

  it("measures exactly 0 where nothing leaks: the deterministic oracle by other code, in runs of its own", async () => {
    const campaign = join(temporaryFolder(), "clean");
    const { own } = await diagnosed(campaign, "lexical", "synthetic:leak=0", "--limit", "24");
    for (const name of ["dj_resp", "dj_full", "drec_none"] as const)
      expect(own.diagnostics[name]).toMatchObject({
        mean: 0,
        by_definition: false,
        interval: { lo: 0, hi: 0 },
        n: 48,
      });
  });

  it("is stopped with the command that goes on with it", async () => {
    const campaign = join(temporaryFolder(), "stopped");
    const running = start(
      words(campaign, "lexical", "synthetic:leak=0.1").map((word) => (word === "0,1" ? MANY_SEEDS : word)),
    );
    while (!existsSync(join(campaign, "runs"))) await new Promise((resolve) => setTimeout(resolve, 50));
    running.process.kill("SIGINT");
    const stopped = await running.ended;
    expect(stopped).toMatchObject({ code: 130 });
    expect(stopped.stderr).toMatch(/go on with: ambitab diagnose .* --resume\n$/);
  });

  it("says what it would run, and runs nothing", async () => {
    const campaign = join(temporaryFolder(), "dry");
    const { status, stdout } = await ambitabHere(
      words(campaign, "lexical", "synthetic:leak=0.1", "--dry-run"),
    );
    expect(status).toBe(0);
    expect(stdout.split("\n").filter((line) => line.includes("to run"))).toHaveLength(8);
    expect(existsSync(campaign)).toBe(false);
  });

  it("refuses what it cannot compare", async () => {
    const campaign = join(temporaryFolder(), "none");
    const sql = await ambitabHere(words(campaign, "lexical", "deterministic", "--sql-access"));
    expect(sql).toMatchObject({ status: 2 });
    expect(sql.stderr).toContain("--sql-access");
    expect(await ambitabHere(words(campaign, "lexical", "synthetic:leak=2"))).toMatchObject({ status: 2 });
  });
});
