/** Faults in what records say and show: all are planted in one copy, each in a request of its own. */
import { wordsOf } from "../../pipelines/audit/near-verbatim.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { ambiguity } from "./planted-faults.js";
import type { SpoiledRelease } from "./tampering.js";

/** A fault in the readings of one request. */
export interface RecordFault {
  what: string;
  dataset: string;
  code: string;
  severity?: "error" | "warning";
  /** Changes one of the readings; `first` is the one whose private text is planted. */
  change: (record: TaskRecord, first: TaskRecord) => void;
  /** Only the first of the readings is changed. */
  alone?: true;
  /** Which requests can have the fault. */
  fits?: (first: TaskRecord) => boolean;
  /** Changes the request's database, in place of the records. */
  database?: (release: SpoiledRelease, first: TaskRecord) => void;
}

const response = (record: TaskRecord): string => ambiguity(record).response;
const reference = (record: TaskRecord): string => record.verifier.reference_sql[0] ?? "";

/** Of a text with fewer words, one changed word is too much of it. */
const isLong = (text: string | undefined): boolean => wordsOf(text ?? "").length >= 11;

/** A text with a word in its middle changed. */
function nearly(text: string): string {
  const words = text.split(" ");
  words[Math.floor(words.length / 2)] = "roughly";
  return words.join(" ");
}

const knowledge = (definition: string) => [
  { id: "k1", name: "note", description: "of the port", definition },
];

/** Tied rows, and a table that nothing orders. */
const TIED = "WITH t(a, b) AS (VALUES (1, 'x'), (1, 'y'), (2, 'z'))";

export const TEXT_FAULTS: readonly RecordFault[] = [
  {
    what: "a response in the request, verbatim",
    dataset: "ambiqt",
    code: "public_leak",
    change: (record, first) => {
      record.public.request += ` ${response(first)}`;
    },
  },
  {
    what: "a response in the request, in other case and white space",
    dataset: "ambiqt",
    code: "public_leak",
    change: (record, first) => {
      record.public.request += ` ${response(first).toUpperCase().replaceAll(" ", "\n  ")}`;
    },
  },
  {
    what: "a response in the request, a word of it changed",
    dataset: "ambiqt",
    code: "near_leak",
    fits: (first) => isLong(response(first)),
    change: (record, first) => {
      record.public.request += ` ${nearly(response(first))}`;
    },
  },
  {
    what: "a reference SQL in a column's meaning",
    dataset: "ambiqt",
    code: "public_leak",
    change: (record, first) => {
      record.public.column_meanings = { "books.title": `read by ${reference(first)}` };
    },
  },
  {
    what: "a resolution in the public knowledge, a word of it changed",
    dataset: "ambiqt",
    code: "near_leak",
    fits: (first) => isLong(ambiguity(first).resolution),
    change: (record, first) => {
      record.public.external_knowledge = knowledge(nearly(ambiguity(first).resolution));
    },
  },
  {
    what: "withheld evidence in the public knowledge",
    dataset: "ew-bird",
    code: "public_leak",
    change: (record) => {
      record.public.external_knowledge = knowledge(record.oracle.withheld_evidence ?? "");
    },
  },
  {
    what: "a withheld hint in a column's meaning, as upstream has some",
    dataset: "ew-bird",
    code: "hint_in_column_meanings",
    severity: "warning",
    change: (record) => {
      record.public.column_meanings = { "port.rgn": `region; ${ambiguity(record).resolution}` };
    },
  },
  {
    what: "withheld evidence in the public knowledge, a word of it changed",
    dataset: "ew-bird",
    code: "near_hint",
    fits: (first) => isLong(first.oracle.withheld_evidence),
    severity: "warning",
    change: (record) => {
      record.public.external_knowledge = knowledge(nearly(record.oracle.withheld_evidence ?? ""));
    },
  },
  {
    what: "a reading that has a column's meaning of its own",
    dataset: "ambiqt",
    code: "readings_told_apart",
    alone: true,
    change: (record) => {
      record.public.column_meanings = { "books.price": "this one" };
    },
  },
  {
    what: "a reading that is in a slice of its own",
    dataset: "ambiqt",
    code: "readings_told_apart",
    alone: true,
    change: (record) => {
      record.slices = ["local-test"];
    },
  },
  {
    what: "an id that spells the reading",
    dataset: "ambiqt",
    code: "reading_in_id",
    alone: true,
    change: (record) => {
      record.record_id = `${record.avt_id}#${ambiguity(record).sql_snippet ?? "second"}`;
    },
  },
  {
    what: "a comment in the database's schema that holds the answer",
    dataset: "taco",
    code: "database_leak",
    change: () => undefined,
    database: (release, first) =>
      release.database(`databases/taco/${first.public.database.path}`, (db) =>
        db.exec(`CREATE TABLE notes (n TEXT /* ${response(first)} */)`),
      ),
  },
];

