import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { SourceError } from "../../pipelines/errors.js";

/** One query file of a TACO folder. Paths are relative to the source's folder, with forward slashes. */
export interface QueryFile {
  /** The part of TACO it belongs to: `us`, `beijing`. */
  region: string;
  /** The folder of queries it lies in, named after its database. */
  folder: string;
  /** File name without `.json`. */
  name: string;
  path: string;
}

export interface TacoLayout {
  /** Every file of single-database queries, in the order in which they are read. */
  files: QueryFile[];
  /** Region → its folder of databases, whether it is there or not. */
  databases: ReadonlyMap<string, string>;
}

/** The repository may be the folder itself or lie in it, as a clone does. */
const PLACES = ["", "TACO-Benchmark/"];
/** Queries over one database; the second holds the same files with other descriptions, and is all some parts have. */
const QUERY_FOLDERS = ["new_sql_single", "new_sql_nl_single"];
const DEFAULT_REGION = "us";

/** Names of what is in a folder, folders and files apart; empty where there is no such folder. */
async function namesIn(path: string): Promise<{ folders: string[]; files: string[] }> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  const names = (folders: boolean): string[] =>
    entries.filter((entry) => entry.isDirectory() === folders).map(({ name }) => name);
  return { folders: names(true), files: names(false) };
}

/** Names by their parts, numbers as numbers: `query_2` before `query_10`, whatever the locale. */
export function compareNames(a: string, b: string): number {
  const parts = (name: string): string[] => name.match(/\d+|\D+/g) ?? [];
  const [left, right] = [parts(a), parts(b)];
  for (const [at, part] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    if (part === other) continue;
    const numbers = /^\d/.test(part) && /^\d/.test(other);
    if (numbers && BigInt(part) !== BigInt(other)) return BigInt(part) < BigInt(other) ? -1 : 1;
    return part < other ? -1 : 1;
  }
  return left.length - right.length;
}

async function queryFilesOf(root: string, base: string, region: string): Promise<QueryFile[]> {
  for (const queries of QUERY_FOLDERS) {
    const home = `${base}${region}/data/${queries}`;
    const { folders } = await namesIn(join(root, home));
    const files: QueryFile[] = [];
    for (const folder of folders.sort(compareNames)) {
      // `prompts/` beside the files tells how upstream made them and is not read.
      const names = (await namesIn(join(root, home, folder))).files.filter((name) => name.endsWith(".json"));
      for (const file of names.sort(compareNames)) {
        files.push({
          region,
          folder,
          name: file.slice(0, -".json".length),
          path: `${home}/${folder}/${file}`,
        });
      }
    }
    if (files.length > 0) return files;
  }
  return [];
}

/**
 * Finds the query files of a TACO folder (spec 2, "taco"): those of the US part, or of every part with `allRegions`. The
 * order is fixed: the US part first, then by name, numbers by value.
 *
 * @throws SourceError when there is none.
 */
export async function findQueryFiles(root: string, { allRegions = false } = {}): Promise<TacoLayout> {
  const files: QueryFile[] = [];
  const databases = new Map<string, string>();
  for (const base of PLACES) {
    const { folders } = await namesIn(join(root, base));
    const others = folders.filter((name) => name !== DEFAULT_REGION).sort(compareNames);
    for (const region of [DEFAULT_REGION, ...(allRegions ? others : [])]) {
      if (databases.has(region)) continue;
      const found = await queryFilesOf(root, base, region);
      if (found.length === 0) continue;
      files.push(...found);
      databases.set(region, `${base}${region}/data/database`);
    }
  }
  if (files.length === 0) {
    const place = { file: `${DEFAULT_REGION}/data/${QUERY_FOLDERS[0]}` };
    throw new SourceError(place, "expected a folder of query files for each database here");
  }
  return { files, databases };
}
