import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { SUMS_FILE } from "../../pipelines/audit/checksums.js";
import type { Finding } from "../../pipelines/audit/finding.js";
import { auditFolder } from "../../pipelines/audit/release.js";
import { UserError } from "../../pipelines/errors.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { buildSample, recordsOf, releaseSample, temporaryFolder } from "../release/sample.js";
import { SpoiledRelease } from "./tampering.js";

let clean = "";
let publicOnly = "";
let records: TaskRecord[] = [];
beforeAll(async () => {
  const out = temporaryFolder();
  await buildSample(out);
  clean = await releaseSample(out);
  publicOnly = await releaseSample(out, "1.0.0-public", true);
  records = await recordsOf(clean);
});

/** A copy of a release to be tampered with; databases are copied as well as the rest. */
function copyOf(release: string): string {
  const copy = join(temporaryFolder(), "release");
  cpSync(release, copy, { recursive: true });
  return copy;
}

type Fields = Record<string, unknown>;

/** Changes the lines of a JSONL file: each is given parsed, with its position; undefined takes it out. */
function editLines<T = Fields>(path: string, edit: (value: T, index: number) => T | undefined): void {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const kept = lines.flatMap((line, index) => {
    const value = edit(JSON.parse(line) as T, index);
    return value === undefined ? [] : [`${JSON.stringify(value)}\n`];
  });
  writeFileSync(path, kept.join(""));
}

function editJson<T = Fields>(path: string, edit: (value: T) => void): void {
  const value = JSON.parse(readFileSync(path, "utf8")) as T;
  edit(value);
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

const errorsOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ severity }) => severity === "error");

/**
 * Tampers with a copy and gives the codes of what the audit finds, first as it is, then with statement and SHA256SUMS made
 * anew, as one who covers his tracks would: then only the other checks can tell.
 */
async function audited(
  tamper: (release: string) => void,
  release = clean,
): Promise<{ plain: Finding[]; covered: Finding[] }> {
  const copy = copyOf(release);
  tamper(copy);
  const plain = errorsOf((await auditFolder(copy)).findings);
  await new SpoiledRelease(copy).cover();
  return { plain, covered: errorsOf((await auditFolder(copy)).findings) };
}
const codes = (findings: readonly Finding[]): string[] =>
  [...new Set(findings.map(({ code }) => code))].sort();

describe("the audit of a clean release", () => {
  it("finds nothing, whole or public-only, moved or not", async () => {
    for (const release of [clean, publicOnly]) {
      expect((await auditFolder(release)).findings).toEqual([]);
      expect((await auditFolder(copyOf(release))).findings).toEqual([]);
    }
  });

  it("is refused for a folder that is no release", async () => {
    await expect(auditFolder(temporaryFolder())).rejects.toThrow(UserError);
    await expect(auditFolder(join(temporaryFolder(), "nowhere"))).rejects.toThrow(UserError);
  });
});

