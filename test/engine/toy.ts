/** A toy dataset of the engine tests' own: real files, a real store, stages that count their runs. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import type { FileRef } from "../../pipelines/engine/files.js";
import { definePipeline, type Emitted, type Pipeline } from "../../pipelines/engine/pipeline.js";
import { type BuildResult, type RunOptions, runPipeline } from "../../pipelines/engine/run.js";
import { type BuildSettings, drop, itemStage, keep, setStage } from "../../pipelines/engine/stage.js";
import { SourceError } from "../../pipelines/errors.js";
import type { TaskRecord } from "../../schemas/types/record.js";

export interface ToyRow {
  n: number;
  group: string;
}

/** Where the toy pipeline can be made to behave differently. */
export interface Toy {
  /** Stage name → version. */
  versions?: Record<string, string>;
  /** How many times each stage's function ran; filled by the stages. */
  runs?: Map<string, number>;
  /** Longest pause inside a stage, in milliseconds: makes calls end in another order than they began. */
  jitter?: number;
  /** Called at the start of every run of a stage. */
  onRun?: (stage: string, runs: number) => void | Promise<void>;
}

export const SETTINGS: BuildSettings = { seed: 0, limit: null, strict_readings: false, keep_going: false };

export function temporary(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "ambitab-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Writes a toy source; a row that is a string stands in the file as it is, so that it can be bad. */
export function writeToySource(folder: string, rows: readonly (ToyRow | string)[]): string {
  mkdirSync(folder, { recursive: true });
  const lines = rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row)));
  writeFileSync(join(folder, "rows.jsonl"), lines.join("\n"));
  return folder;
}

export const toyRows = (count: number): ToyRow[] =>
  Array.from({ length: count }, (_, n) => ({ n, group: `g${n % 4}` }));

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

interface Grouped extends ToyRow {
  file: FileRef;
}
interface Part extends Grouped {
  part: number;
  draw: number;
}

function recordOf(key: string, row: number, value: Part, path: string): TaskRecord {
  return {
    schema_version: "1.0.0",
    record_id: `${key}#1`,
    avt_id: key,
    dataset: "taco",
    split: "all",
    slices: [],
    public: {
      request: `Show part ${value.part} of ${value.n}, drawn ${value.draw}.`,
      database: { engine: "sqlite", database_id: value.group, path },
    },
    oracle: { ambiguities: [] },
    verifier: {
      reference_sql: ["SELECT name FROM toy"],
      comparison: { policy: "multiset", ordered: false },
      verifiable: true,
      success: "comparison",
      category: "query",
    },
    provenance: {
      source: "taco",
      source_version: "toy",
      file: "rows.jsonl",
      file_sha256: "0".repeat(64),
      row,
      row_sha256: "0".repeat(64),
      pipeline_version: "toy@1",
      decisions_ref: `ledger.jsonl#${key}`,
    },
  };
}

/**
 * rows → odd-one-out (item; drops n % 7 = 3) → group-database (item; one file a group) → parts (item; n % 3 + 1 outputs,
 * each with a draw) → first-of-sum (set; drops the later of two parts with the same n + 10 × part) → emit (item).
 */
