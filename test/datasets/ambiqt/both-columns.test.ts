import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import {
  CannotBuild,
  giveBothColumns,
  type TwoColumns,
} from "../../../pipelines/datasets/ambiqt/both-columns.js";
import { drawsFor } from "../../../pipelines/engine/random.js";
import { dump, schemaOf } from "./dump.js";

const folder = mkdtempSync(join(tmpdir(), "ambitab-columns-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function database(script: string): string {
  files += 1;
  const path = join(folder, `${files}.sqlite`);
  const db = new Database(path);
  db.exec(script);
  db.close();
  return path;
}

function built(original: string, plan: TwoColumns, seed = 0): string {
  files += 1;
  const path = join(folder, `${files}.sqlite`);
  copyFileSync(original, path);
  giveBothColumns(path, plan, drawsFor(seed, "test", "unit"));
  return path;
}

const columnsOf = (path: string, table: string) => {
  const db = new Database(path, { readonly: true });
  const columns = db.pragma(`table_xinfo("${table.replaceAll('"', '""')}")`) as {
    name: string;
    type: string;
    notnull: number;
    dflt_value: string | null;
  }[];
  db.close();
  return columns;
};

/** Everything that must hold of a built database, whichever column keeps the original values. */
function check(
  script: string,
  table: string,
  column: string,
  names: [string, string] = ["cost", "retail price"],
) {
  const original = database(script);
  const before = dump(original);
  const places = columnsOf(original, table);
  const place = places.findIndex(({ name }) => name === column);
  for (const [inPlace, atEnd] of [names, [...names].reverse() as [string, string]]) {
    for (const copy of ["inPlace", "atEnd"] as const) {
      const plan: TwoColumns = { table, column, inPlace, atEnd, original: copy };
      const path = built(original, plan);
      const label = `${inPlace} in place, ${copy} keeps the values`;
      const after = dump(path);
      expect([...after.keys()], label).toEqual([...before.keys()]);
      for (const [name, columns] of before) {
        if (name !== table) expect(after.get(name), `${label}: ${name}`).toEqual(columns);
      }
      const was = before.get(table) ?? new Map<string, string[]>();
      const is = after.get(table) ?? new Map<string, string[]>();
      const values = was.get(column) ?? [];
      const now = columnsOf(path, table);
      const expected = places.map(({ name }) => (name === column ? inPlace : name));
      expect(
        now.map(({ name }) => name),
        label,
      ).toEqual([...expected, atEnd]);
      for (const [name, others] of was) {
        if (name !== column) expect(is.get(name), `${label}: ${name}`).toEqual(others);
      }
      const [kept, drawn] = copy === "inPlace" ? [inPlace, atEnd] : [atEnd, inPlace];
      expect(is.get(kept), label).toEqual(values);
      expect(is.get(drawn)?.length, label).toBe(values.length);
      expect(
        is.get(drawn)?.every((value) => values.includes(value)),
        label,
      ).toBe(true);
      // Both columns are declared alike, and as the original was.
      const { name: _first, ...first } = now[place] ?? { name: "" };
      const { name: _last, ...last } = now.at(-1) ?? { name: "" };
      const { name: _old, ...old } = places[place] ?? { name: "" };
      expect({ ...last, cid: 0 }, label).toEqual({ ...first, cid: 0 });
      expect(first, label).toEqual(old);
      const db = new Database(path, { readonly: true });
      expect(db.pragma("integrity_check"), label).toEqual([{ integrity_check: "ok" }]);
      expect(db.pragma("journal_mode", { simple: true }), label).toBe("delete");
      db.close();
      // What the schema says can be said again.
      const fresh = new Database(":memory:");
      for (const { sql } of schemaOf(path)) fresh.exec(sql);
      fresh.close();
      expect(readFileSync(built(original, plan)).equals(readFileSync(path)), label).toBe(true);
      expect(readFileSync(path).includes(`-journal`), label).toBe(false);
    }
  }
  return original;
}

const rowsOf = (table: string, values: readonly string[]): string =>
  values.map((value, n) => `INSERT INTO ${table} VALUES (${n + 1}, ${value}, 'r${n}');`).join("\n");
const PRICES = rowsOf("t", ["1", "2.5", "NULL", "'four'", "x'05'", "6", "7", "8"]);

describe("a column becomes two", () => {
  const cases: [string, string][] = [
    ["without a type", "CREATE TABLE t (id INTEGER PRIMARY KEY, price, note TEXT);"],
    ["with a type of several words", "CREATE TABLE t (id INTEGER PRIMARY KEY, price VARCHAR (10, 2), note);"],
    ["with a type that is no type", 'CREATE TABLE t (id INTEGER PRIMARY KEY, price "my type", note);'],
    ["with a constant default", "CREATE TABLE t (id INTEGER PRIMARY KEY, price REAL DEFAULT -1.5, note);"],
    [
      "with a default text that holds a comma",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price DEFAULT 'a,(b', note);",
    ],
    [
      "with a default expression",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price DEFAULT (abs(-3) + 1), note);",
    ],
    [
      "with a default that casts",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price DEFAULT (CAST('1' AS REAL)), note);",
    ],
    [
      "with the time as default",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price DEFAULT CURRENT_TIMESTAMP, note);",
    ],
    [
      "with a check",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price CHECK (price IS NULL OR price <> 'price'), note);",
    ],
    [
      "with a check that casts",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price CHECK (CAST(price AS TEXT) <> 'x' OR price IS NULL), note);",
    ],
    [
      "with a named check over the table's name",
      'CREATE TABLE t (id INTEGER PRIMARY KEY, price CONSTRAINT c CHECK (t.price IS NULL OR "price" <> 9), note);',
    ],
    ["with a collation", "CREATE TABLE t (id INTEGER PRIMARY KEY, price TEXT COLLATE NOCASE, note);"],
    [
      "with comments",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, -- price, the first\n price /* , price ( */ REAL -- price\n , note);",
    ],
    ["as the last column", "CREATE TABLE t (id INTEGER PRIMARY KEY, note, extra DEFAULT 'x', price);"],
    ["with a quoted definition", 'CREATE TABLE t (`id` INTEGER PRIMARY KEY, [price] REAL NULL, "note");'],
    [
      "in a table with table constraints",
      "CREATE TABLE t (id INTEGER, price, note, PRIMARY KEY (id), CHECK (price IS NULL OR price <> 9), CONSTRAINT u UNIQUE (id, note));",
    ],
    ["in an AUTOINCREMENT table", "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, price, note);"],
    [
      "in a WITHOUT ROWID table",
      "CREATE TABLE t (id INTEGER, price, note, PRIMARY KEY (note, id)) WITHOUT ROWID;",
    ],
    ["in a STRICT table", "CREATE TABLE t (id INTEGER PRIMARY KEY, price ANY, note TEXT) STRICT;"],
    ["in a table without a key", "CREATE TABLE t (id, price, note);"],
    ["beside a column called rowid", "CREATE TABLE t (rowid TEXT, price, oid);"],
    [
      "under a plain index",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price, note); CREATE INDEX i ON t (price DESC, note);",
    ],
    [
      "under a partial index",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price, note); CREATE INDEX i ON t (note) WHERE price > 2;",
    ],
    [
      "under an expression index",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price, note); CREATE INDEX i ON t (price || '-' || note);",
    ],
    [
      "beside a unique index on others",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price, note); CREATE UNIQUE INDEX i ON t (note);",
    ],
  ];
  for (const [what, script] of cases) {
    it(what, () => {
      const values = /extra DEFAULT/.test(script)
        ? "INSERT INTO t (id, note, price) VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', NULL);"
        : PRICES;
      check(script + values, "t", "price");
    });
  }

  it("with NOT NULL and a type in a STRICT table", () => {
    const values = rowsOf("t", ["1.5", "2.5", "3"]);
    check(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, price REAL NOT NULL, note TEXT) STRICT; ${values}`,
      "t",
      "price",
    );
    check(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, price NUMERIC NOT NULL CHECK (price > 0), note); ${values}`,
      "t",
      "price",
    );
  });

  it("with no row and with one", () => {
    check("CREATE TABLE t (id, price, note)", "t", "price");
    check("CREATE TABLE t (id, price, note); INSERT INTO t VALUES (1, 2, 3)", "t", "price");
  });

  it("with values that JavaScript cannot hold", () => {
    const odd = [
      "9007199254740993",
      "-9223372036854775808",
      "9e999",
      "-0.0",
      "1e-300",
      "CAST(x'ff80c328' AS TEXT)",
      "CAST(x'610062' AS TEXT)",
      "x''",
      "''",
      "'🙂 é e\u0301'",
      "NULL",
    ];
    check(`CREATE TABLE t (id INTEGER PRIMARY KEY, price, note); ${rowsOf("t", odd)}`, "t", "price");
  });

  it("in a UTF-16 database", () => {
    for (const encoding of ["UTF-16le", "UTF-16be"]) {
      const original = check(
        `PRAGMA encoding = '${encoding}'; CREATE TABLE "Tä" (id INTEGER PRIMARY KEY, price TEXT, note);
         INSERT INTO "Tä" VALUES (1, 'Müller 🙂', 'a'), (2, NULL, 'b'), (3, 'ß', 'c')`,
        "Tä",
        "price",
        ["Prëis", "表"],
      );
      const plan = { table: "Tä", column: "price", inPlace: "a", atEnd: "b", original: "inPlace" } as const;
      const db = new Database(built(original, plan), { readonly: true });
      expect(db.pragma("encoding", { simple: true })).toBe(encoding);
      db.close();
    }
  });

  it("in a file in WAL mode", () => {
    check(
      `PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, price, note); ${PRICES}`,
      "t",
      "price",
    );
  });

  const names: [string, string][] = [
    ["order", "group"],
    ["select", "current_date"],
    ["e-mail", "home port"],
    ['quo"te', "apo'strophe"],
    ["Ünïcode", "表"],
    ["1st", "a.b"],
    ["[x]", "`y`"],
    ["semi;colon", "--comment"],
    ["rowid", "_rowid_"],
    ["text", "REAL"],
    ["nocase", "length"],
    ["check", "default"],
    ["null", "v"],
    ["n", "k0"],
  ];
  for (const [first, second] of names) {
    it(`with the names ${first} and ${second}`, () => {
      check(
        `CREATE TABLE t (id INTEGER PRIMARY KEY, price TEXT COLLATE NOCASE DEFAULT 'x' CHECK (length(price) < 99), note REAL DEFAULT 0);
         CREATE INDEX i ON t (length(price)); ${rowsOf("t", ["'one'", "'two'", "NULL", "'four'"])}`,
        "t",
        "price",
        [first, second],
      );
    });
  }

  for (const table of ["select", "Order Details", 'quo"te', "apo'strophe", "Ünï", "a.b", "drawn", "place"]) {
    it(`in a table called ${table}`, () => {
      const name = `"${table.replaceAll('"', '""')}"`;
      check(
        `CREATE TABLE ${name} ("id" INTEGER PRIMARY KEY, "daily rate" REAL, "group" TEXT);
         CREATE TABLE other (x); INSERT INTO other VALUES (1);
         ${rowsOf(name, ["1", "2", "NULL", "4"])} CREATE INDEX "i d" ON ${name} ("daily rate")`,
        table,
        "daily rate",
      );
    });
  }

  it("leaves other tables, keys, sequences, versions and virtual tables as they were", () => {
    const original = check(
      `PRAGMA user_version = 42; PRAGMA application_id = 77;
       CREATE TABLE maker (maker_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL);
       INSERT INTO maker VALUES (7, 'A'), (9, 'B'); DELETE FROM maker WHERE maker_id = 9;
       CREATE TABLE t (id INTEGER PRIMARY KEY, price, note REFERENCES maker (maker_id) ON UPDATE CASCADE);
       INSERT INTO t VALUES (1, 10, 7), (5, 20, 7), (6, NULL, NULL);
       CREATE TABLE child (t_id REFERENCES t (id) ON DELETE CASCADE, x); INSERT INTO child VALUES (5, 'c');
       CREATE VIRTUAL TABLE words USING fts5 (body); INSERT INTO words VALUES ('hello world');`,
      "t",
      "price",
    );
    const plan = { table: "t", column: "price", inPlace: "a", atEnd: "b", original: "atEnd" } as const;
    const db = new Database(built(original, plan), { readonly: true });
    expect(db.pragma("user_version", { simple: true })).toBe(42);
    expect(db.pragma("application_id", { simple: true })).toBe(77);
    expect(db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'maker'").pluck().get()).toBe(9);
    expect(db.prepare("SELECT body FROM words WHERE words MATCH 'hello'").pluck().all()).toEqual([
      "hello world",
    ]);
    expect(db.pragma("foreign_key_list(t)")).toMatchObject([{ table: "maker", on_update: "CASCADE" }]);
    expect(db.pragma("foreign_key_list(child)")).toMatchObject([{ table: "t", on_delete: "CASCADE" }]);
    db.close();
  });

  it("keeps foreign-key violations that were there, and adds none", () => {
    const original = check(
      `PRAGMA foreign_keys = OFF; CREATE TABLE m (id PRIMARY KEY); CREATE TABLE t (id INTEGER PRIMARY KEY, price, m REFERENCES m (id));
       INSERT INTO t VALUES (1, 10, 'gone'), (2, 20, NULL)`,
      "t",
      "price",
    );
    expect(dump(original).get("t")?.get("m")?.length).toBe(2);
  });

  it("renames in views and triggers, which do not fire", () => {
    const original = check(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, price, note); CREATE TABLE log (what);
       CREATE TRIGGER watch AFTER UPDATE OF price ON t BEGIN INSERT INTO log VALUES (NEW.price); END;
       CREATE TRIGGER any_update AFTER UPDATE ON t BEGIN UPDATE t SET note = 'fired' WHERE id = OLD.id; END;
       CREATE TRIGGER "of 'odd' name" BEFORE UPDATE ON t BEGIN SELECT RAISE(ABORT, 'fired'); END;
       CREATE VIEW dear AS SELECT id, price FROM t WHERE price > 2 ORDER BY price;
       ${PRICES.replaceAll("INSERT", "INSERT")}`,
      "t",
      "price",
    );
    const plan = {
      table: "t",
      column: "price",
      inPlace: "cost",
      atEnd: "rate",
      original: "inPlace",
    } as const;
    const path = built(original, plan);
    expect(dump(path).get("log")?.get("what")).toEqual([]);
    const schema = new Map(schemaOf(path).map(({ name, sql }) => [name, sql]));
    expect(schema.get("watch")).toMatch(/UPDATE OF "?cost"? ON t .*NEW\."?cost"?/);
    expect(schema.get("dear")).toMatch(/"?cost"? > 2/);
    expect([...schema.keys()]).toContain("of 'odd' name");
    const db = new Database(path);
    expect(db.prepare("SELECT count(*) FROM dear").pluck().get()).toBe(6);
    expect(() => db.exec("UPDATE t SET note = 'x'")).toThrow("fired");
    db.close();
  });

  it("draws with replacement, from all rows, differently for another unit", () => {
    const many = Array.from({ length: 400 }, (_, n) => (n % 10 === 0 ? "NULL" : String(n)));
    const original = database(`CREATE TABLE t (id INTEGER PRIMARY KEY, price, note); ${rowsOf("t", many)}`);
    const plan = { table: "t", column: "price", inPlace: "a", atEnd: "b", original: "inPlace" } as const;
    const drawn = (seed: number): string[] =>
      dump(built(original, plan, seed))
        .get("t")
        ?.get("b") ?? [];
    const distinct = new Set(drawn(1).filter((value) => value !== "null:")).size;
    // Of 360 distinct values, 1 − 1/e are expected: about 228.
    expect(distinct).toBeGreaterThan(190);
    expect(distinct).toBeLessThan(265);
    const nulls = drawn(1).filter((value) => value === "null:").length;
    expect(nulls).toBeGreaterThan(15);
    expect(nulls).toBeLessThan(70);
    expect(drawn(2)).not.toEqual(drawn(1));
  });

  it("leaves none of the drawn column's original values in free pages", () => {
    const secret = "a value that is drawn away";
    const others = Array.from({ length: 50 }, () => "'same'");
    const original = database(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, price, note); ${rowsOf("t", [`'${secret}'`, ...others])}`,
    );
    const plan = { table: "t", column: "price", inPlace: "a", atEnd: "b", original: "inPlace" } as const;
    const bytes = readFileSync(built(original, plan, 3)).toString("latin1");
    const times = dump(built(original, plan, 3))
      .get("t")
      ?.get("b")
      ?.filter((value) => value.length > 20).length;
    expect(bytes.split(secret).length - 1).toBe(1 + (times ?? 0));
  });
});