describe("what was done to the files of a release", () => {
  const faults: [string, string[], string[], (release: string) => void][] = [
    [
      "a changed file",
      ["file_changed"],
      [],
      (r) => appendFileSync(join(r, "schemas/record.schema.json"), "\n"),
    ],
    ["a missing file", ["file_missing"], [], (r) => rmSync(join(r, "schemas/prompt.schema.json"))],
    ["an extra file", ["file_unlisted"], [], (r) => writeFileSync(join(r, "notes.txt"), "hello")],
    ["no list of files", ["file_missing"], [], (r) => rmSync(join(r, SUMS_FILE))],
    [
      "a list that cannot be read",
      ["file_misread", "file_unlisted", "statement"],
      [],
      (r) => {
        const list = readFileSync(join(r, SUMS_FILE), "utf8");
        writeFileSync(join(r, SUMS_FILE), list.replace(/^.{5}(.+ databases\/)/m, "$1"));
      },
    ],
    [
      "a record missing from one zone",
      ["file_changed", "lineage", "unreadable"],
      ["lineage", "unreadable"],
      (r) => editLines(join(r, "oracle/ambiqt/all.jsonl"), (line, at) => (at === 7 ? undefined : line)),
    ],
    [
      "zones in another order",
      ["file_changed", "lineage", "unreadable"],
      ["lineage", "unreadable"],
      (r) => {
        const path = join(r, "verifier/ambiqt/all.jsonl");
        const [first, second, ...rest] = readFileSync(path, "utf8").split("\n");
        writeFileSync(path, [second, first, ...rest].join("\n"));
      },
    ],
    [
      "a record missing from all zones",
      ["file_changed", "lineage", "manifest"],
      ["lineage", "manifest"],
      (r) => {
        for (const zone of ["public", "oracle", "verifier", "provenance"]) {
          editLines(join(r, zone, "ambiqt/all.jsonl"), (line, at) => (at === 7 ? undefined : line));
        }
      },
    ],
    [
      "a zone missing",
      ["file_missing", "zone"],
      ["zone"],
      (r) => rmSync(join(r, "provenance"), { recursive: true }),
    ],
    [
      "counts of the manifest that are wrong",
      ["file_changed", "manifest"],
      ["manifest"],
      (r) =>
        editJson<ReleaseManifest>(join(r, "manifest.json"), ({ datasets }) => {
          datasets.ambiqt!.avts += 1;
        }),
    ],
    [
      "a licence that is not the source's",
      ["file_changed", "licence"],
      ["licence"],
      (r) =>
        editJson<ReleaseManifest>(join(r, "manifest.json"), ({ datasets }) => {
          datasets.ambiqt!.licence = "CC0-1.0";
        }),
    ],
    [
      "a dataset that is in the manifest alone",
      ["file_changed", "manifest", "zone"],
      ["manifest", "zone"],
      (r) =>
        editJson<ReleaseManifest>(join(r, "manifest.json"), ({ datasets }) => {
          datasets.taco = { ...datasets.ambiqt!, source: "taco" };
        }),
    ],
    [
      "an unknown drop reason",
      ["drop_reason", "file_changed", "funnel"],
      ["drop_reason", "funnel", "lineage"],
      (r) =>
        editLines(join(r, "dropped/ambiqt.jsonl"), (line, at) =>
          at === 0 ? { ...line, reason: "did_not_like_it" } : line,
        ),
    ],
    [
      "a drop that is not listed",
      ["file_changed", "funnel"],
      ["funnel", "lineage"],
      (r) => editLines(join(r, "dropped/ambiqt.jsonl"), (line, at) => (at === 0 ? undefined : line)),
    ],
    [
      "a funnel that does not add up",
      ["file_changed", "funnel"],
      ["funnel"],
      (r) =>
        editJson<Record<string, { stages: { in: number }[] }>>(join(r, "funnel.json"), ({ ambiqt }) => {
          ambiqt!.stages[2]!.in += 1;
        }),
    ],
    [
      "a ledger row missing",
      ["file_changed", "ledger", "lineage"],
      ["ledger", "lineage"],
      (r) => editLines(join(r, "ledger/ambiqt.jsonl"), (line, at) => (at === 3 ? undefined : line)),
    ],
    [
      "a record that is not in the ledger",
      ["file_changed", "ledger", "lineage"],
      ["ledger", "lineage"],
      (r) => editLines(join(r, "ledger/ambiqt.jsonl"), (line) => ({ ...line, record_ids: [] })),
    ],
    [
      "another hash of the source file",
      ["file_changed", "lineage"],
      ["lineage"],
      (r) =>
        editLines<{ origin: Fields }>(join(r, "ledger/ambiqt.jsonl"), (line, at) =>
          at === 3 ? { ...line, origin: { ...line.origin, file_sha256: "0".repeat(64) } } : line,
        ),
    ],
    [
      "another hash in a record's provenance",
      ["file_changed", "lineage", "lineage_row"],
      ["lineage", "lineage_row"],
      (r) =>
        editLines<{ provenance: Fields }>(join(r, "provenance/ambiqt/all.jsonl"), (line, at) =>
          at === 3 ? { ...line, provenance: { ...line.provenance, row_sha256: "f".repeat(64) } } : line,
        ),
    ],
    [
      "other bytes of a database",
      ["file_changed"],
      ["lineage"],
      (r) => {
        const file = join(r, "databases/ambiqt", records[0]!.public.database.path);
        chmodSync(file, 0o644);
        const db = new Database(file);
        db.pragma("user_version = 3");
        db.close();
      },
    ],
    [
      "a response that is another one",
      ["file_changed", "lineage"],
      ["lineage"],
      (r) =>
        editLines<{ oracle: { ambiguities: Fields[] } }>(join(r, "oracle/ambiqt/all.jsonl"), (line, at) => {
          if (at === 5) line.oracle.ambiguities[0]!.response = "Nothing at all, really.";
          return line;
        }),
    ],
    [
      "a record without its oracle zone",
      ["file_changed", "lineage", "manifest", "schema"],
      ["lineage", "manifest", "schema"],
      (r) => editLines(join(r, "oracle/ambiqt/all.jsonl"), ({ record_id }) => ({ record_id })),
    ],
    [
      "a public zone that tells a reading",
      ["file_changed", "lineage", "readings_told_apart"],
      ["lineage", "readings_told_apart"],
      (r) =>
        editLines<{ public: Fields }>(join(r, "public/ambiqt/all.jsonl"), (line, at) =>
          at === 0 ? { ...line, public: { ...line.public, column_meanings: { "a.b": "odd" } } } : line,
        ),
    ],
  ];

  it.each(faults)("%s", async (_, plainly, underNewSums, tamper) => {
    const { plain, covered } = await audited(tamper);
    expect(codes(plain)).toEqual(plainly);
    expect(codes(covered)).toEqual(underNewSums);
  });

  it("names the file, whether the list is the old one or a new one", async () => {
    const place = `databases/ambiqt/${records[0]!.public.database.path}`;
    const { plain, covered } = await audited((r) => rmSync(join(r, place)));
    expect(plain).toEqual([expect.objectContaining({ code: "file_missing", place })]);
    expect(covered).toEqual([expect.objectContaining({ code: "lineage", place })]);
  });

  it.each(["oracle", "verifier", "provenance", "dropped", "ledger"])(
    "a folder %s in a public-only release",
    async (zone) => {
      const { plain, covered } = await audited(
        (r) => cpSync(join(clean, zone), join(r, zone), { recursive: true }),
        publicOnly,
      );
      expect(codes(plain)).toEqual(["file_unlisted", "zone"]);
      expect(codes(covered)).toEqual(["zone"]);
    },
  );
});

