/**
 * Every kind of fault that the audit is there for, planted in copies of a release of samples and found under its code, at
 * its place. Prints the table of them.
 */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuditWish, audit } from "../../pipelines/audit/audit.js";
import type { Finding } from "../../pipelines/audit/finding.js";
import type { AuditReport } from "../../pipelines/audit/report.js";
import type { SourceCopy } from "../../pipelines/audit/source-rows.js";
import { gate } from "../../pipelines/release/gate.js";
import { openSqliteSandbox, type SqliteSandbox } from "../../pipelines/sql/index.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { sampleFolder } from "../../sources/index.js";
import { buildSample, recordsOf, temporaryFolder, writeSample } from "../release/sample.js";
import { FILE_FAULTS, type PlantedFault } from "./planted-files.js";
import { type RecordFault, SQL_FAULTS, TEXT_FAULTS } from "./planted-texts.js";
import { SpoiledRelease } from "./tampering.js";

let clean = "";
let records: TaskRecord[] = [];
let sandbox: SqliteSandbox;
beforeAll(async () => {
  const out = temporaryFolder();
  await buildSample(out, ["ambiqt", "ew-bird", "taco"]);
  ({ folder: clean } = await writeSample(out, "1.0.0"));
  records = await recordsOf(clean);
  sandbox = openSqliteSandbox({ children: 2 });
});

/** What was planted and how it was told: the test's own output. */
const found: string[] = [];
afterAll(async () => {
  await sandbox.close();
  console.info(["| fault | code | severity | place |", "| --- | --- | --- | --- |", ...found].join("\n"));
});
const tell = (what: string, { code, severity, place }: Finding): void => {
  const shown = place.length > 60 ? `${place.slice(0, 59)}…` : place;
  found.push(`| ${what} | \`${code}\` | ${severity} | ${shown.replaceAll("|", "\\|")} |`);
};

const spoiled = (): SpoiledRelease => new SpoiledRelease(join(temporaryFolder(), "release"), clean);
const executing = (): AuditWish => ({
  execute: { engines: sandbox, width: 8, gate: (datasets, sql, say) => gate(datasets, sql, 8, say) },
});
const errorsOf = ({ findings }: AuditReport): Finding[] =>
  findings.filter(({ severity }) => severity === "error");

describe("the clean release", () => {
  it("has no error, and says what was looked at", async () => {
    const report = await audit(clean, { ...executing(), rootOf: rootOf() });
    expect(errorsOf(report)).toEqual([]);
    expect(report.passed).toBe(true);
    const checked = new Map(report.checks.map(({ what, checked: count }) => [what, count]));
    expect(checked.get("records read through all zones that are here")).toBe(records.length);
    expect(checked.get("lineages from record to ledger row")).toBe(records.length);
    expect(checked.get("ledger rows read again in the source")).toBeGreaterThan(100);
    expect(checked.get("reference results against those that the ledger recorded")).toBe(records.length);
    for (const { what, checked: count, left_out } of report.checks)
      expect(count > 0 || left_out !== undefined, what).toBe(true);
  });
});

/** Sources: the samples, or a spoiled copy of AmbiQT's. */
const rootOf =
  (ambiqt = sampleFolder("ambiqt"), named = true) =>
  (source: string): SourceCopy | undefined => {
    if (source === "ambiqt") return { root: ambiqt, named };
    return source === "bird" || source === "taco" ? { root: sampleFolder(source), named } : undefined;
  };

/** Tells a fault that was found under its code, at its place. */
function expectFault(
  { what, code, severity = "error", place }: PlantedFault,
  { findings, passed }: AuditReport,
): void {
  const at = findings.filter(
    (one) => one.code === code && one.severity === severity && place.test(one.place),
  );
  expect(at.length, `${what}: ${JSON.stringify(findings.slice(0, 10), null, 1)}`).toBeGreaterThan(0);
  expect(passed).toBe(false);
  if (at[0] !== undefined) tell(what, at[0]);
}

describe("a fault in the files, the accounts or the terms", () => {
  it.each(FILE_FAULTS.filter(({ group }) => group === undefined))("$what: $code", async (fault) => {
    const release = spoiled();
    fault.plant(release, records);
    if (fault.covered) await release.cover();
    expectFault(fault, await audit(release.path));
  });

  it.each(["files", "entries", "accounts"])("and many at once, each at its own place: %s", async (name) => {
    const release = spoiled();
    const faults = FILE_FAULTS.filter(({ group }) => group === name);
    for (const { plant } of faults) plant(release, records);
    if (faults.every(({ covered }) => covered)) await release.cover();
    const report = await audit(release.path);
    for (const fault of faults) expectFault(fault, report);
  });
});