describe("what cannot be built", () => {
  const plan: TwoColumns = { table: "t", column: "price", inPlace: "a", atEnd: "b", original: "inPlace" };
  const kindOf = (script: string, more: Partial<TwoColumns> = {}): string => {
    const original = database(script);
    const before = readFileSync(original);
    try {
      built(original, { ...plan, ...more });
    } catch (error) {
      expect(readFileSync(original).equals(before)).toBe(true);
      if (error instanceof CannotBuild) return error.kind;
      throw error;
    }
    return "built";
  };
  const unique = [
    "CREATE TABLE t (id, price UNIQUE)",
    "CREATE TABLE t (id, price, UNIQUE (id, PRICE))",
    'CREATE TABLE t (id, price); CREATE UNIQUE INDEX "u x" ON t (id, "Price")',
    "CREATE TABLE t (id, price); CREATE UNIQUE INDEX u ON t (price) WHERE id > 0",
  ];
  for (const script of unique) {
    it(`unique_column: ${script}`, () => expect(kindOf(script)).toBe("unique_column"));
  }
  const unbuildable = [
    "CREATE TABLE t (id, price AS (id * 2))",
    "CREATE TABLE t (id, price GENERATED ALWAYS AS (id * 2) STORED)",
    "CREATE VIRTUAL TABLE t USING fts5 (price, note)",
    "CREATE TABLE t (id, price); CREATE TABLE u (x); CREATE VIEW v AS SELECT x FROM u; DROP TABLE u",
  ];
  for (const script of unbuildable) {
    it(`unbuildable: ${script}`, () => expect(kindOf(script)).toBe("unbuildable"));
  }
  it("unbuildable: a column that is not there", () => {
    expect(kindOf("CREATE TABLE t (id)")).toBe("unbuildable");
  });

  it("constraint_violated: drawn values that a check refuses, in either place", () => {
    const script =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price CHECK (price = id)); INSERT INTO t VALUES (1,1),(2,2),(3,3),(4,4),(5,5),(6,6)";
    expect(kindOf(script)).toBe("constraint_violated");
    expect(kindOf(script, { original: "atEnd" })).toBe("constraint_violated");
  });

  it("constraint_violated: a unique index over an expression of the column, where draws repeat", () => {
    const script =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price); CREATE UNIQUE INDEX u ON t (price + 1); INSERT INTO t VALUES (1,1),(2,2),(3,3),(4,4),(5,5),(6,6)";
    expect(kindOf(script, { original: "atEnd" })).toBe("constraint_violated");
  });

  it("builds where another column is generated from it", () => {
    const script =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price, double AS (price * 2)); INSERT INTO t VALUES (1,1),(2,2)";
    expect(kindOf(script)).toBe("built");
  });
});
