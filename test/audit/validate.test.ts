import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countFindings, type Finding } from "../../pipelines/audit/finding.js";
import { validate } from "../../pipelines/audit/validate.js";
import { openSuite } from "../../pipelines/record/suite.js";
import { openSqliteSandbox, type SqliteSandbox } from "../../pipelines/sql/index.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { type BuiltSuite, builtAmbiqt, copyOf } from "./built-sample.js";
import { ambiguity, one, PLANTED_FAULTS, pair, type Tampered } from "./planted-faults.js";

let clean: BuiltSuite;
let sandbox: SqliteSandbox;
beforeAll(async () => {
  clean = await builtAmbiqt();
  sandbox = openSqliteSandbox({ children: 2 });
});
afterAll(async () => {
  await sandbox.close();
  clean.remove();
});

async function findingsAt(path: string): Promise<Finding[]> {
  const all: Finding[] = [];
  for await (const { findings } of validate(openSuite(path).datasets, sandbox, 8)) all.push(...findings);
  return all;
}

/** What validation says of a copy after a change; ordinary findings of the clean build are left out. */
async function errorsAfter(change: (tampered: Tampered) => void): Promise<Finding[]> {
  const copy = copyOf(clean);
  try {
    const { folder, databases } = copy.dataset;
    const path = join(folder, "records.jsonl");
    // Three requests are enough to be spoiled, and quickly validated.
    const lines = readFileSync(path, "utf8").trim().split("\n").slice(0, 6);
    const records = lines.map((line) => JSON.parse(line) as TaskRecord);
    change({ records, folder, database: (record) => join(databases, record.public.database.path) });
    writeFileSync(path, `${records.map((record) => JSON.stringify(record)).join("\n")}\n`);
    return (await findingsAt(copy.out)).filter(({ severity }) => severity === "error");
  } finally {
    copy.remove();
  }
}

describe("a clean build", () => {
  it("has no error; what it has are warnings that the build counted too", async () => {
    const counts = countFindings(await findingsAt(clean.out));
    expect(counts.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(counts.map(({ code }) => code)).toContain("names_reading");
  });
});

describe("a fault that was planted is found and named", () => {
  for (const [what, code, said, change] of PLANTED_FAULTS) {
    it(`${what}: ${code}`, async () => {
      const errors = await errorsAfter(change);
      const found = errors.filter((error) => error.code === code);
      expect(found.length, JSON.stringify(errors)).toBeGreaterThan(0);
      expect(
        found.some(({ message }) => said.test(message)),
        JSON.stringify(found),
      ).toBe(true);
      expect(found.every(({ place }) => /ambiqt\/validation\/|records\.jsonl, line \d+/.test(place))).toBe(
        true,
      );
      // Nothing else is blamed.
      expect(new Set(errors.map((error) => error.code))).toEqual(new Set([code]));
    });
  }

  it("an id that two datasets share", async () => {
    const copy = copyOf(clean);
    const twin = join(dirname(copy.dataset.folder), "ambrosia");
    mkdirSync(twin);
    for (const name of ["records.jsonl", "lock.json", "databases"])
      cpSync(join(copy.dataset.folder, name), join(twin, name), { recursive: true });
    const found = (await findingsAt(copy.out)).filter(({ code }) => code === "record_id_twice");
    copy.remove();
    expect(found.length).toBe(
      readFileSync(join(clean.dataset.folder, "records.jsonl"), "utf8").trim().split("\n").length,
    );
    expect(found[0]?.message).toMatch(
      /ambiqt\/records\.jsonl, line 1 and again at .*ambrosia\/records\.jsonl/,
    );
  });

  it("a reference without rows is an error, but for AmbiQT a finding", async () => {
    const empty = (dataset: "ambiqt" | "ambrosia") => (t: Tampered) => {
      for (const record of pair(t)) {
        record.dataset = dataset;
        record.provenance.source = dataset;
        record.verifier.reference_sql = ["SELECT 1 WHERE 0"];
        record.verifier.alternative_sql = [];
      }
    };
    expect((await errorsAfter(empty("ambrosia"))).map(({ code }) => code)).toEqual([
      "reference_empty",
      "reference_empty",
    ]);
    expect(await errorsAfter(empty("ambiqt"))).toEqual([]);
  });

  it("rules about running do not bind a record that is not verifiable", async () => {
    const errors = await errorsAfter((t) => {
      const record = one(t);
      record.verifier.verifiable = false;
      record.verifier.not_verifiable = "the ground truth is withheld";
      record.verifier.reference_sql = ["SELECT broken FROM nowhere"];
    });
    expect(errors).toEqual([]);
  });

  it("warnings: a response that waits for review, a term that is not in the request", async () => {
    const copy = copyOf(clean);
    const path = join(copy.dataset.folder, "records.jsonl");
    const lines = readFileSync(path, "utf8").trim().split("\n").slice(0, 2);
    const changed = lines.map((line) => {
      const record = JSON.parse(line) as TaskRecord;
      ambiguity(record).response_status = "needs_review";
      ambiguity(record).term = "quite another thing";
      return JSON.stringify(record);
    });
    writeFileSync(path, changed.join("\n"));
    const counts = countFindings(await findingsAt(copy.out));
    copy.remove();
    expect(counts).toContainEqual({ code: "needs_review", severity: "warning", count: 2 });
    expect(counts).toContainEqual({ code: "term_not_in_request", severity: "warning", count: 2 });
  });

  it("a database that holds a hot journal or another format is not changed by the look", async () => {
    const copy = copyOf(clean);
    const [first] = readFileSync(join(copy.dataset.folder, "records.jsonl"), "utf8").split("\n");
    const path = join(copy.dataset.databases, (JSON.parse(first ?? "{}") as TaskRecord).public.database.path);
    const bytes = readFileSync(path);
    await findingsAt(copy.out);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    const db = new Database(path, { readonly: true });
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    db.close();
    copy.remove();
  });
});
