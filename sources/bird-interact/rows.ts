import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SourceError } from "../../pipelines/errors.js";
import { readJsonLines } from "../json-lines.js";
import { pathNameProblem } from "../row-check.js";
import {
  type BirdInteractGroundTruth,
  GroundTruthIndex,
  groundTruthSha256,
  readGroundTruth,
  readGroundTruthFile,
} from "./ground-truth.js";
import { type KnowledgeEntry, readColumnMeanings, readKnowledge } from "./knowledge.js";
import { dumpFiles, dumpPlace, groundTruthFiles, type HashedFile, packageFile, taskFiles } from "./layout.js";
import { type BirdInteractTask, readTask } from "./tasks.js";

/** Something that a copy of the source has, or why it has not. */
export type Located<T> = ({ here: true } & T) | { here: false; reason: string };

/** What a copy of the source holds of one database. */
export interface BirdInteractDatabase {
  /** The dump, a file a table. */
  dump: Located<{ files: HashedFile[] }>;
  knowledge: Located<{ path: string; entries: KnowledgeEntry[] }>;
  /** `table.column` → meaning; empty where the copy has none. */
  meanings: Record<string, string>;
}

/** A task with what the verifier holds of it. */
export interface JoinedTask extends BirdInteractTask {
  ground_truth: Located<BirdInteractGroundTruth & { file: string; sha256: string }>;
}

/** A good line, or what is wrong with a bad one. */
export type BirdInteractItem = { file: string; row: number; line: number } & (
  | { kind: "task"; value: JoinedTask; database: BirdInteractDatabase }
  | { kind: "error"; error: SourceError }
);

export interface BirdInteractSource {
  /** Every file that is read → sha256. */
  hashes: ReadonlyMap<string, string>;
  tasks(): Generator<BirdInteractItem, void, undefined>;
}

const NO_GROUND_TRUTH =
  "its ground truth is not in this copy of the source: the authors mail it to whoever writes to bird.bench23@gmail.com or bird.bench25@gmail.com";

/** Reads files once and remembers their hashes. */
class SourceFolder {
  readonly root: string;
  readonly hashes = new Map<string, string>();
  constructor(root: string) {
    this.root = root;
  }
  text(path: string): string {
    const content = readFileSync(join(this.root, path));
    this.hashes.set(path, createHash("sha256").update(content).digest("hex"));
    return content.toString("utf8");
  }
}

async function readDatabase(folder: SourceFolder, name: string): Promise<BirdInteractDatabase> {
  const { root, hashes } = folder;
  const dump = await dumpFiles(root, name);
  for (const { path, sha256 } of dump) hashes.set(path, sha256);
  const knowledge = packageFile(root, name, "_kb.jsonl");
  const meanings = packageFile(root, name, "_column_meaning_base.json");
  return {
    dump:
      dump.length > 0
        ? { here: true, files: dump }
        : {
            here: false,
            reason: `the database ${name} is not in this copy of the source (${dumpPlace(name)})`,
          },
    knowledge:
      knowledge === undefined
        ? {
            here: false,
            reason: `the knowledge of ${name} is not in this copy of the source (${name}_kb.jsonl)`,
          }
        : { here: true, path: knowledge, entries: readKnowledge(folder.text(knowledge), knowledge) },
    meanings: meanings === undefined ? {} : readColumnMeanings(folder.text(meanings), meanings),
  };
}

/**
 * The tasks of a BIRD-Interact folder, each joined with its ground truth by instance_id and with what there is of its
 * database (spec 2, "bird-interact", step 1). What this copy lacks is named with its reason; a task without ground truth
 * is a task all the same. Bad lines come out as errors, and so does a task whose knowledge or ground truth is faulty.
 *
 * @throws SourceError when there is no file of tasks, or a ground-truth file has a line that cannot be read
 */
export async function readBirdInteract(root: string): Promise<BirdInteractSource> {
  const folder = new SourceFolder(root);
  const truths = new GroundTruthIndex();
  const withGroundTruth = groundTruthFiles(root);
  for (const file of withGroundTruth) {
    const { lines, errors } = readGroundTruthFile(folder.text(file), file);
    if (errors[0] !== undefined) throw errors[0];
    for (const line of lines) truths.add(line);
  }
  const lines = taskFiles(root).flatMap((file) =>
    readJsonLines(folder.text(file), file).map((item) => ({ ...item, file })),
  );
  const names = new Set(
    lines.flatMap((item) => {
      const name = item.kind === "object" ? item.value.selected_database : undefined;
      // A name that is no name is the row's fault, and is not looked for.
      return typeof name === "string" && pathNameProblem(name) === undefined ? [name] : [];
    }),
  );
  const databases = new Map<string, BirdInteractDatabase | SourceError>();
  for (const name of names) {
    databases.set(
      name,
      await readDatabase(folder, name).catch((error: unknown) => {
        if (error instanceof SourceError) return error;
        throw error;
      }),
    );
  }
  function* tasks(): Generator<BirdInteractItem, void, undefined> {
    const seen = new Map<string, string>();
    for (const item of lines) {
      const { file, row, line } = item;
      const at = { file, row, line };
      const joined = item.kind === "error" ? item.error : joinTask(at, item.value, seen, truths);
      if (joined instanceof SourceError) {
        yield { ...at, kind: "error", error: joined };
        continue;
      }
      const database = databases.get(joined.selected_database);
      if (database instanceof SourceError) yield { ...at, kind: "error", error: database };
      else if (database === undefined)
        throw new Error(`the database ${joined.selected_database} was not looked for`);
      else yield { ...at, kind: "task", value: joined, database };
    }
  }
  return { hashes: folder.hashes, tasks };
}

function joinTask(
  place: { file: string; row: number; line: number },
  value: Record<string, unknown>,
  seen: Map<string, string>,
  truths: GroundTruthIndex,
): JoinedTask | SourceError {
  const task = readTask(place, value);
  if (task instanceof SourceError) return task;
  const { instance_id } = task;
  const here = `${place.file}, line ${place.line}`;
  const earlier = seen.get(instance_id);
  if (earlier !== undefined) {
    return new SourceError(
      { ...place, field: "instance_id" },
      `expected each task once, found ${instance_id} at ${earlier} too`,
    );
  }
  seen.set(instance_id, here);
  // A file that upstream's own script has joined with the ground truth holds it in the line itself.
  const own = readGroundTruth(place, value);
  if (own instanceof SourceError) return own;
  if (own !== undefined) {
    return {
      ...task,
      ground_truth: { here: true, ...own, file: place.file, sha256: groundTruthSha256(own) },
    };
  }
  const mailed = truths.get(instance_id);
  if (mailed instanceof SourceError) return mailed;
  if (mailed === undefined) return { ...task, ground_truth: { here: false, reason: NO_GROUND_TRUTH } };
  if (truths.isSqliteOnly(instance_id)) {
    return {
      ...task,
      ground_truth: {
        here: false,
        reason: `its ground truth is here for SQLite only (${mailed.file}), and its database is PostgreSQL's`,
      },
    };
  }
  const { sol_sql, test_cases, external_knowledge, follow_up, file, sha256 } = mailed;
  return {
    ...task,
    ground_truth: { here: true, sol_sql, test_cases, external_knowledge, follow_up, file, sha256 },
  };
}
