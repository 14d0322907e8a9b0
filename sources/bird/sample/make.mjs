// Writes the BIRD sample: a small source of our own in upstream's formats (dev.json and train.json, databases with their
// database_description folders) with predictions in BIRD's format for a build without models. The same bytes come out
// every time.
//   node sources/bird/sample/make.mjs [folder]
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import iconv from "iconv-lite";
import { DATABASES } from "./databases.mjs";
import { DEV, TRAIN } from "./questions.mjs";

const folder = process.argv[2] ?? dirname(fileURLToPath(import.meta.url));

function write(path, content) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function makeDatabase(sql) {
  const db = new Database(":memory:");
  db.pragma("page_size = 1024");
  db.exec(sql);
  db.exec("vacuum");
  if (db.pragma("foreign_key_check").length > 0) throw new Error("the sample breaks a foreign key of its own");
  return db.serialize();
}

function encode({ text, mark = false, windows1252 = false }) {
  const lines = text.replaceAll("\n", "\r\n");
  const bytes = windows1252 ? iconv.encode(lines, "win1252") : Buffer.from(lines, "utf8");
  return mark ? Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]) : bytes;
}

for (const { split, name, sql, descriptions } of DATABASES) {
  const home = `${split}/${split}_databases/${name}`;
  write(`${home}/${name}.sqlite`, makeDatabase(sql));
  for (const [file, description] of Object.entries(descriptions)) {
    write(`${home}/database_description/${file}`, encode(description));
  }
}

// Upstream's dev rows have ids and difficulties; its train rows have neither.
const dev = DEV.map(({ db, question, evidence, sql, difficulty = "simple" }, question_id) => ({
  question_id, db_id: db, question, evidence, SQL: sql, difficulty,
}));
const train = TRAIN.map(({ db, question, evidence = "", sql }) => ({ db_id: db, question, evidence, SQL: sql }));
write("dev/dev.json", JSON.stringify(dev, null, 2));
write("train/train.json", JSON.stringify(train, null, 4));

const answer = (sql, db) => (sql === null ? 0 : `${sql}\t----- bird -----\t${db}`);
const predictions = (given) => ({
  ...Object.fromEntries(DEV.map((row, id) => [String(id), answer(row[given], row.db)])),
  ...Object.fromEntries(TRAIN.map((row, id) => [`train/${id}`, answer(row[given], row.db)])),
});
for (const given of ["without", "with"]) {
  write(`predictions/${given}.json`, `${JSON.stringify(predictions(given), null, 4)}\n`);
}
