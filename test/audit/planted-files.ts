/** Faults in a release's files, accounts and terms: each is planted in a copy of its own. */
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { LONGEST_LINE } from "../../pipelines/audit/text-soundness.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import type { SpoiledRelease } from "./tampering.js";

/** A fault, the code and severity under which the audit must tell it, and where. */
export interface PlantedFault {
  what: string;
  code: string;
  severity?: "error" | "warning";
  place: RegExp;
  plant: (release: SpoiledRelease, records: readonly TaskRecord[]) => void;
  /** SHA256SUMS is made anew, so that other checks than the hash must tell. */
  covered?: true;
  /** Planted in one copy with the others of the group, each to be told at its own place. */
  group?: "accounts" | "files" | "entries";
}

type Fields = Record<string, unknown>;
const DATABASE = "databases/ambiqt/";
const firstDatabase = (records: readonly TaskRecord[]): string =>
  `${DATABASE}${records.find(({ dataset }) => dataset === "ambiqt")?.public.database.path}`;

export const FILE_FAULTS: readonly PlantedFault[] = [
  {
    what: "a flipped byte in a database",
    code: "file_changed",
    place: /^databases\/ambiqt\/.*\.sqlite$/,
    group: "files",
    plant: (release, records) => {
      const file = firstDatabase(records);
      const bytes = Buffer.from(release.read(file), "latin1");
      bytes[100] = (bytes[100] ?? 0) ^ 1;
      release.write(file, bytes);
    },
  },
  {
    what: "an extra file",
    code: "file_unlisted",
    place: /^oracle\/ambiqt\/notes ü "x"\.txt$/,
    group: "files",
    plant: (release) => release.write('oracle/ambiqt/notes ü "x".txt', "hello\n"),
  },
  {
    what: "a missing file",
    code: "file_missing",
    place: /^schemas\/prompt\.schema\.json$/,
    group: "files",
    plant: (release) => release.remove("schemas/prompt.schema.json"),
  },
  {
    what: "a line of SHA256SUMS that is none",
    code: "file_misread",
    place: /^SHA256SUMS, line 3$/,
    plant: (release) => {
      const lines = release.read("SHA256SUMS").split("\n");
      lines[2] = (lines[2] ?? "").slice(1);
      release.write("SHA256SUMS", lines.join("\n"));
    },
  },
  {
    what: "a sum that is another file's",
    code: "file_changed",
    place: /^funnel\.json$/,
    group: "files",
    plant: (release) =>
      release.write(
        "SHA256SUMS",
        release.read("SHA256SUMS").replace(/^\w{64}(?= {2}funnel\.json$)/m, "0".repeat(64)),
      ),
  },
  {
    what: "a link that leads out of the release",
    code: "file_kind",
    place: /^public\/ambiqt\/passwords\.jsonl$/,
    group: "entries",
    plant: (release) => symlinkSync("/etc/passwd", release.at("public/ambiqt/passwords.jsonl")),
  },
  {
    what: "a zone's file that is a link to a device without end",
    code: "file_kind",
    place: /^verifier\/ambiqt\/all\.jsonl$/,
    group: "entries",
    plant: (release) => {
      release.remove("verifier/ambiqt/all.jsonl");
      symlinkSync("/dev/zero", release.at("verifier/ambiqt/all.jsonl"));
    },
  },
  {
    what: "a pipe in SHA256SUMS' place",
    code: "file_kind",
    place: /^SHA256SUMS$/,
    group: "entries",
    plant: (release) => {
      release.remove("SHA256SUMS");
      spawnSync("mkfifo", [release.at("SHA256SUMS")]);
    },
  },
  {
    what: "a byte that is no UTF-8",
    code: "not_utf8",
    place: /^provenance\/ambiqt\/all\.jsonl, line 2$/,
    plant: (release) => {
      const bytes = Buffer.from(release.read("provenance/ambiqt/all.jsonl"), "utf8");
      bytes[bytes.indexOf(0x0a) + 30] = 0xff;
      release.write("provenance/ambiqt/all.jsonl", bytes);
    },
    covered: true,
  },
  {
    what: "a line without end",
    code: "line_too_long",
    place: /^dropped\/ambiqt\.jsonl, line \d+$/,
    plant: (release) =>
      release.write(
        "dropped/ambiqt.jsonl",
        Buffer.concat([
          Buffer.from(release.read("dropped/ambiqt.jsonl")),
          Buffer.alloc(LONGEST_LINE + 2, "a"),
        ]),
      ),
    covered: true,
  },
  {
    what: "a JSONL file that is cut off",
    code: "unreadable",
    place: /oracle\/ambiqt\/all\.jsonl, line \d+$/,
    plant: (release) => {
      const text = release.read("oracle/ambiqt/all.jsonl");
      release.write("oracle/ambiqt/all.jsonl", text.slice(0, text.length / 2));
    },
    covered: true,
  },
  {
    what: "private zones where the manifest has none",
    code: "zone",
    place: /^verifier$/,
    plant: (release) =>
      release.json<ReleaseManifest>("manifest.json", (manifest) => {
        manifest.zones = ["public"];
      }),
    covered: true,
  },
  {
    what: "a zone that is missing",
    code: "zone",
    place: /^oracle\/taco\/all\.jsonl$/,
    plant: (release) => release.remove("oracle/taco"),
    covered: true,
  },
  {
    what: "a record that is missing from every zone",
    code: "lineage",
    place: /^ambiqt\/validation\/[^#]+#\d$/,
    plant: (release) => {
      for (const zone of ["public", "oracle", "verifier", "provenance"])
        release.lines(`${zone}/ambiqt/all.jsonl`, (line, at) => (at === 7 ? undefined : line));
    },
    covered: true,
  },
  {
    what: "records swapped between splits",
    code: "split",
    place: /^ew-bird\/(?:dev|train)\//,
    plant: (release) => {
      for (const zone of ["public", "oracle", "verifier", "provenance"]) {
        const [dev, train] = [`${zone}/ew-bird/dev.jsonl`, `${zone}/ew-bird/train.jsonl`];
        const [a, b] = [release.read(dev).split("\n"), release.read(train).split("\n")];
        const first = a[0] ?? "";
        a[0] = b[0] ?? "";
        b[0] = first;
        release.write(dev, a.join("\n"));
        release.write(train, b.join("\n"));
      }
    },
    covered: true,
    group: "accounts",
  },
  {
    what: "a lineage that is off by one row",
    code: "lineage_row",
    place: /^ambiqt\/validation\//,
    plant: (release) =>
      release.lines<{ provenance: { row: number } }>("provenance/ambiqt/all.jsonl", (line, at) => {
        if (at === 4) line.provenance.row += 1;
        return line;
      }),
    covered: true,
    group: "accounts",
  },
  {
    what: "a lineage with another row's hash",
    code: "lineage_row",
    place: /^ambiqt\/validation\//,
    plant: (release) =>
      release.lines<{ provenance: Fields }>("provenance/ambiqt/all.jsonl", (line, at) => {
        if (at === 5) line.provenance.row_sha256 = "f".repeat(64);
        return line;
      }),
    covered: true,
    group: "accounts",
  },
  {
    what: "a lineage to a file that the build never read",
    code: "lineage",
    place: /^ambiqt\/validation\//,
    plant: (release) =>
      release.lines<{ provenance: Fields }>("provenance/ambiqt/all.jsonl", (line, at) => {
        if (at === 6) line.provenance.file = "benchmark/other.json";
        return line;
      }),
    covered: true,
    group: "accounts",
  },
  {
    what: "a drop without a reason",
    code: "drop_schema",
    place: /^dropped\/ambiqt\.jsonl, line 1$/,
    plant: (release) =>
      release.lines("dropped/ambiqt.jsonl", ({ reason, ...line }, at) =>
        at === 0 ? line : { ...line, reason },
      ),
    covered: true,
    group: "accounts",
  },
  {
    what: "a drop for an unknown reason",
    code: "drop_reason",
    place: /^dropped\/ambiqt\.jsonl, line 2$/,
    plant: (release) =>
      release.lines("dropped/ambiqt.jsonl", (line, at) =>
        at === 1 ? { ...line, reason: "constructor" } : line,
      ),
    covered: true,
    group: "accounts",
  },
  {
    what: "a funnel that is off by one",
    code: "funnel",
    place: /^ambiqt$/,
    plant: (release) =>
      release.json<Record<string, { stages: { in: number }[] }>>("funnel.json", ({ ambiqt }) => {
        const stage = ambiqt?.stages[2];
        if (stage !== undefined) stage.in += 1;
      }),
    covered: true,
    group: "accounts",
  },
  {
    what: "a ledger line that is missing",
    code: "ledger",
    place: /^ambiqt$/,
    plant: (release) => release.lines("ledger/ambiqt.jsonl", (line, at) => (at === 3 ? undefined : line)),
    covered: true,
    group: "accounts",
  },
  {
    what: "a ledger line that neither keeps nor drops",
    code: "ledger",
    place: /^ledger\/ambiqt\.jsonl, line \d+$/,
    plant: (release) =>
      release.lines("ledger/ambiqt.jsonl", (line) => ({ ...line, record_ids: [], steps: [] })),
    covered: true,
  },
  {
    what: "a licence that is not the source's",
    code: "licence",
    place: /^manifest\.json, ambiqt$/,
    plant: (release) =>
      release.json<ReleaseManifest>("manifest.json", ({ datasets }) => {
        if (datasets.ambiqt !== undefined) datasets.ambiqt.licence = "CC0-1.0";
      }),
    covered: true,
    group: "accounts",
  },
  {
    what: "redistribution terms that promise more",
    code: "licence",
    place: /^manifest\.json, taco$/,
    plant: (release) =>
      release.json<ReleaseManifest>("manifest.json", ({ datasets }) => {
        if (datasets.taco !== undefined) datasets.taco.redistribution = "share-alike: everything";
      }),
    covered: true,
    group: "accounts",
  },
  {
    what: "a source that LICENSES.md does not credit",
    code: "attribution",
    place: /^LICENSES\.md$/,
    plant: (release, records) =>
      release.write("LICENSES.md", `# Licences\n\nNobody is credited for ${records.length} records.\n`),
    covered: true,
    group: "accounts",
  },
  {
    what: "LICENSES.md taken out",
    code: "attribution",
    place: /^LICENSES\.md$/,
    plant: (release) => release.remove("LICENSES.md"),
    covered: true,
  },
  {
    what: "a response archive that is cut off",
    code: "responses",
    place: /^responses\/ew-bird\.jsonl\.gz, line \d+$/,
    plant: (release) => release.write("responses/ew-bird.jsonl.gz", gzipSync("{}\n{}\n").subarray(0, -9)),
    covered: true,
    group: "accounts",
  },
  {
    what: "a licence's text taken out",
    code: "attribution",
    place: /^LICENSES\.md$/,
    plant: (release) => release.remove("licences"),
    covered: true,
  },
  {
    what: "a dataset without a licence in a publishable release",
    code: "redistribution",
    place: /^taco$/,
    plant: (release) =>
      release.json<ReleaseManifest>("manifest.json", ({ datasets }) => {
        if (datasets.ambiqt !== undefined)
          datasets.ambiqt.zones = ["public", "oracle", "verifier", "provenance"];
      }),
    covered: true,
    group: "accounts",
  },
  {
    what: "a description that gives a file another hash",
    code: "card",
    place: /^croissant\.json$/,
    group: "files",
    plant: (release) =>
      release.json<{ distribution: Fields[] }>("croissant.json", ({ distribution }) => {
        const [file] = distribution;
        if (file !== undefined) file.sha256 = "1".repeat(64);
      }),
  },
  {
    what: "a card that loads a file that is not here",
    code: "card",
    place: /^README\.md$/,
    group: "files",
    plant: (release) =>
      release.write(
        "README.md",
        release.read("README.md").replace("public/ambiqt/all.jsonl", "public/ambiqt/test.jsonl"),
      ),
  },
  {
    what: "a statement that leaves a file out",
    code: "statement",
    place: /^funnel\.json$/,
    plant: (release) =>
      release.json<{ subject: { name: string }[] }>("provenance.intoto.json", (statement) => {
        statement.subject = statement.subject.filter(({ name }) => name !== "funnel.json");
      }),
  },
  {
    what: "a frozen response quoted in the card",
    code: "shared_leak",
    place: /^README\.md, line \d+$/,
    group: "files",
    plant: (release, records) => {
      const quoted = records[0]?.oracle.ambiguities[0]?.response.toUpperCase();
      release.write("README.md", `${release.read("README.md")}\nFor example: ${quoted}\n`);
    },
  },
  {
    what: "a file named after a reference SQL",
    code: "shared_leak",
    place: /^schemas\/select /i,
    plant: (release, records) =>
      release.write(`schemas/${records[0]?.verifier.reference_sql[0]?.replaceAll("/", "")}.json`, "{}\n"),
    covered: true,
    group: "accounts",
  },
];
