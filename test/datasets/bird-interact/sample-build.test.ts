import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditRelease } from "../../../pipelines/audit/release.js";
import { openSuite } from "../../../pipelines/record/suite.js";
import { withheldIn } from "../../../pipelines/release/ground-truth.js";
import { sampleFolder } from "../../../sources/index.js";
import { ambitabHere } from "../../system/command.js";
import { type Built, buildBirdInteract, releaseOf } from "./building.js";

const out = mkdtempSync(join(tmpdir(), "ambitab-bird-interact-"));
afterAll(() => rmSync(out, { recursive: true, force: true }));

const TRUTH = join(sampleFolder("bird-interact"), "ground-truth", "bird_interact_gt_kg_testcases.jsonl");
let built: Built;
beforeAll(async () => {
  built = await buildBirdInteract(join(out, "a"), sampleFolder("bird-interact"));
});

describe("the sample's build", () => {
  it("keeps every task, and counts what it found", () => {
    expect(built.funnel).toMatchObject({
      rows: 13,
      records: 13,
      avts: 13,
      databases: 3,
      ambiguities: 24,
      findings: {
        database_missing: 1,
        ground_truth_missing: 1,
        knowledge_missing: 1,
        merged_terms: 1,
        reference_not_verified: 1,
        repaired: 1,
        term_not_in_request: 6,
        tests_not_run: 4,
        withheld_definition_public: 1,
      },
    });
  });

  it("marks what cannot be verified, with the reason, and nothing of the reference in it", () => {
    const reasons = built.records.flatMap(({ avt_id, verifier }) =>
      verifier.verifiable ? [] : [[avt_id.split("/").at(-1), verifier.not_verifiable]],
    );
    expect(reasons).toEqual([
      ["harbour_5", expect.stringContaining("bird.bench23@gmail.com")],
      ["orchard_3", "The reference does not verify against itself: gold_error (SQLSTATE 42703)."],
      ["lighthouse_1", expect.stringContaining("postgre_table_dumps/lighthouse_template/")],
    ]);
  });

  it("normalises and repairs, and says so in the record", () => {
    const merged = built.record("harbour_2");
    expect(merged.oracle.ambiguities.map(({ term }) => term)).toEqual([
      "risky berths",
      "water is left",
      "Draft Safety Margin (DSM)",
    ]);
    expect(merged.oracle.ambiguities[0]?.sql_snippet).toBe(
      "(b.depthm - b.maxdraft) < 1.5\nWHERE b.depthm - b.maxdraft < 1.5",
    );
    expect(merged.provenance.notes).toEqual(['"Risky berths" is annotated twice and is one ambiguity']);
    const repaired = built.record("harbour_3");
    expect(repaired.oracle.ambiguities[0]?.resolution).toBe("s.builtyear < 2000");
    expect(repaired.provenance.notes?.[0]).toContain("critical_ambiguity[0].sql_snippet");
    // One without a counted ambiguity stays.
    expect(built.record("harbour_4").oracle.ambiguities.filter(({ counts }) => counts)).toEqual([]);
  });

  it("withholds the deleted knowledge and no more, and no fragment is in the agent's zone", () => {
    const knowledge = (instance: string) =>
      built.record(instance).public.external_knowledge?.map(({ id }) => id);
    expect(knowledge("harbour_M_1")).toEqual(["0", "2", "4", "5", "6", "7", "8", "9"]);
    expect(knowledge("harbour_2")).toEqual(["0", "1", "2", "5", "6", "7", "8", "9"]);
    expect(knowledge("harbour_4")).toHaveLength(9);
    expect(knowledge("lighthouse_1")).toBeUndefined();
    // An entry outside the chain of children repeats the deleted formula: found, and kept.
    const ledger = built
      .text("ledger.jsonl")
      .split("\n")
      .find((line) => line.includes("harbour_M_1"));
    expect(ledger).toContain('\\"Late Call Surcharge\\" stays and has its formula of the withheld');
    for (const { public: open, oracle } of built.records) {
      const seen = JSON.stringify(open);
      for (const { sql_snippet = "" } of oracle.ambiguities)
        for (const fragment of sql_snippet.split("\n"))
          if (fragment.length > 12) expect(seen).not.toContain(JSON.stringify(fragment).slice(1, -1));
    }
  });

  it("names the comparison that applies, and the deviation where upstream's tests were not run", () => {
    for (const { verifier, provenance } of built.records) {
      expect(verifier.comparison.policy).toBe("bird_interact");
      expect(verifier.success).toBe("comparison");
      const deviates = verifier.category === "management";
      expect(provenance.notes?.some((note) => note.includes("tests of its own")) ?? false).toBe(deviates);
    }
    expect(built.record("harbour_1").verifier.comparison.ordered).toBe(true);
    expect(built.record("harbour_M_3").verifier.setup_sql).toEqual([
      "CREATE TABLE port_notes (note text, value numeric)",
    ]);
    expect(built.record("harbour_M_3").verifier.cleanup_sql).toHaveLength(2);
  });

  it("puts each database's files together into one dump, referred tables first", () => {
    const script = gunzipSync(
      readFileSync(join(built.folder, "databases", "harbour", "harbour.sql.gz")),
    ).toString();
    const at = (table: string): number => script.indexOf(`CREATE TABLE public.${table} (`);
    expect(at("berths")).toBeGreaterThan(0);
    expect(at("ships")).toBeGreaterThan(0);
    expect(at("portcalls")).toBeGreaterThan(Math.max(at("berths"), at("ships")));
    expect(readdirSync(join(built.folder, "databases")).sort()).toEqual(["harbour", "orchard"]);
  });

  it("puts all records of a database into one local slice", () => {
    const slices = new Map<string, Set<string>>();
    for (const { public: open, slices: own } of built.records) {
      const { database_id } = open.database;
      slices.set(database_id, new Set([...(slices.get(database_id) ?? []), ...own]));
    }
    expect([...slices.values()].every((one) => one.size === 1)).toBe(true);
    expect(new Set([...slices.values()].flatMap((one) => [...one]))).toEqual(
      new Set(["local-train", "local-test"]),
    );
  });

  it("is the same to the byte from another start, one statement at a time", async () => {
    const again = await buildBirdInteract(join(out, "b"), sampleFolder("bird-interact"), "--jobs", "1");
    for (const file of ["records.jsonl", "ledger.jsonl", "dropped.jsonl", "funnel.json", "lock.json"])
      expect(again.text(file), file).toBe(built.text(file));
    for (const name of ["harbour", "orchard"]) {
      const file = join("databases", name, `${name}.sql.gz`);
      expect(readFileSync(join(again.folder, file)).equals(readFileSync(join(built.folder, file)))).toBe(
        true,
      );
    }
  });
});

