/** Faults that a build can have, one for each rule of spec 1 that validation enforces. */
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { TaskRecord } from "../../schemas/types/record.js";

export interface Tampered {
  records: TaskRecord[];
  /** Path of a record's database. */
  database: (record: TaskRecord) => string;
  /** The dataset's folder. */
  folder: string;
}

export const one = (tampered: Tampered, index = 0): TaskRecord => {
  const record = tampered.records[index];
  if (record === undefined) throw new Error("the sample is smaller than this test thinks");
  return record;
};
/** Both readings of the first request. */
export const pair = (tampered: Tampered): TaskRecord[] =>
  tampered.records.filter(({ avt_id }) => avt_id === one(tampered).avt_id);
export const ambiguity = (record: TaskRecord) => {
  const [first] = record.oracle.ambiguities;
  if (first === undefined) throw new Error("a record of the sample has an ambiguity");
  return first;
};
/** Puts other bytes in place of a built database, which is read-only and linked into the cache. */
function replaceFile(path: string, bytes: Buffer): void {
  rmSync(path);
  writeFileSync(path, bytes);
  chmodSync(path, 0o644);
}

/** What is done to a build, the code under which validation must report it, and a part of what it says. */
export const PLANTED_FAULTS: [what: string, code: string, said: RegExp, change: (t: Tampered) => void][] = [
  [
    "an id twice",
    "record_id_twice",
    /line 1 and again at .*line 2/,
    (t) => {
      const [first, second] = pair(t);
      if (first && second) second.record_id = first.record_id;
    },
  ],
  [
    "another request within an AVT",
    "avt_differs",
    /another request/,
    (t) => {
      one(t).public.request += " Please.";
    },
  ],
  [
    "other terms within an AVT",
    "avt_differs",
    /set of terms/,
    (t) => {
      ambiguity(one(t)).term = "something else";
    },
  ],
  [
    "terms that are equal after normalisation",
    "terms_equal",
    /"price" and "Prices"/,
    (t) => {
      for (const record of pair(t)) {
        const first = { ...ambiguity(record), term: "price" };
        const second = { ...first, ambiguity_id: "second", term: "Prices" };
        record.oracle.ambiguities = [first, second];
      }
    },
  ],
  [
    "a term without a word",
    "term_empty",
    /no word/,
    (t) => {
      for (const record of pair(t)) ambiguity(record).term = "?!";
    },
  ],
  [
    "an empty response",
    "response_empty",
    /has no response/,
    (t) => {
      ambiguity(one(t)).response = " \n";
    },
  ],
  [
    "an empty resolution",
    "resolution_empty",
    /has no resolution/,
    (t) => {
      ambiguity(one(t)).resolution = "";
    },
  ],
  ["a database that is gone", "database", /not there/, (t) => rmSync(t.database(one(t)))],
  [
    "a database that is none",
    "database",
    /not an? (SQLite )?database/,
    (t) => replaceFile(t.database(one(t)), Buffer.from("this is no database, whatever its name".repeat(50))),
  ],
  [
    "a database that is cut off",
    "database",
    /malformed|corrupt|disk image|page|fragment|btree|tree/i,
    (t) => {
      const path = t.database(one(t));
      const bytes = readFileSync(path);
      replaceFile(path, bytes.subarray(0, bytes.length - 4096));
    },
  ],
  [
    "a database that is damaged inside",
    "database",
    /.+/,
    (t) => {
      const path = t.database(one(t));
      const bytes = Buffer.from(readFileSync(path));
      bytes.fill(0x5a, 4096, 4096 + 400);
      replaceFile(path, bytes);
    },
  ],
  [
    "an empty file in a database's place",
    "database",
    /.+/,
    (t) => replaceFile(t.database(one(t)), Buffer.alloc(0)),
  ],
  [
    "a reference that fails",
    "reference_fails",
    /no such table: nowhere/,
    (t) => {
      one(t).verifier.reference_sql = ["SELECT * FROM nowhere"];
    },
  ],
  [
    "a reference that writes",
    "reference_fails",
    /.+/,
    (t) => {
      one(t).verifier.reference_sql = ["DELETE FROM books"];
    },
  ],
  [
    "an alternative that fails",
    "alternative_fails",
    /no such column/,
    (t) => {
      one(t).verifier.alternative_sql = ["SELECT nought FROM books"];
    },
  ],
  [
    "an alternative equal to the reference",
    "alternative_equal",
    /gives the reference's result under multiset/,
    (t) => {
      one(t).verifier.alternative_sql = [...one(t).verifier.reference_sql];
    },
  ],
  [
    "a schema version of another major",
    "schema_version",
    /2\.0\.0/,
    (t) => {
      one(t).schema_version = "2.0.0";
    },
  ],
  [
    "a field too many",
    "schema",
    /"hint"/,
    (t) => {
      Reflect.set(one(t).public, "hint", "x");
    },
  ],
  [
    "a field too few",
    "schema",
    /verifier/,
    (t) => {
      Reflect.deleteProperty(one(t), "verifier");
    },
  ],
  [
    "a field of another type",
    "schema",
    /provenance\.row/,
    (t) => {
      Reflect.set(one(t).provenance, "row", "first");
    },
  ],
  [
    "a database path that leaves the folder",
    "schema",
    /database\.path/,
    (t) => {
      one(t).public.database.path = "../../../etc/passwd";
    },
  ],
  [
    "a schema version that is no text",
    "schema",
    /schema_version/,
    (t) => {
      Reflect.set(one(t), "schema_version", 1);
    },
  ],
];