describe("broken JSON", () => {
  const files = [
    "manifest.json",
    "funnel.json",
    "lock.json",
    "public/ambiqt/all.jsonl",
    "oracle/ambiqt/all.jsonl",
    "dropped/ambiqt.jsonl",
    "ledger/ambiqt.jsonl",
  ];
  it.each(files)("in %s is a finding, never a crash", async (file) => {
    for (const spoil of [(text: string) => text.slice(0, text.length / 2), () => "[]\n\u0000"]) {
      const copy = copyOf(clean);
      writeFileSync(join(copy, file), spoil(readFileSync(join(copy, file), "utf8")));
      await new SpoiledRelease(copy).cover();
      expect(errorsOf((await auditFolder(copy)).findings).length).toBeGreaterThan(0);
    }
  });

  it("a folder where a file was, and a file where a folder was, are findings", async () => {
    const { plain } = await audited((r) => {
      rmSync(join(r, "lock.json"));
      mkdirSync(join(r, "lock.json"));
      writeFileSync(join(r, "public/notes.txt"), "a file among the datasets");
    });
    expect(codes(plain)).toContain("unreadable");
    const { plain: moved } = await audited((r) => renameSync(join(r, "public"), join(r, "private")));
    expect(moved.length).toBeGreaterThan(0);
  });
});
