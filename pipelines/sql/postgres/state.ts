import { createHash } from "node:crypto";
import type { Limits } from "../execution.js";
import type { Session } from "./session.js";

/**
 * What a database holds, for comparing what two Management tasks have left: a digest of every table's rows (in any
 * order), and of every definition. Equal maps, equal states. A view is what it shows, however it is written; of a routine
 * white space, comments and the case of its words do not matter. Comments on things, owners, privileges and the numbers
 * the server gives things are no part of it: two people who do the same write them differently.
 */
export interface DatabaseState {
  /** Table, as schema.name → sha256 over its rows. */
  tables: Record<string, string>;
  /** Kind and name, such as `view public.v` → sha256 of the definition. */
  definitions: Record<string, string>;
}

const OURS = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`;
const NOT_EXTENDED = (catalog: string) =>
  `NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalog}'::regclass AND d.objid = o.oid AND d.deptype = 'e')`;

/** Each gives `name`, `definition` for one kind of thing. */
const DEFINITIONS: Record<string, string> = {
  schema: `SELECT n.nspname, '' FROM pg_namespace n WHERE ${OURS}`,
  extension: "SELECT extname, extversion FROM pg_extension",
  // Columns in order, as they were declared.
  table: `SELECT format('%I.%I', n.nspname, o.relname), concat_ws(' ', o.relkind, o.relpersistence, o.relrowsecurity) ||
      coalesce(pg_get_partkeydef(o.oid), '') || coalesce(pg_get_expr(o.relpartbound, o.oid), '') ||
      coalesce((SELECT string_agg(concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod), a.attnotnull,
        a.attidentity, a.attgenerated, pg_get_expr(f.adbin, f.adrelid)), ', ' ORDER BY a.attnum)
        FROM pg_attribute a LEFT JOIN pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
        WHERE a.attrelid = o.oid AND a.attnum > 0 AND NOT a.attisdropped), '')
    FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace
    WHERE o.relkind IN ('r', 'p', 'f') AND ${OURS} AND ${NOT_EXTENDED("pg_class")}`,
  view: `SELECT format('%I.%I', n.nspname, o.relname), concat_ws(' ', o.relkind, pg_get_viewdef(o.oid))
    FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace
    WHERE o.relkind IN ('v', 'm') AND ${OURS} AND ${NOT_EXTENDED("pg_class")}`,
  index: `SELECT format('%I.%I', n.nspname, o.relname), pg_get_indexdef(o.oid)
    FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace
    WHERE o.relkind IN ('i', 'I') AND ${OURS} AND ${NOT_EXTENDED("pg_class")}`,
  sequence: `SELECT format('%I.%I', n.nspname, o.relname), concat_ws(' ', format_type(s.seqtypid, NULL), s.seqstart,
      s.seqincrement, s.seqmax, s.seqmin, s.seqcycle, pg_sequence_last_value(o.oid))
    FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace JOIN pg_sequence s ON s.seqrelid = o.oid
    WHERE ${OURS} AND ${NOT_EXTENDED("pg_class")}`,
  constraint: `SELECT format('%I on %s', o.conname, coalesce(nullif(o.conrelid, 0)::regclass::text, o.contypid::regtype::text)),
      pg_get_constraintdef(o.oid)
    FROM pg_constraint o JOIN pg_namespace n ON n.oid = o.connamespace WHERE ${OURS} AND ${NOT_EXTENDED("pg_constraint")}`,
  trigger: `SELECT format('%I on %s', o.tgname, o.tgrelid::regclass), concat_ws(' ', o.tgenabled, pg_get_triggerdef(o.oid))
    FROM pg_trigger o WHERE NOT o.tgisinternal`,
  rule: `SELECT format('%I on %s', o.rulename, o.ev_class::regclass), pg_get_ruledef(o.oid)
    FROM pg_rewrite o JOIN pg_class c ON c.oid = o.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE o.rulename <> '_RETURN' AND ${OURS}`,
  policy: `SELECT format('%I on %s', o.polname, o.polrelid::regclass), concat_ws(' ', o.polcmd, o.polpermissive,
      pg_get_expr(o.polqual, o.polrelid), pg_get_expr(o.polwithcheck, o.polrelid)) FROM pg_policy o`,
  routine: `SELECT o.oid::regprocedure::text, CASE o.prokind WHEN 'a' THEN concat_ws(' ', o.prorettype::regtype,
      (SELECT concat_ws(' ', g.aggtransfn, g.aggfinalfn, g.agginitval) FROM pg_aggregate g WHERE g.aggfnoid = o.oid))
      ELSE pg_get_functiondef(o.oid) END
    FROM pg_proc o JOIN pg_namespace n ON n.oid = o.pronamespace WHERE ${OURS} AND ${NOT_EXTENDED("pg_proc")}`,
  // A table's row type is told by the table.
  type: `SELECT o.oid::regtype::text, concat_ws(' ', o.typtype, format_type(o.typbasetype, o.typtypmod), o.typnotnull,
      o.typdefault, (SELECT string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = o.oid),
      (SELECT string_agg(quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum)
        FROM pg_attribute a WHERE a.attrelid = o.typrelid AND a.attnum > 0 AND NOT a.attisdropped))
    FROM pg_type o JOIN pg_namespace n ON n.oid = o.typnamespace LEFT JOIN pg_class c ON c.oid = o.typrelid
    WHERE o.typcategory <> 'A' AND (o.typrelid = 0 OR c.relkind = 'c') AND ${OURS} AND ${NOT_EXTENDED("pg_type")}`,
};