export function toyPipeline(toy: Toy = {}): Pipeline {
  const started = async (stage: string): Promise<void> => {
    const runs = (toy.runs?.get(stage) ?? 0) + 1;
    toy.runs?.set(stage, runs);
    await toy.onRun?.(stage, runs);
    if (toy.jitter !== undefined) await sleep(Math.random() * toy.jitter);
  };
  const naming = (name: string) => ({
    name,
    version: toy.versions?.[name] ?? "1",
    module: import.meta.url,
  });
  const oddOneOut = itemStage({
    ...naming("odd-one-out"),
    select: ({ n }: ToyRow) => n,
    async run(n) {
      await started("odd-one-out");
      return n % 7 === 3 ? drop("equal_results", `${n} is odd`, { subject: `n${n % 2}` }) : keep(null);
    },
    merge: (row): ToyRow => row,
  });
  const groupDatabase = itemStage({
    ...naming("group-database"),
    select: ({ group }: ToyRow) => group,
    async run(group, context) {
      await started("group-database");
      const scratch = context.files.scratch();
      const db = new Database(scratch);
      db.exec(`CREATE TABLE toy (name TEXT); INSERT INTO toy VALUES ('${group}')`);
      db.close();
      return keep(await context.files.adopt(scratch), [{ kind: "database", group }]);
    },
    merge: (row, file): Grouped => ({ ...row, file }),
  });
  const parts = itemStage({
    ...naming("parts"),
    parameters: ({ seed }) => ({ seed }),
    select: ({ n }: Grouped, { key }) => ({ n, key }),
    async run({ n, key }, context) {
      await started("parts");
      const made = Array.from({ length: (n % 3) + 1 }, (_, part) => ({
        part,
        draw: context.draws("toy/parts", `${key}/${part}`).below(1000),
      }));
      return { kept: made, evidence: [{ kind: "draw", draws: made.map(({ draw }) => draw) }] };
    },
    merge: (row, made): Part => ({ ...row, ...made }),
  });
  const firstOfSum = setStage({
    ...naming("first-of-sum"),
    project: ({ n, part }: Part) => n + 10 * part,
    async decide(projections) {
      await started("first-of-sum");
      const seen = new Set<number>();
      return new Map(
        projections.map(({ key, part: sum }) => {
          const again = seen.has(sum);
          seen.add(sum);
          return [key, again ? drop("alternative_collides", `${sum} again`) : keep(null)];
        }),
      );
    },
    merge: (value): Part => value,
  });
  const emit = itemStage({
    ...naming("emit"),
    select: (value: Part, { key, origin }) => ({ value, key, row: origin.row }),
    async run({ value, key, row }) {
      await started("emit");
      const path = `${value.group}/${value.group}.sqlite`;
      return keep<Emitted>({
        records: [recordOf(key, row, value, path)],
        databases: [{ path, file: value.file }],
      });
    },
    merge: (_value, emitted): Emitted => emitted,
  });
  return definePipeline(
    {
      dataset: "taco",
      version: "toy@1",
      source: "taco",
      published: { records: 10, databases: 4, ambiguities: 10 },
      async open(root) {
        const text = readFileSync(join(root, "rows.jsonl"), "utf8");
        const file_sha256 = sha256(text);
        return {
          root,
          version: "toy",
          inputs: { "rows.jsonl": file_sha256 },
          async *items() {
            for (const [row, line] of text.split("\n").entries()) {
              const key = `taco/toy/${row}`;
              try {
                const value = JSON.parse(line) as ToyRow;
                yield {
                  key,
                  origin: { file: "rows.jsonl", file_sha256, row, row_sha256: sha256(line) },
                  value,
                };
              } catch (cause) {
                const bad = new SourceError({ file: "rows.jsonl", row, field: "n" }, "expected JSON", {
                  cause,
                });
                yield { bad, key, row };
              }
            }
          },
        };
      },
    },
    (rows) => rows.stage(oddOneOut).stage(groupDatabase).stage(parts).stage(firstOfSum).stage(emit),
  );
}

/** Builds the toy; the source lies in `<out>/source` unless `root` says otherwise. */
export function build(out: string, toy: Toy = {}, more: Partial<RunOptions> = {}): Promise<BuildResult> {
  return runPipeline(toyPipeline(toy), {
    out,
    root: join(out, "source"),
    settings: SETTINGS,
    jobs: 2,
    ...more,
  });
}

/** Every file below a folder with the hash of its content, hidden ones included: two equal trees are the same bytes. */
export function tree(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    entries.map((path) => [relative(folder, path), sha256(readFileSync(path))] as const).sort(),
  );
}

export const jsonLines = <T>(path: string): T[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
