import type pg from "pg";
import type { ColumnDescription, ForeignKeyDescription, SchemaDescription } from "../describe.js";

/** A table or view of the dump's own; `qualified` is its name as SQL. */
interface RelationRow {
  oid: number;
  name: string;
  qualified: string;
  view: boolean;
}
interface ColumnRow {
  relation: number;
  name: string;
  type: string;
  not_null: boolean;
  primary_key: number;
  generated: boolean;
}
interface KeyRow {
  relation: number;
  columns: string[];
  target: string;
  references: string[];
}

/** `name` in schema public, `schema.name` elsewhere. */
const SHOWN = "CASE n.nspname WHEN 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END";
/** Schemas of the dump's own. Extensions' tables are theirs. */
const OURS = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
  AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')`;

/** Tables and views, those of schema public first, by name. */
export async function listRelations(client: pg.Client): Promise<RelationRow[]> {
  const { rows } = await client.query<RelationRow>(
    `SELECT c.oid::int AS oid, ${SHOWN} AS name, format('%I.%I', n.nspname, c.relname) AS qualified,
       c.relkind IN ('v', 'm') AS view
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition AND ${OURS}
     ORDER BY n.nspname <> 'public', n.nspname COLLATE "C", c.relname COLLATE "C"`,
  );
  return rows;
}

/** Tables, columns, keys and views of the database that the client is connected to, tables in order of name. */
export async function describePostgres(client: pg.Client): Promise<SchemaDescription> {
  const relations = await listRelations(client);
  const columns = await client.query<ColumnRow>(
    `SELECT a.attrelid::int AS relation, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
       a.attnotnull AS not_null, coalesce(array_position(k.conkey, a.attnum), 0) AS primary_key,
       a.attgenerated <> '' AS generated
     FROM pg_attribute a LEFT JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'p'
     WHERE a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum`,
  );
  const keys = await client.query<KeyRow>(
    `SELECT k.conrelid::int AS relation, ${SHOWN} AS target,
       (SELECT array_agg(a.attname::text ORDER BY p.place) FROM unnest(k.conkey) WITH ORDINALITY p(number, place)
          JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = p.number) AS columns,
       (SELECT array_agg(a.attname::text ORDER BY p.place) FROM unnest(k.confkey) WITH ORDINALITY p(number, place)
          JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = p.number) AS "references"
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.confrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE k.contype = 'f' AND k.conparentid = 0 ORDER BY k.conrelid, k.conname COLLATE "C"`,
  );
  const columnsOf = (oid: number): ColumnDescription[] =>
    columns.rows
      .filter(({ relation }) => relation === oid)
      .map(({ name, type, not_null, primary_key, generated }) => ({
        name,
        type,
        not_null,
        primary_key,
        kind: generated ? "generated_stored" : "plain",
      }));
  const keysOf = (oid: number): ForeignKeyDescription[] =>
    keys.rows
      .filter(({ relation }) => relation === oid)
      .map(({ columns: from, target, references }) => ({ columns: from, table: target, references }));
  const description: SchemaDescription = { tables: [], views: [] };
  for (const { oid, name, view } of relations) {
    if (view) description.views.push({ name, columns: columnsOf(oid) });
    else description.tables.push({ name, kind: "table", columns: columnsOf(oid), foreign_keys: keysOf(oid) });
  }
  return description;
}
