// Writes the AMBROSIA sample: a small source of our own in both of upstream's layouts (the official CSV, and one
// examples.json beside each database), with at least one question for every way in which one can be dropped. The files
// beside this script are what it writes; the same bytes come out every time.
//   node sources/ambrosia/sample/make.mjs [folder]
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { DATABASES } from "./databases.mjs";
import { BAD_ROWS, QUESTIONS } from "./questions.mjs";

const folder = process.argv[2] ?? dirname(fileURLToPath(import.meta.url));

function write(path, content) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const json = (value) => `${JSON.stringify(value, null, 4)}\n`;

function makeDatabase(sql) {
  const db = new Database(":memory:");
  db.pragma("page_size = 1024");
  db.exec(sql);
  db.exec("vacuum");
  if (db.pragma("foreign_key_check").length > 0) throw new Error("the sample breaks a foreign key of its own");
  return db.serialize();
}

/** Python's repr of a text: single quotes, unless there are some and no double ones. */
function repr(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\r", "\\r").replaceAll("\n", "\\n");
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

const COLUMNS = [
  "", "question", "gold_queries", "question_type", "is_ambiguous", "ambig_type", "domain", "db_file", "db_dump",
  "ambig_question", "ambig_queries", "split",
];
const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const line = (cells) => `${cells.map(cell).join(",")}\r\n`;
const rowLine = (row) => line(COLUMNS.map((column) => row[column] ?? ""));

const rows = [];
for (const { folder: place, split = "test", missing = false, concepts, places, sql } of DATABASES) {
  const [type, domain, name] = place.split("/");
  const db_file = `data/${place}/${name}.sqlite`;
  if (!missing) write(db_file, makeDatabase(sql));
  write(`data/${place}/concepts.json`, json(concepts));
  write(`data/${place}/concepts_db.json`, json({ template: concepts.template, ...places }));
  write(
    `data/${place}/examples.json`,
    json(
      QUESTIONS[place].map(([question, ...readings]) => ({
        question,
        ...Object.fromEntries(readings.map(([, query], at) => [`sql_query${at + 1}`, query])),
        ...Object.fromEntries(readings.map(([sentence], at) => [`interpretation${at + 1}`, sentence])),
      })),
    ),
  );
  for (const [question, ...readings] of QUESTIONS[place]) {
    const shared = {
      ambig_type: type,
      domain,
      db_file,
      db_dump: `BEGIN TRANSACTION;\n${sql}\nCOMMIT;\n`,
      ambig_question: question,
      ambig_queries: `[${readings.map(([, query]) => repr(query)).join(", ")}]`,
      split,
    };
    const gold = readings.map(([, query]) => query).join("\n\n");
    rows.push({ question, gold_queries: gold, question_type: "ambig", is_ambiguous: "True", ...shared });
    for (const [sentence, query] of readings) {
      rows.push({ question: sentence, gold_queries: query, question_type: "unambig", is_ambiguous: "False", ...shared });
    }
  }
}
const numbered = rows.map((row, at) => rowLine({ "": String(at), ...row }));
write("data/ambrosia.csv", line(COLUMNS) + numbered.join(""));

const bad = BAD_ROWS.map(({ why: _why, cells, ...fields }, at) =>
  cells ? line(cells) : rowLine({ ...rows[0], "": String(rows.length + at), ambig_question: rows[0].question, ...fields }),
);
write("with-bad-rows.csv", line(COLUMNS) + numbered.join("") + bad.join(""));
