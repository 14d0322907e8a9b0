import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SourceError } from "../../pipelines/errors.js";
import { digestFile, type FileDigest } from "../fetch/hash.js";

/** A file of the source: relative to its folder, with forward slashes. */
export interface HashedFile extends FileDigest {
  path: string;
}

/** The full release's file of tasks, in the places where its packages put it: where it is, nothing else is read. */
const FULL = ["bird-interact-full/bird_interact_data.jsonl", "bird_interact_data.jsonl"];
/** An excerpt of the full release, and the lite one: read together where the full file is not there. */
const PARTS = [
  "bird-interact-full/bird_interact_data.excerpt.jsonl",
  "bird-interact-lite/bird_interact_data.jsonl",
];
/** Where a database's knowledge, column meanings and schema may lie; LiveSQLBench has the same databases. */
const PACKAGES = [
  "bird-interact-full/",
  "bird-interact-lite/",
  "",
  "livesqlbench-base-full-v1/",
  "livesqlbench-base-lite/",
  "livesqlbench-base-lite-sqlite/",
];
const DUMPS = ["postgre_table_dumps", "derived/postgre_table_dumps", "evaluation/postgre_table_dumps"];
const GROUND_TRUTH = "ground-truth";

/** Names in a folder, in code-point order; none where there is no such folder. */
function namesIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path).sort() : [];
}

/**
 * The files of tasks, in the order in which they are read. Full and lite are two selections of one kind, so the full file
 * is read alone where it is there: the paper's 600 records are its lines.
 *
 * @throws SourceError when there is none
 */
export function taskFiles(root: string): string[] {
  const there = (path: string): boolean => existsSync(join(root, path));
  const [full] = FULL.filter(there);
  const files = full === undefined ? PARTS.filter(there) : [full];
  if (files.length > 0) return files;
  throw new SourceError({ file: FULL[0] ?? "" }, "expected the tasks here, one JSON object a line");
}

/**
 * The ground-truth files, PostgreSQL's before SQLite's: the authors mail both, and the SQLite translation is of no use on
 * these databases. Which is which, only the names tell.
 */
export function groundTruthFiles(root: string): string[] {
  const folder = join(root, GROUND_TRUTH);
  if (!existsSync(folder)) return [];
  const files = (readdirSync(folder, { recursive: true }) as string[])
    .map((name) => `${GROUND_TRUTH}/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
  return [...files.filter((name) => !isForSqlite(name)), ...files.filter(isForSqlite)];
}

export const isForSqlite = (path: string): boolean => /sqlite/i.test(path);

/** A file of a database's package, such as `_kb.jsonl`; undefined where no package here has it. */
export function packageFile(root: string, database: string, ending: string): string | undefined {
  return PACKAGES.map((home) => `${home}${database}/${database}${ending}`).find((path) =>
    existsSync(join(root, path)),
  );
}

/** A database's dump, a file a table, by name; empty where it is not here. */
export async function dumpFiles(root: string, database: string): Promise<HashedFile[]> {
  for (const home of DUMPS) {
    const folder = `${home}/${database}_template`;
    const names = namesIn(join(root, folder)).filter((name) => name.endsWith(".sql"));
    if (names.length === 0) continue;
    return Promise.all(
      names.map(async (name) => ({
        path: `${folder}/${name}`,
        ...(await digestFile(join(root, folder, name))),
      })),
    );
  }
  return [];
}

/** Where a database's dump belongs, for messages. */
export const dumpPlace = (database: string): string => `${DUMPS[0]}/${database}_template/`;
