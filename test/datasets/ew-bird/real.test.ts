import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { realData } from "../../sources/temporary.js";
import { buildEwBird, reasons, removeFolders } from "./building.js";

const root = realData("bird");
afterAll(removeFolders);

interface Official {
  releases: Record<string, Record<string, Record<string, 0 | 1 | null>>>;
}
const official = JSON.parse(
  readFileSync(
    fileURLToPath(new URL("../../peers/fixtures/superhero-official-ex.json", import.meta.url)),
    "utf8",
  ),
) as Official;

describe.skipIf(root === undefined)("BIRD's real dev rows, probed by one real model's predictions", () => {
  const predictions = join(root ?? "", "predictions");
  const replay = `replay=${predictions}/turbo_predict_dev.json,${predictions}/turbo_kg_predict_dev.json`;

  it.each([
    ["dev_2023", 154, 69],
    ["dev_20240627", 148, 68],
  ])(
    "of %s give the superhero slice: 38 records",
    async (release, withoutHints, ambiguities) => {
      const built = await buildEwBird(root ?? "", "--source-release", release, "--probe", replay);
      const superhero = built.ledger.filter(({ steps }) =>
        steps.some(({ stage, outcome }) => stage === "locate-database" && outcome === "kept"),
      );
      expect(superhero).toHaveLength(126);
      expect(reasons(built.funnel)).toEqual({
        evidence_not_needed: 83,
        no_evidence: withoutHints,
        probe_no_answer: 5,
        source_missing: 1534 - 126 - withoutHints,
      });
      expect(built.funnel).toMatchObject({ rows: 1534, records: 38, databases: 1, ambiguities });
      expect(built.funnel.counts?.hints?.records).toBe(ambiguities);
      expect(Object.keys(built.funnel.missing)).toHaveLength(11);
      expect(built.funnel.missing["train/train.json"]).toBe(0);
      for (const { provenance } of built.records) expect(provenance.source_version).toMatch(`${release}+`);

      // The verdicts are those of BIRD's own evaluator, row by row.
      const verdicts = official.releases[release];
      const kept = new Set(built.records.map(({ avt_id }) => Number(avt_id.split("/").at(-1))));
      for (const { key } of superhero) {
        const id = key.split("/").at(-1) ?? "";
        const [without, given] = [verdicts?.turbo_predict_dev?.[id], verdicts?.turbo_kg_predict_dev?.[id]];
        expect(kept.has(Number(id)), key).toBe(without === 0 && given === 1);
      }
    },
    120_000,
  );
});