const linesBelow = (folder: string): { file: string; line: string }[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(jsonl|json|md)$/.test(entry.name))
    .flatMap((entry) => {
      const file = join(entry.parentPath, entry.name);
      return readFileSync(file, "utf8")
        .split("\n")
        .map((line) => ({ file, line }));
    });

describe("a release for publication", () => {
  let published: string;
  let whole: string;
  beforeAll(async () => {
    whole = await releaseOf(built, "1.0.0", false);
    published = await releaseOf(built, "1.0.1", true);
  });

  it("holds no ground truth in any of its files, and the whole release's scan would see it", () => {
    const scan = (folder: string): string[] =>
      linesBelow(folder).flatMap(({ file, line }) =>
        built.records.some(({ verifier }) => withheldIn(line, verifier))
          ? [file.slice(folder.length + 1)]
          : [],
      );
    expect(scan(published)).toEqual([]);
    expect(new Set(scan(whole))).toEqual(new Set(["verifier/bird-interact/all.jsonl"]));
    expect(existsSync(join(published, "verifier", "bird-interact"))).toBe(false);
    expect(linesBelow(join(published, "recipe"))[0]?.line).toContain('"ground_truth_sha256":"');
  });

  it("passes the audit as it is, and says what it lacks to who wants it whole", async () => {
    expect(await auditRelease(openSuite(published))).toEqual([]);
    const { code, stderr } = await ambitabHere([
      ..."eval --asker full --solver reference-when-resolved --quiet --run".split(" "),
      join(out, "run"),
      published,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain("ambitab merge-private");
  });

  it("does not take another ground truth than its own, and writes nothing then", async () => {
    const before = readFileSync(join(published, "SHA256SUMS"), "utf8");
    const other = join(out, "other.jsonl");
    const text = readFileSync(TRUTH, "utf8").replace("plantedyear < 2005", "plantedyear < 2006");
    rmSync(other, { force: true });

    writeFileSync(other, text);
    const { code, stderr } = await ambitabHere([
      "merge-private",
      published,
      "--ground-truth",
      other,
      "--quiet",
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      "gives orchard_1 another ground truth than the one that this release was built with",
    );
    expect(readFileSync(join(published, "SHA256SUMS"), "utf8")).toBe(before);
    expect(existsSync(join(published, "verifier"))).toBe(false);
  });

  it("takes it in parts, and is at last the whole release's verifier zone to the byte", async () => {
    const lines = readFileSync(TRUTH, "utf8").split("\n").filter(Boolean);
    const parts = [lines.slice(0, 4), lines.slice(4)].map((part, at) => {
      const file = join(out, `part-${at}.jsonl`);
      writeFileSync(file, `${part.join("\n")}\n`);
      return file;
    });
    const first = await ambitabHere([
      "merge-private",
      published,
      "--ground-truth",
      parts[0] ?? "",
      "--json",
      "--quiet",
    ]);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ results: [{ merged: 4, missing: expect.any(Array) }] });
    expect((await auditRelease(openSuite(published))).map(({ severity, code }) => [severity, code])).toEqual([
      ["warning", "lineage"],
    ]);
    const second = await ambitabHere([
      "merge-private",
      published,
      "--ground-truth",
      parts[1] ?? "",
      "--quiet",
    ]);
    expect(second.code).toBe(0);
    const zone = join("verifier", "bird-interact", "all.jsonl");
    expect(readFileSync(join(published, zone), "utf8")).toBe(readFileSync(join(whole, zone), "utf8"));
    expect(existsSync(join(published, "recipe"))).toBe(false);
    expect(await auditRelease(openSuite(published))).toEqual([]);
  });

  it.each([
    [["--ground-truth", "/no/such/file"], "there is no file /no/such/file"],
    [["--ground-truth", import.meta.filename], "expected JSON"],
  ])("says what is wrong with %j", async (args, message) => {
    const { code, stderr } = await ambitabHere(["merge-private", published, ...args, "--quiet"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("is made of a release, not of a build", async () => {
    const { code, stderr } = await ambitabHere([
      "merge-private",
      built.folder,
      "--ground-truth",
      TRUTH,
      "--quiet",
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("is a build, no release")]);
  });
});

const hasPsycopg = ((): boolean => {
  try {
    execFileSync("/usr/bin/python3", ["-c", "import psycopg2"], { stdio: "ignore" });
    return true;
  } catch {
    console.warn("skipped: no /usr/bin/python3 with psycopg2 here");
    return false;
  }
})();

describe.skipIf(!hasPsycopg)("with --run-upstream-tests", () => {
  it("the tasks' own tests decide, and the records say so", async () => {
    const tested = await buildBirdInteract(
      join(out, "c"),
      sampleFolder("bird-interact"),
      "--run-upstream-tests",
    );
    const decided = tested.records.flatMap(({ avt_id, verifier }) =>
      verifier.success === "tests" ? [[avt_id.split("/").at(-1), verifier.verifiable]] : [],
    );
    expect(decided).toEqual([
      ["harbour_M_1", true],
      ["harbour_M_2", true],
      ["harbour_M_3", true],
      ["orchard_M_1", true],
    ]);
    expect(tested.funnel.findings).not.toHaveProperty("tests_not_run");
  });
});