/** Gives each fault a request of its own. */
function assigned(faults: readonly RecordFault[]): { fault: RecordFault; readings: TaskRecord[] }[] {
  const taken = new Set<string>();
  return faults.map((fault) => {
    const first = records.find(
      (record) =>
        record.dataset === fault.dataset &&
        !taken.has(record.avt_id) &&
        (record.verifier.alternative_sql ?? []).length + record.oracle.ambiguities.length > 0 &&
        (fault.fits?.(record) ?? true),
    );
    if (first === undefined) throw new Error(`the samples have no request left for: ${fault.what}`);
    taken.add(first.avt_id);
    return { fault, readings: records.filter(({ avt_id }) => avt_id === first.avt_id) };
  });
}

/** Plants all faults in one copy, and gives it with where each fault must be told. */
async function planted(faults: readonly RecordFault[]): Promise<{
  release: SpoiledRelease;
  places: { fault: RecordFault; avt_id: string; database: string }[];
}> {
  const release = spoiled();
  const places = assigned(faults).map(({ fault, readings }) => {
    const [first] = readings;
    if (first === undefined) throw new Error("a request has a reading");
    const ids = (fault.alone ? [first] : readings).map(({ record_id }) => record_id);
    const original = structuredClone(first);
    release.records(ids, (record) => fault.change(record, original));
    fault.database?.(release, original);
    return { fault, avt_id: first.avt_id, database: first.public.database.path };
  });
  await release.cover();
  return { release, places };
}

/** Finds each fault at its place, and no leak or undecided result where nothing was planted. */
function expectAll(
  { findings }: AuditReport,
  places: { fault: RecordFault; avt_id: string; database: string }[],
): void {
  for (const { fault, avt_id } of places) {
    const { code, severity = "error", what } = fault;
    const at = findings.filter(
      (one) => one.code === code && one.severity === severity && one.place.startsWith(`${avt_id}#`),
    );
    const there = findings.filter((one) => one.place.startsWith(avt_id));
    expect(at.length, `${what}: ${JSON.stringify(there, null, 1)}`).toBeGreaterThan(0);
    if (at[0] !== undefined) tell(what, at[0]);
  }
  const leaks = /leak|hint|told_apart|in_id/;
  // Requests on one database see the same schema.
  const databases = places.flatMap(({ fault, database }) => (fault.database === undefined ? [] : [database]));
  const seeing = records.filter(({ public: zone }) => databases.includes(zone.database.path));
  const right = [...places, ...seeing].map(({ avt_id }) => `${avt_id}#`);
  const elsewhere = findings.filter(
    ({ code, place }) => leaks.test(code) && !right.some((start) => place.startsWith(start)),
  );
  expect(elsewhere).toEqual([]);
}

