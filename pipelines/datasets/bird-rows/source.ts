import {
  type BirdDatabase,
  type BirdItem,
  type BirdQuestion,
  findQuestionFiles,
  locateBirdDatabase,
  type QuestionFile,
  readQuestions,
} from "../../../sources/bird/index.js";
import type { SourceStream } from "../../engine/pipeline.js";
import type { BuildSettings } from "../../engine/stage.js";
import { SourceError } from "../../errors.js";
import { sha256 } from "../../record/ids.js";
import type { BirdRow, SourceDatabase } from "./items.js";

/** A question file with its rows and with what the copy holds of their databases. */
interface ReadFile {
  file: QuestionFile;
  items: BirdItem[];
  databases: Map<string, BirdDatabase>;
}

async function readFile(root: string, file: QuestionFile): Promise<ReadFile> {
  const items: BirdItem[] = [];
  const databases = new Map<string, BirdDatabase>();
  // Up to so many rows (train has 9,428) are light beside their databases, so they are read once and kept.
  for await (const item of readQuestions(root, file.path, file.split)) {
    items.push(item);
    if (item.kind === "error" || databases.has(item.value.db_id)) continue;
    databases.set(item.value.db_id, await locateBirdDatabase(root, file.databases, item.value.db_id));
  }
  return { file, items, databases };
}

/** Path → sha256 of all that was read, in the order of paths. */
function inputsOf(read: readonly ReadFile[]): Record<string, string> {
  const inputs = new Map<string, string>();
  for (const { file, databases } of read) {
    inputs.set(file.path, file.sha256);
    for (const { file: database, descriptions } of databases.values()) {
      if (database.kind === "sqlite") inputs.set(database.path, database.sha256);
      for (const one of descriptions) inputs.set(one.path, one.sha256);
    }
  }
  return Object.fromEntries([...inputs].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `dev_2023+3f2a9c01b2c4`: the release of the dev questions (of train's, where only those are here) and a hash of all inputs. */
function versionOf(read: readonly ReadFile[], inputs: Record<string, string>): string {
  const dev = read.find(({ file }) => file.split === "dev")?.file.release;
  const listing = Object.entries(inputs).map(([path, hash]) => `${hash}  ${path}\n`);
  return `${dev ?? "train-only"}+${sha256(listing.join("")).slice(0, 12)}`;
}

/** Why a row cannot be built from, beyond its own form; undefined for a good one. */
function problemOf({ db_id, split }: BirdQuestion, database: BirdDatabase, others: readonly ReadFile[]) {
  if (database.file.kind === "broken") {
    return { field: "db_id", problem: `names the database ${db_id}, but ${database.file.reason}` };
  }
  const shared = others.find(({ databases }) => databases.has(db_id));
  return shared === undefined
    ? undefined
    : {
        field: "db_id",
        problem: `expected ${split} to have databases of its own, found ${db_id} in ${shared.file.path} too`,
      };
}

/**
 * Opens BIRD's rows for a dataset: the chosen release of dev's, then train's where they are there, each with what the copy
 * holds of its database. Every file that is read is hashed first, and the hashes of a row's files travel in its item. Keys
 * are `<dataset>/<split>/<question id>`.
 *
 * @throws UserError where the folder holds several dev releases and `source_release` names none of them
 */
export async function openBirdRows(
  dataset: "ew-bird" | "bird",
  root: string,
  settings: BuildSettings,
): Promise<SourceStream<BirdRow>> {
  const { files, absent } = await findQuestionFiles(root, { release: settings.source_release });
  const read: ReadFile[] = [];
  for (const file of files) read.push(await readFile(root, file));
  const inputs = inputsOf(read);
  const version = versionOf(read, inputs);
  return {
    root,
    version,
    inputs,
    absent,
    async *items() {
      for (const [at, { file, items, databases }] of read.entries()) {
        const [beside = ""] = file.databases;
        for (const item of items) {
          const { row, line } = item;
          const bad = { key: `${dataset}/${file.split}/row-${row}`, row };
          if (item.kind === "error") {
            yield { bad: item.error, ...bad };
            continue;
          }
          const database = databases.get(item.value.db_id);
          if (database === undefined) throw new Error(`${item.value.db_id} was not looked for`);
          // Of two parts with one database, the later one's rows are the fault.
          const problem = problemOf(item.value, database, read.slice(0, at));
          if (problem !== undefined) {
            const place = { file: file.path, row, line, field: problem.field };
            yield { bad: new SourceError(place, problem.problem), ...bad };
            continue;
          }
          const location = database.file as SourceDatabase;
          yield {
            key: `${dataset}/${file.split}/${item.value.question_id}`,
            origin: { file: file.path, file_sha256: file.sha256, row, row_sha256: item.row_sha256 },
            value: {
              ...item.value,
              location,
              other_release: location.kind === "sqlite" && !location.path.startsWith(`${beside}/`),
              descriptions: database.descriptions.map(({ path, sha256: hash }) => ({ path, sha256: hash })),
              source_version: version,
            },
          };
        }
      }
    },
  };
}
