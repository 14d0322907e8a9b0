import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { STATEMENT_FILE } from "../../pipelines/audit/statement.js";
import { UserError } from "../../pipelines/errors.js";
import { releaseTarget } from "../../pipelines/release/place.js";
import { checkIntegrity } from "../../pipelines/sql/index.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { GateClosed } from "../../scripts/release.js";
import {
  buildSample,
  DATASETS,
  recordsOf,
  releaseSample,
  temporaryFolder,
  treeOf,
  writeRecords,
} from "./sample.js";

let out = "";
let build = "";
let release = "";
let whole: TaskRecord[] = [];
beforeAll(async () => {
  out = temporaryFolder();
  build = await buildSample(out);
  release = await releaseSample(out);
  whole = await recordsOf(build);
});

const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("a release's zones", () => {
  it("are folders, whose lines hold the id and their own zone only", () => {
    expect(whole.length).toBeGreaterThan(20);
    const open = linesOf(join(release, "public/ambiqt/all.jsonl"));
    expect(Object.keys(open[0]!)).toEqual([
      "schema_version",
      "record_id",
      "avt_id",
      "dataset",
      "split",
      "slices",
      "public",
    ]);
    for (const zone of ["oracle", "verifier", "provenance"]) {
      const lines = linesOf(join(release, zone, "ambiqt/all.jsonl"));
      expect(lines.map(({ record_id }) => record_id)).toEqual(open.map(({ record_id }) => record_id));
      for (const line of lines) expect(Object.keys(line)).toEqual(["record_id", zone]);
    }
  });

  it("joined, give back exactly the build's records, in the build's order", async () => {
    expect(await recordsOf(release)).toEqual(whole);
  });

  it("come with drops, ledger, funnel, lock, manifest, schemas, documents and sums, and nothing else", () => {
    expect(readdirSync(release).sort()).toEqual([
      "CHANGELOG.md",
      "LICENSES.md",
      "README.md",
      "SHA256SUMS",
      "croissant.json",
      "databases",
      "dropped",
      "funnel.json",
      "ledger",
      "licences",
      "lock.json",
      "manifest.json",
      "oracle",
      "provenance",
      STATEMENT_FILE,
      "public",
      "schemas",
      "verifier",
    ]);
    for (const kind of ["dropped", "ledger"]) {
      const bytes = readFileSync(join(release, kind, "ambiqt.jsonl"));
      expect(bytes.equals(readFileSync(join(build, "ambiqt", `${kind}.jsonl`)))).toBe(true);
    }
    const listed = readFileSync(join(release, "SHA256SUMS"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(66), line.slice(0, 64)]);
    const { SHA256SUMS: _, ...files } = treeOf(release);
    expect(Object.fromEntries(listed)).toEqual(files);
  });

  it("are counted by the manifest", () => {
    const manifest = JSON.parse(readFileSync(join(release, "manifest.json"), "utf8")) as ReleaseManifest;
    expect(manifest.datasets.ambiqt).toMatchObject({
      records: whole.length,
      avts: new Set(whole.map(({ avt_id }) => avt_id)).size,
      ambiguities: whole.length,
      databases: new Set(whole.map(({ public: zone }) => zone.database.database_id)).size,
      splits: { all: whole.length },
      source: "ambiqt",
    });
    expect(manifest).toMatchObject({
      version: "1.0.0",
      zones: ["public", "oracle", "verifier", "provenance"],
    });
  });
});

describe("a release's databases", () => {
  it("open, are whole, answer the references and cannot be written", () => {
    const paths = new Set(whole.map(({ public: zone }) => zone.database.path));
    for (const path of paths) {
      const file = join(release, "databases/ambiqt", path);
      expect(checkIntegrity(file)).toEqual([]);
      expect(statSync(file).mode & 0o222).toBe(0);
    }
    const { verifier, public: zone } = whole[0]!;
    const db = new Database(join(release, "databases/ambiqt", zone.database.path), { readonly: true });
    expect(db.prepare(verifier.reference_sql[0]!).all().length).toBeGreaterThan(0);
    db.close();
  });
});

