import { existsSync, lstatSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { UserError } from "../errors.js";
import { storePath } from "../model/client.js";
import { type StoredTotals, storedTotals } from "../model/stored-answers.js";
import { clearLeftovers } from "./build-folder.js";
import { emptyTables } from "./empty-tables.js";
import { holdExclusively } from "./exclusive.js";

/** What an output folder keeps that can be made again, or is a rest of something that was stopped. */
export const CACHES = {
  stages: "finished outcomes of stages: the next build is slower",
  files: "databases that stages made: the next build makes them again",
  hashes: "hashes of source files: the next build reads the sources whole",
  leftovers: "what killed builds and releases left",
  downloads: "downloads that were cut off: they begin again from the start",
  responses: "answers of models, which were paid for: they are asked for again",
} as const;

export type CacheName = keyof typeof CACHES;
export const CACHE_NAMES = Object.keys(CACHES) as CacheName[];

/** What is emptied where nobody says what: all that costs a machine's time and nothing else. */
export const FREE_CACHES: readonly CacheName[] = ["stages", "files", "hashes", "leftovers"];

/** A cache as it is on disk. */
export interface Cache {
  readonly name: CacheName;
  readonly bytes: number;
  /** Where it lies: its files and folders, those that are there. */
  readonly paths: readonly string[];
  /** Of `responses`. */
  readonly answers?: StoredTotals;
  /** Why it cannot be looked into. */
  readonly problem?: string;
}

/** What came of emptying one. `in_use`: why it was left as it is. */
export interface Emptied {
  readonly name: CacheName;
  /** How many bytes were freed; a file that a build links to takes its room until that goes, too. */
  readonly bytes: number;
  readonly answers?: StoredTotals;
  readonly in_use?: string;
}

/** A download that nobody has written to for so long is not under way: one that gets no byte gives up long before. */
const STILL_MS = 10 * 60_000;

const sizeOf = (path: string): number => {
  const { size } = lstatSync(path);
  return size;
};

/** Files below a folder, links not followed; none where there is no folder. */
function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const bytesOf = (paths: readonly string[]): number =>
  paths
    .flatMap((path) => (lstatSync(path).isDirectory() ? filesBelow(path) : [path]))
    .reduce((sum, path) => sum + sizeOf(path), 0);

const there = (paths: readonly string[]): string[] => paths.filter((path) => existsSync(path));
const withSidecars = (path: string): string[] =>
  there([path, `${path}-wal`, `${path}-shm`, `${path}-journal`]);
const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

const stagesPath = (out: string): string => join(out, "cache", "stages.sqlite");

/** What the file store's own naming says that it made: `ab/ab12…` and scratch files. */
function storedFiles(out: string): string[] {
  const folder = join(out, "cache", "files");
  return filesBelow(folder).filter((path) =>
    /^(?:[0-9a-f]{2}[\\/][0-9a-f]{64}|tmp[\\/]\d+-[0-9a-f]{12}(?:-\w+)?)$/.test(
      path.slice(folder.length + 1),
    ),
  );
}

/** Cut-off downloads with the notes beside them. */
const partsIn = (out: string): string[] =>
  filesBelow(join(out, "sources")).filter((path) => /\.part(?:\.json)?$/.test(path));

/** Datasets that can be built here or were: a lock is left by each build. */
function datasetsOf(out: string, known: readonly string[]): string[] {
  const built = namesIn(join(out, "cache")).flatMap((name) => /^build-(.+)\.lock$/.exec(name)?.[1] ?? []);
  return [...new Set([...known, ...built])].sort();
}

/** What builds that were stopped have left of a dataset: what was being made, and what was being replaced. */
const buildRests = (out: string, dataset: string): string[] =>
  there([`.${dataset}.partial`, `.${dataset}.old`].map((name) => join(out, "build", name)));

const releaseRests = (out: string): string[] =>
  namesIn(join(out, "releases"))
    .filter((name) => /^\.\d.*\.partial$/.test(name))
    .map((name) => join(out, "releases", name));

function pathsOf(out: string, name: CacheName, datasets: readonly string[]): string[] {
  switch (name) {
    case "stages":
      return withSidecars(stagesPath(out));
    case "files":
      return storedFiles(out);
    case "hashes":
      return there([join(out, "cache", "source-hashes.json")]);
    case "leftovers":
      return [...datasets.flatMap((dataset) => buildRests(out, dataset)), ...releaseRests(out)];
    case "downloads":
      return partsIn(out);
    case "responses":
      return withSidecars(storePath(out));
  }
}

function lookAt(out: string, name: CacheName, datasets: readonly string[]): Cache {
  const paths = pathsOf(out, name, datasets);
  const found = { name, bytes: bytesOf(paths), paths };
  if (name !== "responses") return found;
  try {
    return { ...found, answers: storedTotals(storePath(out)) };
  } catch (error) {
    if (error instanceof UserError) return { ...found, problem: error.message };
    throw error;
  }
}

/**
 * The caches of an output folder with their sizes; empty ones too.
 *
 * @param datasets those that can be built
 */
export function cachesOf(out: string, datasets: readonly string[]): Cache[] {
  const known = datasetsOf(out, datasets);
  return CACHE_NAMES.map((name) => lookAt(out, name, known));
}

interface InUse {
  in_use?: string;
}

/** Does something while it holds locks that builds or releases hold as they work; says who has one where it cannot. */
function holding(locks: readonly { path: string; what: string }[], work: () => InUse): InUse {
  const held: { release(): void }[] = [];
  try {
    try {
      for (const { path, what } of locks) held.push(holdExclusively(path, what));
    } catch (error) {
      if (error instanceof UserError) return { in_use: error.message };
      throw error;
    }
    return work();
  } finally {
    for (const one of held.reverse()) one.release();
  }
}

const buildLock = (out: string, dataset: string) => ({
  path: join(out, "cache", `build-${dataset}.lock`),
  what: `the build of ${dataset}`,
});

function remove(paths: readonly string[]): InUse {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
  return {};
}

function emptyLeftovers(out: string, datasets: readonly string[]): InUse {
  // Whoever holds the lock may set things right: a build that was being replaced comes back where it must.
  const builds = datasets
    .filter((dataset) => buildRests(out, dataset).length > 0)
    .map((dataset) =>
      holding([buildLock(out, dataset)], () => {
        clearLeftovers(join(out, "build"), dataset);
        return {};
      }),
    );
  const rests = releaseRests(out);
  const lock = { path: join(out, "releases", ".lock"), what: `a release in ${join(out, "releases")}` };
  const releases = rests.length === 0 ? {} : holding([lock], () => remove(rests));
  const problems = [...builds, releases].flatMap(({ in_use }: InUse) => in_use ?? []);
  return problems.length === 0 ? {} : { in_use: problems.join("; ") };
}

function emptyDownloads(out: string): InUse {
  const now = Date.now();
  const files = [...new Set(partsIn(out).map((path) => path.replace(/\.json$/, "")))];
  const isStill = (part: string): boolean =>
    there([part, `${part}.json`]).every((path) => now - statSync(path).mtimeMs > STILL_MS);
  remove(files.filter(isStill).flatMap((part) => [part, `${part}.json`]));
  const moving = files.filter((part) => !isStill(part)).map((part) => basename(part));
  return moving.length === 0 ? {} : { in_use: `${moving.join(", ")} may still be arriving` };
}

function emptyOne(out: string, name: CacheName, datasets: readonly string[]): InUse {
  const builds = datasets.map((dataset) => buildLock(out, dataset));
  switch (name) {
    case "stages":
      return holding(builds, () => emptyTables(stagesPath(out), "throw away"));
    case "files":
      return holding(builds, () => remove(storedFiles(out)));
    case "hashes":
      return remove(pathsOf(out, name, datasets));
    case "leftovers":
      return emptyLeftovers(out, datasets);
    case "downloads":
      return emptyDownloads(out);
    case "responses":
      return emptyTables(storePath(out), "keep");
  }
}

/**
 * Empties caches of an output folder, and touches nothing else: no file that ambitab did not make, and no cache that a
 * running command uses, which is left as it is and named.
 *
 * @param datasets those that can be built, so that none of their builds begins meanwhile
 * @throws UserError where the store of model answers is to be emptied and is damaged
 */
export function emptyCaches(
  out: string,
  names: readonly CacheName[],
  datasets: readonly string[],
): Emptied[] {
  const known = datasetsOf(out, datasets);
  return CACHE_NAMES.filter((name) => names.includes(name))
    .map((name) => lookAt(out, name, known))
    .filter(({ bytes }) => bytes > 0)
    .map(({ name, bytes, answers }) => {
      const outcome = emptyOne(out, name, known);
      const left = bytesOf(pathsOf(out, name, known));
      const lost = answers === undefined || outcome.in_use !== undefined ? {} : { answers };
      return { name, bytes: Math.max(0, bytes - left), ...lost, ...outcome };
    });
}