const TABLES = `SELECT format('%I.%I', n.nspname, o.relname) FROM pg_class o JOIN pg_namespace n ON n.oid = o.relnamespace
  WHERE o.relkind IN ('r', 'm') AND o.relpersistence <> 't' AND ${OURS}`;

/** A routine's text without what does not run: comments, white space, and the case of all but its literals. */
export function plainRoutine(definition: string): string {
  const pieces = definition.match(/'(?:[^']|'')*'|\/\*[\s\S]*?\*\/|--[^\n]*|\s+|[\p{L}\p{N}_]+|[\s\S]/gu);
  return (pieces ?? [])
    .filter((piece) => !/^(?:\/\*|--|\s)/.test(piece))
    .map((piece) => (piece.startsWith("'") ? piece : piece.toLowerCase()))
    .join(" ");
}

/** What a view shows: its columns' names and its rows; undefined where it cannot be read. */
async function shownBy(session: Session, view: string, limits: Partial<Limits>): Promise<string | undefined> {
  const read = await session.exec(`SELECT * FROM ${view}`, { limits, want: "digest" });
  return read.outcome === "rows" ? JSON.stringify([read.columns, read.digest.unordered]) : undefined;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Thrown where a table cannot be read within the limits; the caller makes an outcome of it. */
export class UnreadableState extends Error {
  override readonly name = "UnreadableState";
}

/**
 * Reads the state in a session of the task's own rights: what the task has made may run code when it is looked at. The
 * session must be fresh, so that no setting or temporary table of the task stands in the way.
 *
 * @param limits for each table
 */
export async function readState(session: Session, limits: Partial<Limits>): Promise<DatabaseState> {
  // Names in definitions are then always written in full, and nothing of the task's is found by an unqualified one.
  const fixed = await session.exec("SET search_path = pg_catalog");
  if (fixed.outcome !== "rows") throw new UnreadableState("the search path cannot be set");
  const state: DatabaseState = { tables: {}, definitions: {} };
  for (const [kind, sql] of Object.entries(DEFINITIONS)) {
    const found = await session.exec(`SELECT * FROM (${sql}) AS found (name, definition) ORDER BY 1, 2`, {
      limits,
    });
    if (found.outcome !== "rows") throw new UnreadableState(`${kind}: ${JSON.stringify(found)}`);
    for (const [cell, written] of found.rows) {
      const name = cell?.slice(1) ?? "";
      const key = `${kind} ${name}`;
      const shown = kind === "view" ? await shownBy(session, name, limits) : undefined;
      const definition = shown ?? (kind === "routine" ? plainRoutine(written ?? "") : written);
      // Two things of one name, such as a rule's: both count.
      state.definitions[key] = sha256(`${state.definitions[key] ?? ""}${definition ?? ""}`);
    }
  }
  const tables = await session.exec(TABLES, { limits });
  if (tables.outcome !== "rows") throw new UnreadableState(JSON.stringify(tables));
  for (const [cell] of tables.rows) {
    const name = cell?.slice(1) ?? "";
    const read = await session.exec(`SELECT * FROM ONLY ${name}`, { limits, want: "digest" });
    if (read.outcome !== "rows") throw new UnreadableState(`${name}: ${JSON.stringify(read)}`);
    state.tables[name] = read.digest.unordered;
  }
  return state;
}

/** What differs between two states, by name, sorted; empty for equal ones. */
export function differences(a: DatabaseState, b: DatabaseState): string[] {
  const found: string[] = [];
  for (const [part, prefix] of [
    ["tables", "rows of "],
    ["definitions", ""],
  ] as const) {
    for (const name of new Set([...Object.keys(a[part]), ...Object.keys(b[part])])) {
      if (a[part][name] !== b[part][name]) found.push(prefix + name);
    }
  }
  return found.sort();
}