describe("a public-only release", () => {
  let folder = "";
  /** Strings of the private zones that stand in no public place by right: names of things of the database do. */
  function privateStrings(record: TaskRecord): string[] {
    const found: string[] = [];
    const walk = (value: unknown, key: string): void => {
      if (typeof value === "string") found.push(...(NAMES.has(key) ? [] : [value]));
      else if (Array.isArray(value)) for (const one of value) walk(one, key);
      else if (value !== null && typeof value === "object") {
        for (const [name, one] of Object.entries(value)) walk(one, name);
      }
    };
    const { oracle, verifier, provenance } = record;
    const { row_sha256, decisions_ref, notes } = provenance;
    // A request without ambiguities is its own clear request and hides nothing.
    const { clear_request: _c, ...bare } = oracle;
    walk(
      {
        oracle: oracle.ambiguities.length > 0 ? oracle : bare,
        verifier,
        own: { row_sha256, decisions_ref, notes },
      },
      "",
    );
    return found;
  }
  /** Terms are words of the request, aliases and snippets names of columns; the rest is of closed lists. */
  const NAMES = new Set([
    "term",
    "aliases",
    "concepts",
    "sql_snippet",
    "output_type",
    "ambiguity_id",
    "kind",
    "response_status",
    "policy",
    "success",
    "category",
  ]);

  it("holds no private byte in its whole tree", async () => {
    const all = temporaryFolder();
    const records = await recordsOf(await buildSample(all, DATASETS));
    expect(new Set(records.map(({ dataset }) => dataset))).toEqual(new Set(DATASETS));
    folder = await releaseSample(all, "1.0.0-public", true);
    expect(readdirSync(folder).sort()).toEqual([
      "CHANGELOG.md",
      "LICENSES.md",
      "README.md",
      "SHA256SUMS",
      "croissant.json",
      "databases",
      "funnel.json",
      "licences",
      "manifest.json",
      STATEMENT_FILE,
      "public",
      "schemas",
    ]);
    // BIRD's own question is EW-Bird's request and AmbiTab-Bird's clear one: the same row, public upstream and here.
    const asked = new Map(records.map((record) => [record.public.request, record]));
    const isAskedElsewhere = (secret: string, { oracle, provenance, dataset }: TaskRecord): boolean => {
      const other = asked.get(secret);
      if (secret !== oracle.clear_request || other === undefined) return false;
      return other.dataset !== dataset && other.provenance.row_sha256 === provenance.row_sha256;
    };
    const secrets = new Set(
      records.flatMap((record) => privateStrings(record).filter((text) => !isAskedElsewhere(text, record))),
    );
    expect(secrets.size).toBeGreaterThan(3 * records.length);
    const tree = Buffer.concat(Object.keys(treeOf(folder)).map((name) => readFileSync(join(folder, name))));
    // The search itself must be able to find: a public text of each record is there.
    for (const { public: zone } of records) expect(tree.includes(JSON.stringify(zone.request))).toBe(true);
    const told = [...secrets].filter(
      (secret) => tree.includes(secret) || tree.includes(JSON.stringify(secret).slice(1, -1)),
    );
    expect(told).toEqual([]);
  });

  it("does not tell the build's seed, from which the order of readings could be drawn again", () => {
    for (const name of Object.keys(treeOf(folder)).filter((one) => /^[^/]*\.json$/.test(one))) {
      expect(readFileSync(join(folder, name), "utf8")).not.toMatch(/"seed"/);
    }
  });
});

describe("a release's version", () => {
  it.each([
    ["1.0"],
    ["v1.0.0"],
    ["1.0.0/../../x"],
    ["latest"],
    [""],
    ["1.0.0-"],
    ["1.0.0 "],
    ["01.0.0"],
    ["1.0.0-a..b"],
  ])("is not %j", (version) => {
    const place = { releases: join(out, "releases"), version };
    expect(() => releaseTarget(place)).toThrow(UserError);
  });
  it("is X.Y.Z, or with a pre-release part, and is never one that is there already", () => {
    const place = { releases: join(out, "releases") };
    expect(releaseTarget({ ...place, version: "2.0.10-rc.1" })).toBe(join(out, "releases/2.0.10-rc.1"));
    expect(() => releaseTarget({ ...place, version: "1.0.0" })).toThrow("never overwritten");
  });
});