describe("faults in what records say and show", () => {
  it("are each told at their record", async () => {
    const { release, places } = await planted(TEXT_FAULTS);
    expectAll(await audit(release.path), places);
  });

  it("private text in a database's cell", async () => {
    const release = spoiled();
    const [first] = records;
    const secret = first?.oracle.ambiguities[0]?.response;
    const file = `databases/ambiqt/${first?.public.database.path}`;
    release.database(file, (db) => {
      db.exec('CREATE TABLE "odd \' name" (note)');
      db.prepare('INSERT INTO "odd \' name" VALUES (?)').run(`psst: ${secret}`);
    });
    await release.cover();
    const { findings } = await audit(release.path, executing());
    const [leak] = findings.filter(({ code }) => code === "database_leak");
    expect(leak?.place).toBe(`${file}, table odd ' name, column note`);
    if (leak !== undefined) tell("a response in a cell of a database", leak);
  });

  const ranked: [string, (all: TaskRecord[]) => TaskRecord[]][] = [
    ["the file's order tells the reading", (all) => all],
    [
      "the ids' suffixes tell the reading",
      (all) => all.map((one, at) => ({ ...one, record_id: `${one.avt_id}#${at + 1}` })).reverse(),
    ],
  ];
  it.each(ranked)("%s", async (what, arrange) => {
    const release = spoiled();
    const ambiqt = records.filter(({ dataset }) => dataset === "ambiqt");
    const avts = [...new Set(ambiqt.map(({ avt_id }) => avt_id))];
    const choice = ({ oracle }: TaskRecord): string => oracle.ambiguities[0]?.resolution ?? "";
    const ordered = avts.flatMap((id, at) => {
      const readings = ambiqt.filter(({ avt_id }) => avt_id === id);
      const sorted = arrange(readings.sort((a, b) => (choice(a) < choice(b) ? -1 : 1)));
      // The ids' suffixes must tell by themselves: the order does not.
      return at % 2 === 0 || what.startsWith("the file") ? sorted : sorted.reverse();
    });
    for (const zone of ["public", "oracle", "verifier", "provenance"] as const)
      release.write(
        `${zone}/ambiqt/all.jsonl`,
        ordered
          .map(({ oracle, verifier, provenance, ...open }) => {
            const parts = {
              public: open,
              oracle: { oracle },
              verifier: { verifier },
              provenance: { provenance },
            };
            return `${JSON.stringify({ record_id: open.record_id, ...parts[zone] })}\n`;
          })
          .join(""),
      );
    await release.cover();
    const told = (await audit(release.path)).findings.filter(({ code }) => code === "guessable");
    expect(told.length).toBeGreaterThan(0);
    expect(told.every(({ place }) => place === "ambiqt")).toBe(true);
    if (told[0] !== undefined) tell(what, told[0]);
  });
});

describe("faults in the SQL and what it runs on", () => {
  it("are each told at their record", async () => {
    const { release, places } = await planted(SQL_FAULTS);
    expectAll(await audit(release.path, executing()), places);
  });
});

describe("a source that is not what the build read", () => {
  const FILE = "benchmark/col-synonyms/validation.json";
  type Rows = Record<string, unknown>[];
  const faults: [string, string, RegExp, (rows: Rows) => Rows][] = [
    [
      "a source row that was changed",
      "source_row_changed",
      /validation\.json, row 3$/,
      (rows) => rows.map((row, at) => (at === 3 ? { ...row, question: `${row.question} Now.` } : row)),
    ],
    [
      "source rows that moved by one",
      "source_row_moved",
      /validation\.json, row \d+$/,
      (rows) => [...rows.slice(1), ...rows.slice(0, 1)],
    ],
    [
      "a source row that is gone",
      "source_row_missing",
      /validation\.json, row \d+$/,
      (rows) => rows.slice(0, -1),
    ],
    [
      "a source row that the ledger does not have",
      "source_row_unaccounted",
      /validation\.json, row \d+$/,
      (rows) => [...rows, { ...rows[0], orig_example_idx: 9_999 }],
    ],
    ["another file than was read", "source_changed", /^benchmark\//, (rows) => rows.slice(0, -1)],
  ];
  it.each(faults)("%s: %s", async (what, code, place, change) => {
    const copy = join(temporaryFolder(), "ambiqt");
    cpSync(sampleFolder("ambiqt"), copy, { recursive: true });
    const rows = JSON.parse(readFileSync(join(copy, FILE), "utf8")) as Rows;
    writeFileSync(join(copy, FILE), JSON.stringify(change(rows)));
    const { findings } = await audit(clean, { rootOf: rootOf(copy) });
    const at = findings.filter((one) => one.code === code && place.test(one.place));
    expect(at.length, JSON.stringify(findings.slice(0, 8), null, 1)).toBeGreaterThan(0);
    if (at[0] !== undefined) tell(what, at[0]);
  });

  it("is a warning where nobody named it as the build's", async () => {
    const { findings, passed } = await audit(clean, { rootOf: rootOf(temporaryFolder(), false) });
    expect(findings).toMatchObject([{ severity: "warning", code: "source_changed", place: "ambiqt" }]);
    expect(passed).toBe(true);
  });

  it("that is not here is a note, not silence", async () => {
    const { findings, passed, checks } = await audit(clean, { rootOf: () => undefined });
    expect(findings).toMatchObject([
      { severity: "info", code: "source_absent", place: "ambiqt, bird, taco" },
    ]);
    expect(passed).toBe(true);
    expect(checks.find(({ what }) => what.startsWith("ledger rows"))).toMatchObject({ checked: 0 });
  });
});
