import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { TaskRecord } from "../../schemas/types/record.js";
import { UserError } from "../errors.js";
import { findRecords } from "./find-records.js";
import { sha256 } from "./ids.js";
import { readJsonl } from "./jsonl.js";
import { type JoinedRecord, joinZones, type PublicLine, ZONES, type Zone } from "./zones.js";

/** A record and the file and line it stands at. */
export interface Placed<R = TaskRecord> {
  record: R;
  file: string;
  line: number;
}

/** One dataset of a build or of a release. */
export interface DatasetFolder {
  dataset: string;
  kind: "build" | "release";
  /** The folder that `databases/…` paths of its records are relative to. */
  databases: string;
  /** The build's folder, or the release's. */
  folder: string;
  /** The ledger's file, for searching without parsing all of it. */
  ledger: string;
  /** The files whose lines hold the records' provenance; none where that zone was left out. */
  provenance: readonly string[];
  /** Whether the private zones are here too. */
  whole: boolean;
  /** Streams whole records in file order. Throws a UserError where a private zone was left out. */
  records(): AsyncGenerator<Placed>;
  /** Some records by id, in file order, as far as the zones that are here tell them; parses no others. */
  find(ids: ReadonlySet<string>): Promise<JoinedRecord[]>;
  /** The zones that are here. */
  zones: readonly Zone[];
  /**
   * Streams records as far as the zones that are here tell them, for whoever evaluates with answers that others hold.
   */
  partialRecords(): AsyncGenerator<Placed<JoinedRecord>>;
  /** Streams what an agent may read, from the public zone alone where it is a file of its own. */
  publicRecords(): AsyncGenerator<Placed<PublicLine>>;
}

/** A build's or a release's datasets, and what identifies it. */
export interface Suite {
  path: string;
  kind: "build" | "release";
  /** The release's version, or the build's path. */
  name: string;
  /** Hash over all its files' hashes: stands in every result file. */
  hash: string;
  /** Hash over what an agent may read, the same for a release and for the same release with zones left out. */
  publicHash: string;
  datasets: DatasetFolder[];
}

async function* recordsOf(path: string): AsyncGenerator<Placed> {
  for await (const { line, value } of readJsonl<TaskRecord>(path)) yield { record: value, file: path, line };
}

function buildFolder(folder: string): DatasetFolder {
  const records = join(folder, "records.jsonl");
  return {
    dataset: basename(folder),
    kind: "build",
    databases: join(folder, "databases"),
    folder,
    ledger: join(folder, "ledger.jsonl"),
    provenance: [records],
    whole: true,
    zones: ZONES,
    records: () => recordsOf(records),
    find: (ids) => findRecords([[records]], ids),
    partialRecords: () => recordsOf(records),
    async *publicRecords() {
      for await (const placed of recordsOf(records)) {
        const { oracle: _o, verifier: _v, provenance: _p, ...open } = placed.record;
        yield { ...placed, record: open };
      }
    },
  };
}

function releaseFolder(release: string, dataset: string): DatasetFolder {
  const zoneFile = (zone: string, split: string): string => join(release, zone, dataset, split);
  const splits = readdirSync(join(release, "public", dataset))
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
  const here = ZONES.filter((zone) => splits.every((split) => existsSync(zoneFile(zone, split))));
  const whole = here.length === ZONES.length;
  async function* joined(zones: readonly string[]): AsyncGenerator<Placed<JoinedRecord>> {
    for (const split of splits) {
      const files = Object.fromEntries(zones.map((zone) => [zone, zoneFile(zone, split)]));
      const file = zoneFile("public", split);
      for await (const { record, line } of joinZones({ ...files, public: file }))
        yield { record, file, line };
    }
  }
  return {
    dataset,
    kind: "release",
    databases: join(release, "databases", dataset),
    folder: release,
    ledger: join(release, "ledger", `${dataset}.jsonl`),
    provenance: here.includes("provenance") ? splits.map((split) => zoneFile("provenance", split)) : [],
    whole,
    zones: here,
    partialRecords: () => joined(here),
    find: (ids) =>
      findRecords(
        splits.map((split) => here.map((zone) => zoneFile(zone, split))),
        ids,
      ),
    async *records() {
      if (!whole) {
        const recipe = existsSync(join(release, "recipe", dataset));
        throw new UserError(`${release} does not hold all private zones of ${dataset}`, {
          remedy: recipe
            ? `its ground truth is withheld by its authors: ask them for it, then ambitab merge-private ${release} --ground-truth FILE`
            : "this needs a whole release, not a public-only one",
        });
      }
      for await (const { record, file, line } of joined(ZONES))
        yield { record: record as TaskRecord, file, line };
    },
    publicRecords: () => joined(["public"]),
  };
}

/** The datasets of a release's folder, sorted by name; it may still be in the making and need no SHA256SUMS. */
export function releaseDatasets(release: string): DatasetFolder[] {
  return readdirSync(join(release, "public"))
    .filter((name) => !name.startsWith("."))
    .sort()
    .map((name) => releaseFolder(release, name));
}

/** A line of SHA256SUMS for a file that every copy of a release has. */
const isPublicSum = (line: string): boolean => /^[0-9a-f]{64} [ *](?:public|databases)\//.test(line);

/** The version that a release's manifest tells. */
function versionOf(release: string): string {
  const path = join(release, "manifest.json");
  try {
    return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
  } catch (cause) {
    throw new UserError(`${path} cannot be read, so this is no whole release`, {
      remedy: "take the release's files again from where they came",
      cause,
    });
  }
}

/** Folders with an entry of that name, sorted. */
function foldersWith(parent: string, name: string): string[] {
  return readdirSync(parent)
    .filter((entry) => !entry.startsWith(".") && existsSync(join(parent, entry, name)))
    .sort();
}

/**
 * Opens what a person names: a release, one dataset's build folder, the folder that holds builds (`out/build`), or the
 * output folder itself (`out`, which means its builds). Datasets are sorted by name.
 *
 * @throws UserError when there is neither
 */
export function openSuite(named: string): Suite {
  const path = resolve(named);
  if (!existsSync(path) || !statSync(path).isDirectory()) {
    throw new UserError(`there is no folder ${named}`, {
      remedy: "name a release, or a build such as out/build",
    });
  }
  if (existsSync(join(path, "SHA256SUMS")) && existsSync(join(path, "public"))) {
    const version = versionOf(path);
    const sums = readFileSync(join(path, "SHA256SUMS"), "utf8");
    const hash = sha256(sums);
    return {
      path,
      kind: "release",
      name: version,
      hash,
      publicHash: sha256(sums.split("\n").filter(isPublicSum).join("\n")),
      datasets: releaseDatasets(path),
    };
  }
  const single = existsSync(join(path, "records.jsonl"));
  const parent = existsSync(join(path, "build")) ? join(path, "build") : path;
  const folders = single ? [path] : foldersWith(parent, "records.jsonl").map((name) => join(parent, name));
  if (folders.length === 0) {
    throw new UserError(`${named} holds no build and no release`, {
      remedy: "run ambitab build first, or name the folder of a build or a release",
    });
  }
  const locks = folders.map((folder) => {
    const lock = join(folder, "lock.json");
    if (existsSync(lock)) return sha256(readFileSync(lock));
    throw new UserError(`${folder} has no lock.json, so it is no whole build`, {
      remedy: "build it again with ambitab build",
    });
  });
  const hash = sha256(locks.join("\n"));
  return {
    path,
    kind: "build",
    name: named,
    hash,
    // A build has no parts that could be left out.
    publicHash: hash,
    datasets: folders.map(buildFolder),
  };
}
