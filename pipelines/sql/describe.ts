import Database from "better-sqlite3";
import { SqlError } from "../errors.js";
import { type Connection, withDatabase } from "./sqlite/read-only.js";
import { quoteIdentifier } from "./text/shape.js";

export interface ColumnDescription {
  name: string;
  /** As declared; "" where nothing is. */
  type: string;
  not_null: boolean;
  /** Place in the primary key, from 1; 0 for a column that is not part of it. */
  primary_key: number;
  /** `hidden` columns belong to virtual tables; generated ones are computed when read or when written. */
  kind: "plain" | "hidden" | "generated_virtual" | "generated_stored";
}

/** One foreign key; its columns in the key's own order. */
export interface ForeignKeyDescription {
  columns: string[];
  table: string;
  /** Absent where the declaration names none and means the primary key. */
  references: string[] | null;
}

export interface TableDescription {
  name: string;
  kind: "table" | "virtual";
  columns: ColumnDescription[];
  foreign_keys: ForeignKeyDescription[];
}

export interface ViewDescription {
  name: string;
  columns: ColumnDescription[];
  /** The database's message where the view cannot be read, for instance because its table is gone. */
  problem?: string;
}

export interface SchemaDescription {
  tables: TableDescription[];
  views: ViewDescription[];
}

const COLUMN_KINDS = ["plain", "hidden", "generated_virtual", "generated_stored"] as const;

function columnsOf(connection: Connection, table: string): ColumnDescription[] {
  const rows = connection
    .prepare<[string], { name: string; type: string; notnull: number; pk: number; hidden: number }>(
      `SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid`,
    )
    .all(table);
  return rows.map(({ name, type, notnull, pk, hidden }) => ({
    name,
    type,
    not_null: notnull === 1,
    primary_key: pk,
    kind: COLUMN_KINDS[hidden] ?? "plain",
  }));
}

function foreignKeysOf(connection: Connection, table: string): ForeignKeyDescription[] {
  const rows = connection
    .prepare<[string], { id: number; table: string; from: string; to: string | null }>(
      // SQLite numbers keys from the last declared to the first.
      `SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq`,
    )
    .all(table);
  const keys = new Map<number, ForeignKeyDescription>();
  for (const row of rows) {
    const key = keys.get(row.id) ?? { columns: [], table: row.table, references: null };
    key.columns.push(row.from);
    if (row.to !== null) key.references = [...(key.references ?? []), row.to];
    keys.set(row.id, key);
  }
  return [...keys.values()];
}

function viewOf(connection: Connection, name: string): ViewDescription {
  try {
    return { name, columns: columnsOf(connection, name) };
  } catch (error) {
    return { name, columns: [], problem: (error as Error).message };
  }
}

/**
 * Tables, columns, keys and views of a database file, in the order in which the schema holds them. Tables of SQLite's own
 * (`sqlite_…`) and the shadow tables of virtual ones are left out. Throws an SqlError when the path is no database.
 */
export function describeSqlite(path: string): SchemaDescription {
  return withDatabase(path, describeConnection);
}

/** The same of a connection that is open already. */
export function describeConnection(connection: Connection): SchemaDescription {
  const listed = connection
    .prepare<[], { name: string; kind: "table" | "virtual" | "view" }>(
      `SELECT s.name AS name, l.type AS kind
         FROM sqlite_schema AS s JOIN pragma_table_list AS l ON l.schema = 'main' AND l.name = s.name
         WHERE s.type IN ('table', 'view') AND l.type IN ('table', 'virtual', 'view')
           AND s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         ORDER BY s.rowid`,
    )
    .all();
  const tables: TableDescription[] = [];
  const views: ViewDescription[] = [];
  for (const { name, kind } of listed) {
    if (kind === "view") views.push(viewOf(connection, name));
    else {
      const foreign_keys = foreignKeysOf(connection, name);
      tables.push({ name, kind, columns: columnsOf(connection, name), foreign_keys });
    }
  }
  return { tables, views };
}

/** Rows of each table (not of views: those may be anything), by table name in schema order. */
export function countRows(path: string): Map<string, number> {
  const { tables } = describeSqlite(path);
  return withDatabase(path, (connection) => {
    const counts = new Map<string, number>();
    for (const { name } of tables) {
      const row = connection
        .prepare<[], { rows: number }>(`SELECT count(*) AS rows FROM ${quoteIdentifier(name)}`)
        .get();
      counts.set(name, row?.rows ?? 0);
    }
    return counts;
  });
}

/** Damage so great that the check itself cannot run. */
const isDamage = (error: unknown): error is Error =>
  error instanceof Database.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code);

/** What SQLite's integrity check finds wrong, one sentence each, also that a file is no database; empty for a sound one. */
export function checkIntegrity(path: string): string[] {
  try {
    return withDatabase(path, (connection) => {
      const rows = connection.prepare<[], { integrity_check: string }>("PRAGMA integrity_check").all();
      return rows.map((row) => row.integrity_check).filter((finding) => finding !== "ok");
    });
  } catch (error) {
    if (error instanceof SqlError || isDamage(error)) return [error.message];
    throw error;
  }
}
