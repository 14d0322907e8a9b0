import {
  type AmbrosiaConcepts,
  type AmbrosiaItem,
  type AmbrosiaQuestion,
  type LocatedAmbrosiaDatabase,
  locateAmbrosiaDatabase,
  readAmbrosia,
  readConcepts,
} from "../../../sources/ambrosia/index.js";
import type { SourceStream } from "../../engine/pipeline.js";
import { SourceError } from "../../errors.js";
import { sha256 } from "../../record/ids.js";
import type { SourceQuestion } from "./items.js";

/** `ambrosia/test/<type>.<Domain>.<name>.<number>`: the same in both layouts, except that one does not say the split. */
export function keyOf({ db_file, number, split }: AmbrosiaQuestion): string {
  const [type, domain, name] = db_file.split("/").slice(1);
  return `ambrosia/${split ?? "all"}/${type}.${domain?.replaceAll(" ", "_")}.${name}.${number}`;
}

/** What a copy of the source holds beside one database's questions. */
interface Beside {
  database: LocatedAmbrosiaDatabase;
  concepts: AmbrosiaConcepts | null;
  /** An annotation that is there and cannot be read. */
  broken: SourceError | null;
  /** Files that decide the questions' records: path → sha256. */
  files: Record<string, string>;
}

function lookBeside(root: string, { db_file, type }: AmbrosiaQuestion): Beside {
  const database = locateAmbrosiaDatabase(root, db_file);
  const files: Record<string, string> =
    database.kind === "sqlite" ? { [database.path]: database.sha256 } : {};
  try {
    const located = readConcepts(root, db_file, type);
    if (located.kind === "missing") return { database, concepts: null, broken: null, files };
    files[located.file] = located.sha256;
    return { database, concepts: located.concepts, broken: null, files };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { database, concepts: null, broken: error, files };
  }
}

/**
 * Opens AMBROSIA's questions together with the databases and annotations that lie beside each other. Every file that is
 * read is hashed first, and the hashes of a question's files travel in its item.
 */
export async function openAmbrosia(root: string): Promise<SourceStream<SourceQuestion>> {
  const source = await readAmbrosia(root);
  const beside = new Map<string, Beside>();
  // One pass to learn which databases the questions name: the lock must list every input before the first is built.
  const inputs: Record<string, string> = {};
  for (const [file, digest] of source.files) inputs[file] = digest.sha256;
  // The items are light, so they are kept for the build instead of parsing the large file twice.
  const read: AmbrosiaItem[] = [];
  for await (const item of source.questions()) {
    read.push(item);
    if (item.kind === "error" || beside.has(item.value.db_file)) continue;
    const found = lookBeside(root, item.value);
    beside.set(item.value.db_file, found);
    Object.assign(inputs, found.files);
  }
  const hashes = [...source.files].map(([file, digest]) => `${file} ${digest.sha256}\n`);
  const version = `${source.layout}-${sha256(hashes.join("")).slice(0, 12)}`;
  return {
    root,
    version,
    inputs: Object.fromEntries(Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1))),
    async *items() {
      for (const item of read) {
        const { file, row } = item;
        const file_sha256 = source.files.get(file)?.sha256 ?? "";
        if (item.kind === "error") {
          const place = source.layout === "csv" ? "" : `${file}/`;
          yield { bad: item.error, key: `ambrosia/${place}row-${row}`, row };
          continue;
        }
        const { row: _row, row_sha256, ...fields } = item.value;
        const key = keyOf(item.value);
        const found = beside.get(fields.db_file) ?? lookBeside(root, item.value);
        if (found.broken !== null) {
          yield { bad: found.broken, key, row };
          continue;
        }
        const { database, concepts } = found;
        yield {
          key,
          origin: { file, file_sha256, row, row_sha256 },
          value: { ...fields, database, concepts, source_version: version },
        };
      }
    },
  };
}