export const SQL_FAULTS: readonly RecordFault[] = [
  {
    what: "a reference that does not run",
    dataset: "ambiqt",
    code: "reference_fails",
    alone: true,
    change: (record) => {
      record.verifier.reference_sql = ["SELECT nought FROM nowhere"];
    },
  },
  {
    what: "a reference that gives another result",
    dataset: "ambiqt",
    code: "reference_unproven",
    alone: true,
    change: (record) => {
      record.verifier.reference_sql = [`SELECT * FROM (${reference(record)}) LIMIT 1`];
    },
  },
  {
    what: "an alternative that is the reference in other words",
    dataset: "ambiqt",
    code: "alternative_equal",
    alone: true,
    change: (record) => {
      record.verifier.alternative_sql = [`SELECT * FROM (${reference(record)}) WHERE 1 = 1`];
    },
  },
  {
    what: "an alternative that does not run",
    dataset: "ambiqt",
    code: "alternative_fails",
    alone: true,
    change: (record) => {
      record.verifier.alternative_sql = ["SELECT 1 FROM"];
    },
  },
  {
    what: "a reference that reads the clock",
    dataset: "ambiqt",
    code: "clock_dependent",
    severity: "warning",
    alone: true,
    change: (record) => {
      record.verifier.reference_sql = ["SELECT CURRENT_DATE"];
    },
  },
  {
    what: "an alternative that draws at random",
    dataset: "ambiqt",
    code: "clock_dependent",
    severity: "warning",
    alone: true,
    change: (record) => {
      record.verifier.alternative_sql = ["SELECT abs(random())"];
    },
  },
  {
    what: "a tie under LIMIT",
    dataset: "ambiqt",
    code: "tie_under_limit",
    severity: "warning",
    alone: true,
    change: (record) => {
      record.verifier.reference_sql = [`${TIED} SELECT b FROM t ORDER BY a LIMIT 1`];
    },
  },
  {
    what: "a tie under LIMIT inside of a condition",
    dataset: "ambiqt",
    code: "tie_under_limit",
    severity: "warning",
    alone: true,
    change: (record) => {
      record.verifier.reference_sql = [
        `${TIED} SELECT a, b FROM t WHERE b = (SELECT b FROM t ORDER BY a -- first\n LIMIT 1)`,
      ];
    },
  },
  {
    what: "LIMIT without ORDER BY",
    dataset: "ambiqt",
    code: "limit_without_order",
    severity: "warning",
    alone: true,
    change: (record) => {
      record.verifier.reference_sql = [`${TIED} SELECT b FROM t LIMIT 2`];
    },
  },
  {
    what: "an order that is compared and not decided",
    dataset: "ambiqt",
    code: "order_not_decided",
    severity: "warning",
    alone: true,
    change: (record) => {
      record.verifier.comparison.ordered = true;
      record.verifier.reference_sql = [`${TIED} SELECT b FROM t ORDER BY a`];
    },
  },
  {
    what: "a column beside an aggregate, of any row",
    dataset: "taco",
    code: "row_order_dependent",
    severity: "warning",
    alone: true,
    change: (record) => {
      const from = /\bFROM\s+(\S+)/i.exec(reference(record))?.[1] ?? "";
      record.verifier.reference_sql = [`SELECT *, count(*) FROM ${from.replace(/;+$/, "")}`];
    },
  },
  {
    what: "an id that two records have",
    dataset: "ambiqt",
    code: "record_id_twice",
    alone: true,
    change: (record) => {
      record.record_id = record.record_id.replace(/#\d$/, (own) => (own === "#1" ? "#2" : "#1"));
    },
  },
  {
    what: "a cell of a database changed",
    dataset: "taco",
    code: "result_changed",
    change: () => undefined,
    database: (release, first) =>
      release.database(`databases/taco/${first.public.database.path}`, (db) => {
        const tables = db
          .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
          .all();
        for (const { name } of tables) {
          const columns = db
            .prepare<[string], { name: string }>("SELECT name FROM pragma_table_info(?)")
            .all(name);
          const changed = columns.map((column) => `"${column.name}" = "${column.name}" || '!'`);
          db.exec(`UPDATE OR IGNORE "${name}" SET ${changed.join(", ")}`);
        }
      }),
  },
];
