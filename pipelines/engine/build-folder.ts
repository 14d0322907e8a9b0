import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import { assertRecord } from "../record/check-schema.js";
import { canonicalLine, loadSchema } from "../record/schema-order.js";
import type { FileRef, FileStore } from "./files.js";
import { hashFile } from "./files.js";
import { LineFile } from "./line-file.js";
import type { Passage } from "./passage.js";
import type { Emitted } from "./pipeline.js";

/** Where a dataset's folder is made, and where the one before it waits while it is replaced. */
const besides = (build: string, dataset: string): { work: string; old: string } => ({
  work: join(build, `.${dataset}.partial`),
  old: join(build, `.${dataset}.old`),
});

/**
 * Sets right what a killed build left at whatever instant: a folder that was being made goes, one that was being replaced
 * comes back unless its successor is in place. The caller holds the dataset's lock, so nobody else is at work here.
 */
export function clearLeftovers(build: string, dataset: string): void {
  const { work, old } = besides(build, dataset);
  const target = join(build, dataset);
  rmSync(work, { recursive: true, force: true });
  if (!existsSync(old)) return;
  if (existsSync(target)) rmSync(old, { recursive: true, force: true });
  else renameSync(old, target);
}

/**
 * A build folder in the making. Everything is written beside the real folder and swapped in by renames at the end, so a
 * killed build leaves the old one whole and never something half-made under the real name.
 */
export class BuildFolder {
  readonly #dataset: string;
  readonly #target: string;
  readonly #work: string;
  readonly #old: string;
  readonly #records: LineFile;
  readonly #dropped: LineFile;
  readonly #ledger: LineFile;
  readonly #databases = new Map<string, FileRef>();

  /** @param build the folder that holds one folder a dataset */
  constructor(build: string, dataset: string) {
    this.#dataset = dataset;
    this.#target = join(build, dataset);
    const { work, old } = besides(build, dataset);
    this.#work = work;
    this.#old = old;
    mkdirSync(build, { recursive: true });
    clearLeftovers(build, dataset);
    mkdirSync(join(this.#work, "databases"), { recursive: true });
    this.#records = new LineFile(join(this.#work, "records.jsonl"));
    this.#dropped = new LineFile(join(this.#work, "dropped.jsonl"));
    this.#ledger = new LineFile(join(this.#work, "ledger.jsonl"));
  }

  /** Where stages may spill what they cannot hold. */
  spool(name: string): string {
    return join(this.#work, `.spool-${name}.jsonl`);
  }

  /** Writes one finished row, in row order. */
  add(passage: Passage, emitted: readonly Emitted[], files: FileStore): void {
    for (const { records, databases } of emitted) {
      for (const { path, file } of databases) {
        const known = this.#databases.get(path);
        if (known === undefined) {
          files.place(file, join(this.#work, "databases", path));
          this.#databases.set(path, file);
        } else if (known.sha256 !== file.sha256) {
          throw new Error(`two different databases claim the path ${path}`);
        }
      }
      for (const record of records) {
        assertRecord(record);
        if (record.dataset !== this.#dataset)
          throw new Error(
            `record ${record.record_id} of ${this.#dataset} says that it is of ${record.dataset}`,
          );
        this.#records.line(canonicalLine("record", record));
        passage.entry.record_ids.push(record.record_id);
      }
    }
    for (const dropped of passage.dropped) this.#dropped.line(canonicalLine("dropped", dropped));
    this.#ledger.line(canonicalLine("ledger", passage.entry));
  }

  /** Writes funnel and lock and puts the folder in place. */
  finish(funnel: Funnel, lock: Omit<BuildLock, "outputs" | "databases">): BuildLock {
    const funnelText = `${JSON.stringify(JSON.parse(canonicalLine("funnel", funnel)), null, 2)}\n`;
    writeFileSync(join(this.#work, "funnel.json"), funnelText);
    const outputs = {
      "dropped.jsonl": this.#dropped.close(),
      "funnel.json": createHash("sha256").update(funnelText).digest("hex"),
      "ledger.jsonl": this.#ledger.close(),
      "records.jsonl": this.#records.close(),
    };
    const databases = Object.fromEntries([...this.#databases].sort(([a], [b]) => (a < b ? -1 : 1)));
    const whole: BuildLock = { ...lock, outputs, databases };
    for (const name of readdirSync(this.#work))
      if (name.startsWith(".spool-")) rmSync(join(this.#work, name));
    writeFileSync(join(this.#work, "lock.json"), lockText(whole));
    if (existsSync(this.#target)) renameSync(this.#target, this.#old);
    renameSync(this.#work, this.#target);
    rmSync(this.#old, { recursive: true, force: true });
    return whole;
  }

  /** Gives up: nothing of this build stays. */
  discard(): void {
    for (const file of [this.#records, this.#dropped, this.#ledger]) file.abandon();
    rmSync(this.#work, { recursive: true, force: true });
  }
}

/** The lock as it stands on disk. */
export function lockText(lock: BuildLock): string {
  loadSchema("lock");
  return `${JSON.stringify(JSON.parse(canonicalLine("lock", lock)), null, 2)}\n`;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Reads a build's lock, if there is a build; a lock that is cut off or is no lock stands for no build. */
export function readLock(folder: string): BuildLock | undefined {
  const path = join(folder, "lock.json");
  if (!existsSync(path)) return undefined;
  try {
    const lock = JSON.parse(readFileSync(path, "utf8")) as Partial<BuildLock> | null;
    const whole = Array.isArray(lock?.stages) && isObject(lock.outputs) && isObject(lock.databases);
    return whole ? (lock as BuildLock) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Files whose hash is not the lock's, missing ones, and ones the lock does not know. Empty: the build is whole. */
export async function brokenFiles(folder: string, lock: BuildLock): Promise<string[]> {
  const expected = [
    ...Object.entries(lock.outputs),
    ...Object.entries(lock.databases).map(([path, { sha256 }]) => [`databases/${path}`, sha256] as const),
  ];
  const known = new Set(["lock.json", ...expected.map(([name]) => name)]);
  const broken = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((name) => !known.has(name));
  for (const [name, sha256] of expected) {
    const path = join(folder, name);
    if (!existsSync(path) || (await hashFile(path)).sha256 !== sha256) broken.push(name);
  }
  return broken;
}