describe("the gate", () => {
  /** A build of its own to be tampered with. */
  function copyOfBuild(): { out: string; build: string } {
    const copy = temporaryFolder();
    cpSync(build, join(copy, "build"), { recursive: true });
    return { out: copy, build: join(copy, "build") };
  }

  async function refusal(folder: string): Promise<GateClosed> {
    try {
      await releaseSample(folder);
    } catch (error) {
      if (error instanceof GateClosed) {
        const left = existsSync(join(folder, "releases")) ? readdirSync(join(folder, "releases")) : [];
        expect(left.filter((name) => name !== ".lock")).toEqual([]);
        return error;
      }
      throw error;
    }
    throw new Error("the release was made");
  }

  /** Each on a record of an AVT, and so a database, of its own. */
  const faults: Record<string, (record: TaskRecord, databases: string) => void> = {
    reference_fails: ({ verifier }) => {
      verifier.reference_sql = ["SELECT nothing FROM nowhere"];
    },
    alternative_equal: ({ verifier }) => {
      verifier.alternative_sql = verifier.reference_sql;
    },
    response_empty: ({ oracle }) => {
      oracle.ambiguities[0]!.response = "";
    },
    schema: (record) => {
      Reflect.deleteProperty(record, "oracle");
    },
    "database: the file is not there": ({ public: zone }, databases) => {
      rmSync(join(databases, zone.database.path));
    },
    "database: not an SQLite database": ({ public: zone }, databases) => {
      rmSync(join(databases, zone.database.path));
      writeFileSync(
        join(databases, zone.database.path),
        "no database, but long enough to be read as one. ".repeat(99),
      );
    },
  };

  it("closes on every kind of fault, and says which record has it", async () => {
    const copy = copyOfBuild();
    const records = structuredClone(whole);
    const databases = [...new Set(records.map(({ public: zone }) => zone.database.path))];
    const places = Object.entries(faults).map(([told, spoil], index) => {
      const at = records.findIndex(({ public: zone }) => zone.database.path === databases[2 * index]);
      const place =
        told === "schema" ? `${copy.build}/ambiqt/records.jsonl, line ${at + 1}` : records[at]!.record_id;
      spoil(records[at]!, join(copy.build, "ambiqt/databases"));
      return { place, told };
    });
    writeRecords(copy.build, records);
    const { findings, gates, message } = await refusal(copy.out);
    expect(gates).toEqual(["validation", "reference run"]);
    expect(message).toMatch(/^the gate is closed: validation \(\d+ errors\), reference run \(\d+ errors\)$/);
    const errors = findings.filter(({ severity }) => severity === "error");
    for (const { place, told } of places) {
      const [code = "", message = ""] = told.split(": ");
      expect(errors).toContainEqual(
        expect.objectContaining({ code, place, message: expect.stringContaining(message) }),
      );
    }
  });

  it("closes on a valid record that is not the one that was built", async () => {
    const copy = copyOfBuild();
    writeRecords(
      copy.build,
      whole.map((record, index) => {
        const other = structuredClone(record);
        if (index === 2) other.oracle.ambiguities[0]!.response = "I mean something else than what was built.";
        return other;
      }),
    );
    const { findings, gates } = await refusal(copy.out);
    expect(gates).toEqual(["audit"]);
    expect(findings.filter(({ severity }) => severity === "error").map(({ code }) => code)).toEqual([
      "lineage",
    ]);
  });

  it("closes on a database whose bytes are not the build's", async () => {
    const copy = copyOfBuild();
    const file = join(copy.build, "ambiqt/databases", whole[0]!.public.database.path);
    const bytes = readFileSync(file);
    rmSync(file);
    copyFileSync(join(build, "ambiqt/databases", whole[0]!.public.database.path), file);
    chmodSync(file, 0o644);
    const db = new Database(file);
    db.pragma("user_version = 77");
    db.close();
    expect(readFileSync(file).equals(bytes)).toBe(false);
    const { findings } = await refusal(copy.out);
    expect(findings.map(({ code }) => code)).toContain("lineage");
  });
});
