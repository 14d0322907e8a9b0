import Database from "better-sqlite3";
import type { Draws } from "../../engine/random.js";
import { describeSqlite, nameOf, quoteIdentifier, quoteLiteral } from "../../sql/index.js";
import { columnDefinition } from "./column-definition.js";
import { sameName } from "./one-column-two-names.js";

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

/** How rows of a table are told apart: a rowid by a name no column took, else the primary key (WITHOUT ROWID). */
function rowKey(db: Database.Database, table: string): string[] {
  const description = describeSqlite(db).tables.find(({ name }) => sameName(name, table));
  const columns = description?.columns ?? [];
  const keys = columns.filter(({ primary_key }) => primary_key > 0).map(({ name }) => quoteIdentifier(name));
  for (const alias of ["rowid", "_rowid_", "oid"]) {
    if (columns.some(({ name }) => sameName(name, alias))) continue;
    try {
      db.prepare(`SELECT ${alias} FROM ${quoteIdentifier(table)}`);
      return [alias];
    } catch {
      // A WITHOUT ROWID table has none under any name: its primary key tells its rows apart.
      return keys;
    }
  }
  return keys;
}

/**
 * Fills `target` with values drawn with replacement from `source`, NULLs included. It is done inside SQLite, so that
 * bytes, storage classes and text in any encoding come over exactly.
 */
function drawValues(
  db: Database.Database,
  table: string,
  source: string,
  target: string,
  draws: Draws,
): void {
  const name = quoteIdentifier(table);
  const key = rowKey(db, table);
  const keyColumns = key.map((_, index) => `k${index}`);
  db.exec(`CREATE TEMP TABLE place (n INTEGER PRIMARY KEY, ${[...keyColumns, "v"].join(", ")})`);
  db.exec(
    `INSERT INTO temp.place (${[...keyColumns, "v"].join(", ")})
     SELECT ${[...key, quoteIdentifier(source)].join(", ")} FROM main.${name} ORDER BY ${key.join(", ")}`,
  );
  db.exec(`CREATE INDEX temp.place_key ON place (${keyColumns.join(", ")})`);
  db.exec("CREATE TEMP TABLE drawn (n INTEGER PRIMARY KEY, source INTEGER NOT NULL)");
  const rows = db.prepare("SELECT count(*) FROM temp.place").pluck().get() as number;
  const insert = db.prepare("INSERT INTO temp.drawn (n, source) VALUES (?, ?)");
  for (let n = 1; n <= rows; n += 1) insert.run(n, draws.below(rows) + 1);
  const same = key.map((column, index) => `w.k${index} IS ${name}.${column}`).join(" AND ");
  db.exec(
    `UPDATE main.${name} SET ${quoteIdentifier(target)} =
       (SELECT s.v FROM temp.place w JOIN temp.drawn d ON d.n = w.n JOIN temp.place s ON s.n = d.source WHERE ${same})`,
  );
  db.exec("DROP TABLE temp.drawn; DROP TABLE temp.place");
}

/**
 * Gives the added column the constraints of the column it stands beside. SQLite's ADD COLUMN refuses some of them
 * (NOT NULL without a default, a default that is an expression), although none changes how rows are stored, so the
 * definition is put into the schema as SQLite's own documentation of ALTER TABLE describes for constraints.
 */
function copyDefinition(db: Database.Database, { table, inPlace, atEnd }: TwoColumns): void {
  const sql = db
    .prepare("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?")
    .pluck()
    .get(table) as string;
  const from = columnDefinition(sql, inPlace);
  const to = columnDefinition(sql, atEnd);
  if (from === undefined || to === undefined) {
    throw new CannotBuild(
      "unbuildable",
      "the column's definition was not found in the table's CREATE statement",
    );
  }
  const own = from.rest.map((token) => {
    const isName = token.kind === "identifier" || token.kind === "quoted_identifier";
    return isName && sameName(nameOf(token), inPlace) ? quoteIdentifier(atEnd) : token.text;
  });
  if (own.join(" ") === to.rest.map(({ text }) => text).join(" ")) return;
  const definition = [quoteIdentifier(atEnd), ...own].join(" ");
  const changed = sql.slice(0, to.start) + definition + sql.slice(to.end);
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
    if (definition === undefined)
      throw new CannotBuild("unbuildable", "the column's definition was not found");
    const words = definition.rest.map(({ text }) => text.toUpperCase());
    if (words.includes("GENERATED") || words.includes("AS")) {
      throw new CannotBuild("unbuildable", "the column is generated from others");
    }
    attempt("unbuildable", "adding the second column", () =>
      db.exec(`ALTER TABLE ${name} ADD COLUMN ${quoteIdentifier(atEnd)} ${definition.type}`),
    );
    attempt("constraint_violated", "filling the second column", () => {
      if (plan.original === "inPlace") drawValues(db, table, inPlace, atEnd, draws);
      else {
        db.exec(`UPDATE main.${name} SET ${quoteIdentifier(atEnd)} = ${quoteIdentifier(inPlace)}`);
        drawValues(db, table, atEnd, inPlace, draws);
      }
    });
    attempt("unbuildable", "copying the column's constraints", () => copyDefinition(db, plan));
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
