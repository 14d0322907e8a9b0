import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { TaskRecord } from "../../schemas/types/record.js";
import { UserError } from "../errors.js";
import { readJsonl } from "./jsonl.js";

/** One dataset of a build. */
export interface DatasetFolder {
  dataset: string;
  /** The folder that `databases/…` paths of its records are relative to. */
  databases: string;
  /** The dataset's build folder, which holds ledger, drops, funnel and lock. */
  folder: string;
  /** Streams the records in file order, with their line. */
  records(): AsyncGenerator<{ record: TaskRecord; file: string; line: number }>;
}

async function* recordsOf(path: string): AsyncGenerator<{ record: TaskRecord; file: string; line: number }> {
  for await (const { line, value } of readJsonl<TaskRecord>(path)) yield { record: value, file: path, line };
}

function buildFolder(folder: string): DatasetFolder {
  return {
    dataset: basename(folder),
    databases: join(folder, "databases"),
    folder,
    records: () => recordsOf(join(folder, "records.jsonl")),
  };
}

/**
 * The datasets under a path that a person names: one dataset's build folder, the folder that holds them all
 * (`out/build`), or the output folder itself (`out`). Sorted by name.
 *
 * @throws UserError when there is no build to be found
 */
export function openBuilds(path: string): DatasetFolder[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) {
    throw new UserError(`there is no folder ${path}`, { remedy: "name a build such as out/build/ambiqt" });
  }
  if (existsSync(join(path, "records.jsonl"))) return [buildFolder(path)];
  const parent = existsSync(join(path, "build")) ? join(path, "build") : path;
  const found = readdirSync(parent)
    .filter((name) => !name.startsWith(".") && existsSync(join(parent, name, "records.jsonl")))
    .sort();
  if (found.length === 0) {
    throw new UserError(`${path} holds no build`, {
      remedy: "run ambitab build first, or name a build's folder",
    });
  }
  return found.map((name) => buildFolder(join(parent, name)));
}
