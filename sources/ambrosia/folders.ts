import { readdirSync } from "node:fs";
import { join } from "node:path";
import { SourceError } from "../../pipelines/errors.js";
import { readJsonArray } from "../json-array.js";
import { found, isObject, RowCheck } from "../row-check.js";
import { rowSha256 } from "../row-hash.js";
import { AMBIGUITY_TYPES, type AmbiguityType, type AmbrosiaItem, type AmbrosiaReading } from "./questions.js";

/** A folder that holds one database, its questions and its annotation. */
export interface DatabaseFolder {
  type: AmbiguityType;
  domain: string;
  name: string;
}

export const examplesFile = ({ type, domain, name }: DatabaseFolder): string =>
  `data/${type}/${domain}/${name}/examples.json`;

const foldersIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();

/** Every `data/<type>/<Domain>/<name>/` that has an examples.json, in code-point order; `*_copy` folders are no part of it. */
export function listDatabaseFolders(root: string): DatabaseFolder[] {
  const data = join(root, "data");
  const types = AMBIGUITY_TYPES.filter((type) => foldersIn(data).includes(type));
  return types.flatMap((type) =>
    foldersIn(join(data, type)).flatMap((domain) =>
      foldersIn(join(data, type, domain))
        .filter((name) => !name.endsWith("_copy"))
        .filter((name) => readdirSync(join(data, type, domain, name)).includes("examples.json"))
        .map((name) => ({ type, domain, name })),
    ),
  );
}

/** `interpretation1` with `sql_query1`, and so on; a gap ends the list, and half a pair is a fault. */
function readingsOf(check: RowCheck, example: Record<string, unknown>, row: number): AmbrosiaReading[] {
  const row_sha256 = rowSha256(example);
  const readings: AmbrosiaReading[] = [];
  for (let n = 1; `interpretation${n}` in example || `sql_query${n}` in example; n += 1) {
    const sentence = check.text(example, `interpretation${n}`);
    const sql = check.text(example, `sql_query${n}`);
    if (sentence !== undefined && sql !== undefined) readings.push({ sentence, sql, row, row_sha256 });
  }
  return readings;
}

function itemOf(folder: DatabaseFolder, place: { file: string; row: number; line: number }, value: unknown) {
  const { type, domain, name } = folder;
  const check = new RowCheck(place);
  if (!isObject(value)) return new SourceError(place, `expected an example, found ${found(value)}`);
  const question = check.text(value, "question");
  const readings = readingsOf(check, value, place.row);
  if (readings.length < 2 && check.error() === undefined) {
    check.fault("interpretation2", `expected at least two readings, found ${readings.length}`);
  }
  const error = check.error();
  if (error !== undefined || question === undefined)
    return error ?? new SourceError(place, "has no question");
  const { row } = place;
  const db_file = `data/${type}/${domain}/${name}/${name}.sqlite`;
  const row_sha256 = rowSha256(value);
  return { row, row_sha256, type, domain, db_file, number: row, split: null, question, readings };
}

/** The questions of the layout with one examples.json a database. It does not say which side of the split they are on. */
export async function* readFolderQuestions(root: string): AsyncGenerator<AmbrosiaItem, void, undefined> {
  for (const folder of listDatabaseFolders(root)) {
    const file = examplesFile(folder);
    const seen = new Map<string, number>();
    for await (const { row, line, value } of readJsonArray(join(root, file), { name: file })) {
      const outcome = itemOf(folder, { file, row, line }, value);
      if (outcome instanceof SourceError) {
        yield { kind: "error", file, row, line, error: outcome };
        continue;
      }
      const earlier = seen.get(outcome.question);
      if (earlier === undefined) {
        seen.set(outcome.question, row);
        yield { kind: "question", file, row, line, value: outcome };
        continue;
      }
      const problem = `expected each question of a database once, found this one in row ${earlier} too`;
      const error = new SourceError({ file, row, line, field: "question" }, problem);
      yield { kind: "error", file, row, line, error };
    }
  }
}
