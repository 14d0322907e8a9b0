import { constants, copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BirdKey, LeftOut } from "../../../schemas/types/bird-key.js";
import { LineFile } from "../../engine/line-file.js";
import { SourceError, UserError } from "../../errors.js";
import { canonicalLine } from "../../record/schema-order.js";
import type { Placed } from "../../record/suite.js";
import type { JoinedRecord } from "../../record/zones.js";
import { birdRow, goldOf, type QuestionKind } from "./bird-question.js";
import type { ChosenDataset } from "./chosen.js";
import type { Written } from "./written.js";

/** The files of one split: questions, gold SQL, and which record each question is. */
class BirdSplit {
  readonly #questions: LineFile;
  readonly #key: LineFile;
  readonly #gold: LineFile | undefined;
  readonly #databases: string;
  readonly #from: string;
  readonly #copied = new Set<string>();
  readonly #folders = new Map<string, string>();
  #last: string | undefined;
  records = 0;

  constructor(folder: string, split: string, databases: string, hasGold: boolean) {
    const file = (name: string): LineFile => new LineFile(join(folder, name));
    this.#questions = file(`${split}.json`);
    this.#key = file(`${split}_records.jsonl`);
    this.#gold = hasGold ? file(`${split}_gold.sql`) : undefined;
    this.#databases = join(folder, `${split}_databases`);
    this.#from = databases;
    this.#questions.line("[");
  }

  /** Puts a record in; says why where it cannot be a question. */
  add({ record, file, line }: Placed<JoinedRecord>, kind: QuestionKind): LeftOut | undefined {
    const { database } = record.public;
    const { record_id, avt_id } = record;
    const { sql, line: gold, why } = goldOf(record);
    const key: BirdKey = { question_id: this.records, record_id, avt_id, db_id: database.database_id };
    if (why !== undefined) {
      this.#key.line(canonicalLine("bird-key", { ...key, question_id: null, left_out: why }));
      return why;
    }
    this.#place(database, { file, line });
    // A line waits until it is known whether another follows: JSON has no comma after the last.
    if (this.#last !== undefined) this.#questions.line(`${this.#last},`);
    this.#last = JSON.stringify(birdRow(record, this.records, kind, sql));
    if (gold !== undefined) this.#gold?.line(`${gold}\t${database.database_id}`);
    this.#key.line(canonicalLine("bird-key", key));
    this.records += 1;
    return undefined;
  }

  /** Copies a database to where BIRD has it, once. A copy and no link: what happens to an export must not reach its origin. */
  #place(
    { database_id, path }: JoinedRecord["public"]["database"],
    place: { file: string; line: number },
  ): void {
    if (this.#copied.has(`${database_id}\0${path}`)) return;
    const from = join(this.#from, path);
    if (!existsSync(from))
      throw new SourceError({ ...place, field: "public.database.path" }, `there is no file ${from}`);
    // Names that differ in case alone are one folder on some systems.
    const known = this.#folders.get(database_id.toLowerCase());
    if (known !== undefined)
      throw new SourceError(
        { ...place, field: "public.database.database_id" },
        `${database_id} is the folder of ${known}, too`,
      );
    this.#folders.set(database_id.toLowerCase(), path);
    this.#copied.add(`${database_id}\0${path}`);
    const to = join(this.#databases, database_id, `${database_id}.sqlite`);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }

  close(): void {
    if (this.#last !== undefined) this.#questions.line(this.#last);
    this.#questions.line("]");
    for (const file of [this.#questions, this.#key, this.#gold]) file?.close();
  }

  abandon(): void {
    for (const file of [this.#questions, this.#key, this.#gold]) file?.abandon();
  }
}

/**
 * A dataset in BIRD's form: `<split>.json`, `<split>_gold.sql` (SQL, tab, database; one line a question) and
 * `<split>_databases/<id>/<id>.sqlite`. `<split>_records.jsonl` says which record each question is, and which records are
 * no questions and why. Without the verifier zone there is no gold SQL, as for BIRD's own test set.
 *
 * @throws UserError when the dataset's databases are not SQLite
 */
export async function writeBird(work: string, chosen: ChosenDataset, kind: QuestionKind): Promise<Written> {
  const { dataset, zones, folder } = chosen;
  if (kind === "clear" && !zones.includes("oracle")) {
    throw new UserError(
      `a clear question is told by the oracle zone, and ${dataset} is exported without it`,
      {
        remedy: "leave out --question clear, or take a release with its private zones",
      },
    );
  }
  mkdirSync(join(work, dataset), { recursive: true });
  const splits = new Map<string, BirdSplit>();
  const left_out: Record<string, number> = {};
  try {
    for await (const placed of chosen.records()) {
      const { record } = placed;
      if (record.public.database.engine !== "sqlite") {
        throw new UserError(
          `${dataset} is on ${record.public.database.engine}, and BIRD's format has SQLite files`,
          {
            remedy: "name the others with --datasets, or export jsonl or parquet",
          },
        );
      }
      let split = splits.get(record.split);
      if (split === undefined) {
        split = new BirdSplit(
          join(work, dataset),
          record.split,
          folder.databases,
          zones.includes("verifier"),
        );
        splits.set(record.split, split);
      }
      const why = split.add(placed, kind);
      if (why !== undefined) left_out[why] = (left_out[why] ?? 0) + 1;
    }
    for (const split of splits.values()) split.close();
  } finally {
    for (const split of splits.values()) split.abandon();
  }
  const records = new Map([...splits].map(([split, { records: n }]) => [`${dataset}/${split}.json`, n]));
  return { records, left_out };
}
