import Database from "better-sqlite3";
import type { Draws } from "../../engine/random.js";
import { describeConnection, quoteIdentifier, quoteLiteral, sameName } from "../../sql/index.js";
import { columnDefinition } from "./column-definition.js";
import { drawValues } from "./draw-values.js";

/** What is to be made of a column, all of it drawn beforehand. */
export interface TwoColumns {
  table: string;
  column: string;
  /** Takes the original column's place in the table. */
  inPlace: string;
  /** Becomes the table's last column. */
  atEnd: string;
  /** Which of the two holds the original values; the other's are drawn from them. */
  original: "inPlace" | "atEnd";
}

/** Why SQLite cannot make it so. `kind` tells which drop reason it is. */
export class CannotBuild extends Error {
  override readonly name = "CannotBuild";
  readonly kind: "unique_column" | "unbuildable" | "constraint_violated";
  constructor(kind: CannotBuild["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

const firstLine = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Our own SQL over somebody else's schema: what SQLite says against it is a reason, not a crash. */
function attempt<T>(kind: CannotBuild["kind"], doing: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if ((error as { code?: unknown }).code === "SQLITE_FULL") throw error;
    throw new CannotBuild(kind, `${doing}: ${firstLine(error)}`);
  }
}

function rejectUnique(db: Database.Database, table: string, column: string): void {
  const indexes = db.pragma(`index_list(${quoteIdentifier(table)})`) as { name: string; unique: number }[];
  for (const { name, unique } of indexes) {
    if (unique === 0) continue;
    const covered = db.pragma(`index_xinfo(${quoteIdentifier(name)})`) as {
      name: string | null;
      key: number;
    }[];
    if (covered.some((one) => one.key === 1 && one.name !== null && sameName(one.name, column))) {
      throw new CannotBuild("unique_column", `a UNIQUE constraint or index (${name}) covers the column`);
    }
  }
}

/** Foreign-key violations as comparable text; a schema that cannot be checked says so the same way before and after. */
function foreignKeyState(db: Database.Database): string {
  try {
    return JSON.stringify(db.pragma("foreign_key_check"));
  } catch (error) {
    return firstLine(error);
  }
}

/**
 * A column's definition under another name. SQLite renames it in an empty copy of the table, so that a type, a function or
 * a collation that happens to have the column's name stays what it is.
 */
function renamedDefinition(createTable: string, { table, inPlace, atEnd }: TwoColumns): string | undefined {
  const copy = new Database(":memory:");
  try {
    copy.exec(createTable);
    const [from, to] = [inPlace, atEnd].map(quoteIdentifier);
    copy.exec(`ALTER TABLE ${quoteIdentifier(table)} RENAME COLUMN ${from} TO ${to}`);
    const sql = copy.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table'").pluck().get() as string;
    const definition = columnDefinition(sql, atEnd);
    return definition && sql.slice(definition.start, definition.end);
  } finally {
    copy.close();
  }
}

/**
 * Gives the added column the constraints of the column it stands beside. SQLite's ADD COLUMN refuses some of them
 * (NOT NULL without a default, a default that is an expression), although none changes how rows are stored, so the
 * definition is put into the schema as SQLite's own documentation of ALTER TABLE describes for constraints.
 *
 * @param before the table's CREATE statement before the column was added
 */
function copyDefinition(db: Database.Database, before: string, plan: TwoColumns): void {
  const { table, atEnd } = plan;
  const sql = db
    .prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?")
    .pluck()
    .get(table) as string;
  const definition = renamedDefinition(before, plan);
  const to = columnDefinition(sql, atEnd);
  if (definition === undefined || to === undefined) {
    throw new CannotBuild(
      "unbuildable",
      "the column's definition was not found in the table's CREATE statement",
    );
  }
  const changed = sql.slice(0, to.start) + definition + sql.slice(to.end);
  if (changed === sql) return;
  db.unsafeMode(true);
  db.pragma("writable_schema = ON");
  db.prepare("UPDATE main.sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?").run(changed, table);
  db.pragma("writable_schema = RESET");
  db.unsafeMode(false);
}

/**
 * Replaces a column by two: both alternatives exist afterwards, the original name does not; one holds the original
 * values and the other values drawn from them with replacement (spec 2, ambiqt, step 3). Types, constraints, indexes,
 * views, triggers and rows survive, because SQLite itself renames the column wherever it is used. The file's bytes
 * depend on the given file, the names and the draws alone.
 *
 * @throws CannotBuild with the drop reason where SQLite cannot make it so
 */
export function giveBothColumns(path: string, plan: TwoColumns, draws: Draws): void {
  const { table, column, inPlace, atEnd } = plan;
  const name = quoteIdentifier(table);
  const db = new Database(path);
  try {
    for (const pragma of [
      "journal_mode = DELETE",
      "foreign_keys = OFF",
      "temp_store = MEMORY",
      "synchronous = OFF",
    ]) {
      db.pragma(pragma);
    }
    const described = describeConnection(db).tables.find((one) => sameName(one.name, table));
    if (described?.columns.some((one) => one.kind.startsWith("generated") && sameName(one.name, column)))
      throw new CannotBuild("unbuildable", "the column is generated from others");
    rejectUnique(db, table, column);
    const keysBefore = foreignKeyState(db);
    db.exec("BEGIN");
    attempt("unbuildable", "renaming the column", () =>
      db.exec(`ALTER TABLE ${name} RENAME COLUMN ${quoteIdentifier(column)} TO ${quoteIdentifier(inPlace)}`),
    );
    // Triggers would fire on our own updates; they are set aside and put back as the rename left them.
    const triggers = db.prepare("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'").all() as {
      name: string;
      sql: string;
    }[];
    for (const trigger of triggers) db.exec(`DROP TRIGGER ${quoteIdentifier(trigger.name)}`);
    const sql = db
      .prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?")
      .pluck()
      .get(table);
    const definition = typeof sql === "string" ? columnDefinition(sql, inPlace) : undefined;
    if (typeof sql !== "string" || definition === undefined)
      throw new CannotBuild("unbuildable", "the column's definition was not found");
    attempt("unbuildable", "adding the second column", () =>
      db.exec(`ALTER TABLE ${name} ADD COLUMN ${quoteIdentifier(atEnd)} ${definition.type}`),
    );
    attempt("constraint_violated", "filling the second column", () => {
      if (plan.original === "inPlace") drawValues(db, table, { source: inPlace, target: atEnd }, draws);
      else {
        db.exec(`UPDATE main.${name} SET ${quoteIdentifier(atEnd)} = ${quoteIdentifier(inPlace)}`);
        drawValues(db, table, { source: atEnd, target: inPlace }, draws);
      }
    });
    attempt("unbuildable", "copying the column's constraints", () => copyDefinition(db, sql, plan));
    for (const trigger of triggers) {
      attempt("unbuildable", `restoring trigger ${quoteLiteral(trigger.name)}`, () => db.exec(trigger.sql));
    }
    db.exec("COMMIT");
    if (foreignKeyState(db) !== keysBefore) {
      throw new CannotBuild("constraint_violated", "the drawn values break a foreign key that held before");
    }
    const integrity = db.pragma("integrity_check(1)", { simple: true });
    if (integrity !== "ok") throw new CannotBuild("constraint_violated", String(integrity));
    // Freed pages would still hold what was there before, and their layout is nobody's business.
    db.exec("VACUUM");
  } finally {
    db.close();
  }
}
