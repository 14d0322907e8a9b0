import Database from "better-sqlite3";
import { quoteIdentifier } from "./text/shape.js";

export interface ColumnDescription {
  name: string;
  /** As declared; empty where there is none. */
  type: string;
  not_null: boolean;
  /** Position in the primary key, from 1; 0 for none. */
  primary_key: number;
  generated: boolean;
}

export interface ForeignKeyDescription {
  columns: string[];
  table: string;
  /** Empty where the key names no column of the other table, that is, its primary key. */
  to: string[];
}

export interface TableDescription {
  name: string;
  columns: ColumnDescription[];
  foreign_keys: ForeignKeyDescription[];
}

/** Tables and views of a database, in the order of its schema. */
export interface SqliteDescription {
  tables: TableDescription[];
  views: string[];
}

const describing = <T>(database: string | Database.Database, work: (db: Database.Database) => T): T => {
  if (typeof database !== "string") return work(database);
  const db = new Database(database, { readonly: true, fileMustExist: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
};

/** What is in a SQLite database: a file's path, or a connection that is open already. */
export function describeSqlite(database: string | Database.Database): SqliteDescription {
  return describing(database, (db) => {
    const list = db.prepare(
      "SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
    );
    const named = list.all() as { type: string; name: string }[];
    const tables = named
      .filter(({ type }) => type === "table")
      .map(({ name }) => {
        const columns = db.pragma(`table_xinfo(${quoteIdentifier(name)})`) as {
          name: string;
          type: string;
          notnull: number;
          pk: number;
          hidden: number;
        }[];
        const keys = new Map<number, ForeignKeyDescription>();
        const rows = db.pragma(`foreign_key_list(${quoteIdentifier(name)})`) as {
          id: number;
          table: string;
          from: string;
          to: string | null;
        }[];
        for (const { id, table, from, to } of rows) {
          const key = keys.get(id) ?? { columns: [], table, to: [] };
          key.columns.push(from);
          if (to !== null) key.to.push(to);
          keys.set(id, key);
        }
        return {
          name,
          columns: columns
            .filter(({ hidden }) => hidden !== 1)
            .map(({ name: column, type, notnull, pk, hidden }) => ({
              name: column,
              type,
              not_null: notnull === 1,
              primary_key: pk,
              generated: hidden > 1,
            })),
          foreign_keys: [...keys].sort(([a], [b]) => b - a).map(([, key]) => key),
        };
      });
    return { tables, views: named.filter(({ type }) => type === "view").map(({ name }) => name) };
  });
}

/** What SQLite's own check says is wrong with a file; empty when it is whole. */
export function checkIntegrity(path: string): string[] {
  try {
    return describing(path, (db) => {
      const found = db.pragma("integrity_check(10)") as { integrity_check: string }[];
      return found.map(({ integrity_check }) => integrity_check).filter((text) => text !== "ok");
    });
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
