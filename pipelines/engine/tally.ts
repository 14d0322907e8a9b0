import { createHash, type Hash } from "node:crypto";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import type { Passage } from "./passage.js";
import type { Emitted, Pipeline, PublishedCounts } from "./pipeline.js";
import type { ResolvedStage } from "./stage-runner.js";

/** What a build counts of its records, over all of them or over one split. */
class RecordCounts {
  readonly #databases = new Set<string>();
  records = 0;
  ambiguities = 0;

  add({ oracle, public: { database } }: TaskRecord): void {
    this.records += 1;
    this.ambiguities += oracle.ambiguities.filter(({ counts }) => counts).length;
    this.#databases.add(database.database_id);
  }

  counts() {
    return { records: this.records, databases: this.#databases.size, ambiguities: this.ambiguities };
  }
}

interface StageTally {
  inputs: Hash;
  outputs: Hash;
  in: number;
  kept: number;
  out: number;
  reasons: Map<string, number>;
}

const withoutSplits = ({ splits: _, ...counts }: PublishedCounts): Omit<PublishedCounts, "splits"> => counts;

const add = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** Counts as an object with sorted keys, so that two builds print the same bytes. */
const sorted = (counts: Map<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));

/** What a build counts while rows pass, in row order: the funnel and the lock's part of every stage. */
export class Tally {
  readonly #pipeline: Pipeline;
  readonly #stages: readonly ResolvedStage[];
  readonly #tallies: StageTally[];
  readonly #missing = new Map<string, number>();
  readonly #findings = new Map<string, number>();
  readonly #avts = new Set<string>();
  readonly #counts = new Map<string, { rows: number; records: number }>();
  readonly #all = new RecordCounts();
  readonly #splits = new Map<string, RecordCounts>();
  #rows = 0;
  #badRows = 0;

  /** @param absent files of rows that this copy of the source lacks */
  constructor(pipeline: Pipeline, stages: readonly ResolvedStage[], absent: readonly string[] = []) {
    this.#pipeline = pipeline;
    this.#stages = stages;
    for (const file of absent) this.#missing.set(file, 0);
    this.#tallies = stages.map(() => ({
      inputs: createHash("sha256"),
      outputs: createHash("sha256"),
      in: 0,
      kept: 0,
      out: 0,
      reasons: new Map(),
    }));
  }

  /** Rows counted so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Records counted so far. */
  get records(): number {
    return this.#all.records;
  }

  /** Counts one finished row. */
  add(passage: Passage, emitted: readonly Emitted[]): void {
    this.#rows += 1;
    for (const { stage, input, outcome } of passage.traces) {
      this.#tallies[stage]!.inputs.update(`${input}\n`);
      this.#tallies[stage]!.outputs.update(`${outcome}\n`);
    }
    const position = new Map(this.#stages.map(({ stage, index }) => [stage.name, index]));
    for (const step of passage.entry.steps) {
      const index = position.get(step.stage);
      for (const one of step.evidence ?? []) {
        if (one.kind === "finding" && "code" in one) add(this.#findings, String(one.code));
        if (one.kind === "count" && "name" in one && "count" in one)
          this.#count(String(one.name), Number(one.count), emitted.length > 0);
      }
      if (index === undefined) {
        this.#badRows += 1;
        continue;
      }
      const tally = this.#tallies[index]!;
      tally.in += 1;
      if (step.outcome === "kept") {
        tally.kept += 1;
        tally.out += step.outputs ?? 1;
      } else {
        add(tally.reasons, step.reason ?? "");
        if (step.reason === "source_missing") add(this.#missing, step.subject ?? step.detail ?? "");
      }
    }
    for (const { records } of emitted) {
      for (const record of records) {
        this.#all.add(record);
        this.#avts.add(record.avt_id);
        const split = this.#splits.get(record.split) ?? new RecordCounts();
        this.#splits.set(record.split, split);
        split.add(record);
      }
    }
  }

  #count(name: string, number: number, becameRecords: boolean): void {
    const known = this.#counts.get(name) ?? { rows: 0, records: 0 };
    this.#counts.set(name, known);
    known.rows += number;
    if (becameRecords) known.records += number;
  }

  funnel(): Funnel {
    const read = {
      stage: "read",
      in: this.#rows,
      kept: this.#rows - this.#badRows,
      out: this.#rows - this.#badRows,
      dropped: this.#badRows,
      reasons: this.#badRows === 0 ? {} : { bad_row: this.#badRows },
    };
    const stages = this.#tallies.map((tally, index) => ({
      stage: this.#stages[index]!.stage.name,
      in: tally.in,
      kept: tally.kept,
      out: tally.out,
      dropped: tally.in - tally.kept,
      reasons: sorted(tally.reasons),
    }));
    const { published: all } = this.#pipeline;
    const splits = Object.entries(all?.splits ?? {}).map(
      ([split, counts]) =>
        [split, { ...(this.#splits.get(split) ?? new RecordCounts()).counts(), published: counts }] as const,
    );
    const counts = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      dataset: this.#pipeline.dataset,
      rows: this.#rows,
      stages: [read, ...stages],
      ...this.#all.counts(),
      avts: this.#avts.size,
      ...(all === undefined ? {} : { published: withoutSplits(all) }),
      ...(splits.length > 0 ? { splits: Object.fromEntries(splits) } : {}),
      ...(counts.length > 0 ? { counts: Object.fromEntries(counts) } : {}),
      missing: sorted(this.#missing),
      findings: sorted(this.#findings),
    };
  }

  lockedStages(): BuildLock["stages"] {
    return this.#tallies.map((tally, index) => {
      const { stage, parameters, code } = this.#stages[index]!;
      return {
        stage: stage.name,
        version: stage.version,
        parameters,
        code,
        inputs_sha256: tally.inputs.digest("hex"),
        outputs_sha256: tally.outputs.digest("hex"),
        in: tally.in,
        out: tally.out,
        dropped: sorted(tally.reasons),
      };
    });
  }
}
