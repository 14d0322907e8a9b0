/** BIRD's real rows with the schema of each row's database, from the lists that upstream ships beside them. */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import Database from "better-sqlite3";
import { type ReadingSchema, readingSchema } from "../../../../pipelines/datasets/bird/readings/index.js";
import { describeConnection, type SchemaDescription } from "../../../../pipelines/sql/index.js";

export const BIRD = resolve(process.env.AMBITAB_DATA ?? "../shared/data", "bird");
export const hasBird = existsSync(`${BIRD}/dev/dev.json`);
export const SUPERHERO = `${BIRD}/dev/dev_databases/superhero/superhero.sqlite`;

export interface RealRow {
  question_id: number;
  db_id: string;
  question: string;
  evidence: string;
  SQL: string;
}

interface ListedTables {
  db_id: string;
  table_names_original: string[];
  column_names_original: [number, string][];
  column_names: [number, string][];
  column_types: string[];
  primary_keys: (number | number[])[];
  foreign_keys: [number, number][];
}

const read = <T>(path: string): T => JSON.parse(readFileSync(`${BIRD}/${path}`, "utf8")) as T;

export const rowsOf = (file: string): RealRow[] => read<RealRow[]>(file);

function described(listed: ListedTables): SchemaDescription {
  const columns = listed.column_names_original.map(([table, name], at) => ({ table, name, at }));
  const primary = listed.primary_keys.flat();
  const tableAt = (at: number): number => listed.column_names_original[at]?.[0] ?? -1;
  const nameAt = (at: number): string => listed.column_names_original[at]?.[1] ?? "";
  return {
    views: [],
    tables: listed.table_names_original.map((name, table) => ({
      name,
      kind: "table",
      columns: columns
        .filter((column) => column.table === table)
        .map((column) => ({
          name: column.name,
          type: listed.column_types[column.at] ?? "",
          not_null: false,
          primary_key: primary.includes(column.at) ? 1 : 0,
          kind: "plain",
        })),
      foreign_keys: listed.foreign_keys
        .filter(([from]) => tableAt(from) === table)
        .map(([from, to]) => ({
          columns: [nameAt(from)],
          table: listed.table_names_original[tableAt(to)] ?? "",
          references: [nameAt(to)],
        })),
    })),
  };
}

function devSchema(listed: ListedTables): ReadingSchema {
  const words = new Map(
    listed.column_names_original.map(([table, name], at) => [
      `${listed.table_names_original[table] ?? ""}.${name}`,
      listed.column_names[at]?.[1] ?? "",
    ]),
  );
  return readingSchema(described(listed), (table, column) => words.get(`${table}.${column}`));
}

/** Statements that do not run (a key to a table that comes later is fine) leave their table out. */
function trainSchema(ddl: string): ReadingSchema {
  const database = new Database(":memory:");
  database.pragma("foreign_keys = off");
  for (const statement of ddl.split(/;\s*\n/)) {
    try {
      database.exec(statement);
    } catch {
      // Upstream's listing has a few tables that SQLite does not take.
    }
  }
  const schema = readingSchema(describeConnection(database));
  database.close();
  return schema;
}

/** The schema of a database, by its name; read once. */
export function schemas(): (db: string) => ReadingSchema {
  const dev = new Map(read<ListedTables[]>("dev/dev_tables.json").map((listed) => [listed.db_id, listed]));
  const train = read<Record<string, string>>("train/train_schema.json");
  const made = new Map<string, ReadingSchema>();
  return (db) => {
    const known = made.get(db);
    if (known !== undefined) return known;
    const listed = dev.get(db);
    const schema = listed === undefined ? trainSchema(train[db] ?? "") : devSchema(listed);
    made.set(db, schema);
    return schema;
  };
}

const TEXTS = new Map<string, readonly string[]>();

/** The texts of a column of superhero, in their own order. */
export function superheroValues(table: string, column: string): readonly string[] {
  const key = `${table}.${column}`;
  const known = TEXTS.get(key);
  if (known !== undefined) return known;
  const database = new Database(SUPERHERO, { readonly: true });
  const texts = database
    .prepare<[], string>(
      `SELECT DISTINCT "${column}" FROM "${table}" WHERE typeof("${column}") = 'text' ORDER BY 1`,
    )
    .pluck()
    .all();
  database.close();
  TEXTS.set(key, texts);
  return texts;
}
