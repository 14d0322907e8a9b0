/** Copies of a release that a test may spoil, and ways to spoil them. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import Database from "better-sqlite3";
import { checksums, SUMS_FILE } from "../../pipelines/audit/checksums.js";
import { splitZones, ZONES } from "../../pipelines/record/zones.js";
import type { TaskRecord } from "../../schemas/types/record.js";

type Fields = Record<string, unknown>;

/** A copy whose files are links to the original's until they are changed, by the methods here alone. */
export class SpoiledRelease {
  readonly path: string;

  /** @param path where the copy is made; without an original it is there already */
  constructor(path: string, original?: string) {
    this.path = path;
    if (original === undefined) return;
    for (const entry of readdirSync(original, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const from = join(entry.parentPath, entry.name);
      const to = join(path, relative(original, from));
      mkdirSync(dirname(to), { recursive: true });
      linkSync(from, to);
    }
  }

  at(file: string): string {
    return join(this.path, file);
  }

  read(file: string): string {
    return readFileSync(this.at(file), "utf8");
  }

  /** Puts other bytes in a file's place; the original is not touched. */
  write(file: string, bytes: string | Buffer): void {
    rmSync(this.at(file), { force: true, recursive: true });
    mkdirSync(dirname(this.at(file)), { recursive: true });
    writeFileSync(this.at(file), bytes);
  }

  remove(file: string): void {
    rmSync(this.at(file), { recursive: true });
  }

  json<T = Fields>(file: string, edit: (value: T) => void): void {
    const value = JSON.parse(this.read(file)) as T;
    edit(value);
    this.write(file, `${JSON.stringify(value, null, 2)}\n`);
  }

  /** Changes the lines of a JSONL file: each is given parsed, with its position; undefined takes it out. */
  lines<T = Fields>(file: string, edit: (value: T, index: number) => T | undefined): void {
    const lines = this.read(file).trimEnd().split("\n");
    const kept = lines.flatMap((line, index) => {
      const value = edit(JSON.parse(line) as T, index);
      return value === undefined ? [] : [`${JSON.stringify(value)}\n`];
    });
    this.write(file, kept.join(""));
  }

  /** Changes some records of one dataset: each is shown whole and written back zone by zone. */
  records(ids: readonly string[], edit: (record: TaskRecord) => void): void {
    const [dataset = ""] = (ids[0] ?? "").split("/");
    for (const split of readdirSync(this.at(`public/${dataset}`))) {
      const files = ZONES.map((zone) => `${zone}/${dataset}/${split}`);
      const zones = files.map((file) => this.read(file).trimEnd().split("\n"));
      let changed = false;
      for (const index of (zones[0] ?? []).keys()) {
        const lines = zones.map((lines) => lines[index] ?? "");
        if (!ids.some((id) => lines[0]?.includes(JSON.stringify(id)))) continue;
        const record = Object.assign({}, ...lines.map((line) => JSON.parse(line) as Fields)) as TaskRecord;
        if (!ids.includes(record.record_id)) continue;
        edit(record);
        changed = true;
        const split = splitZones(record);
        for (const [at, zone] of ZONES.entries()) {
          const list = zones[at];
          if (list !== undefined) list[index] = JSON.stringify(split[zone]);
        }
      }
      if (changed) for (const [at, file] of files.entries()) this.write(file, `${zones[at]?.join("\n")}\n`);
    }
  }

  /** Changes a database. */
  database(file: string, edit: (db: Database.Database) => void): void {
    const path = this.at(file);
    copyFileSync(path, `${path}.copy`);
    rmSync(path);
    copyFileSync(`${path}.copy`, path);
    rmSync(`${path}.copy`);
    chmodSync(path, 0o644);
    const db = new Database(path);
    try {
      edit(db);
    } finally {
      db.close();
    }
  }

  /**
   * Makes SHA256SUMS anew and takes out the documents that know the files' hashes, too, as one who covers his tracks would:
   * then only the other checks can tell.
   */
  async cover(): Promise<void> {
    for (const file of ["README.md", "croissant.json", "provenance.intoto.json"])
      if (existsSync(this.at(file))) this.remove(file);
    this.write(SUMS_FILE, await checksums(this.path));
  }
}
