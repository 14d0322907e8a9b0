// Writes the BIRD-Interact sample: a small source of our own in upstream's exact layout (tasks, knowledge, column meanings
// and schema a database, a dump a table, the mailed ground truth). The same bytes come out every time.
//   node sources/bird-interact/sample/make.mjs [folder]
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DATABASES } from "./databases.mjs";
import { TASKS } from "./tasks.mjs";

const folder = process.argv[2] ?? dirname(fileURLToPath(import.meta.url));

function write(path, content) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const lines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

const HEADER = `--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;
`;

const title = (name, type) => `--\n-- Name: ${name}; Type: ${type}; Schema: public; Owner: -\n--\n\n`;
const copied = (cell) =>
  cell === null ? "\\N" : String(cell).replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n");
const literal = (cell) => (cell === null ? "NULL" : typeof cell === "number" ? String(cell) : `'${cell.replaceAll("'", "''")}'`);

function dump({ name, columns, key, foreign = [], rows }, copy) {
  const names = columns.map(([column]) => column).join(", ");
  const data = copy
    ? `COPY public.${name} (${names}) FROM stdin;\n${rows.map((row) => `${row.map(copied).join("\t")}\n`).join("")}\\.\n`
    : rows.map((row) => `INSERT INTO public.${name} VALUES (${row.map(literal).join(", ")});\n`).join("");
  const constraint = (what, type, text) => `${title(`${name} ${what}`, type)}ALTER TABLE ONLY public.${name}\n    ADD CONSTRAINT ${what} ${text};\n`;
  return [
    HEADER,
    `${title(name, "TABLE")}CREATE TABLE public.${name} (\n${columns.map(([column, type]) => `    ${column} ${type}`).join(",\n")}\n);\n`,
    `${title(name, "TABLE DATA").replace("Name:", "Data for Name:")}${data}`,
    constraint(`${name}_pkey`, "CONSTRAINT", `PRIMARY KEY (${key})`),
    ...foreign.map(([column, to]) =>
      constraint(`${name}_${column}_fkey`, "FK CONSTRAINT", `FOREIGN KEY (${column}) REFERENCES public.${to.table}(${to.column})`),
    ),
    "--\n-- PostgreSQL database dump complete\n--\n",
  ].join("\n\n");
}

function schemaText(tables) {
  return tables
    .map(({ name, columns, key, foreign = [], rows }) => {
      const fields = columns.map(([column, type]) => `${column} ${type.replace(/ NOT NULL$/, "")}${/NOT NULL$/.test(type) ? " NOT NULL" : " NULL"},`);
      const keys = [`    PRIMARY KEY (${key})`, ...foreign.map(([column, to]) => `    FOREIGN KEY (${column}) REFERENCES ${to.table}(${to.column})`)];
      const shown = rows.slice(0, 3).map((row) => row.map((cell) => cell ?? "NULL").join("  "));
      return `CREATE TABLE "${name}" (\n${fields.join("\n")}\n${keys.join(",\n")}\n);\nFirst 3 rows:\n${columns.map(([column]) => column).join("  ")}\n${shown.join("\n")}\n...\n`;
    })
    .join("\n");
}

for (const { name, copy, tables, knowledge, meanings } of DATABASES) {
  for (const table of tables) write(`postgre_table_dumps/${name}_template/${table.name}.sql`, dump(table, copy));
  write(
    `bird-interact-full/${name}/${name}_kb.jsonl`,
    lines(
      knowledge.map(([id, title_, description, definition, type, children_knowledge]) => ({ id, knowledge: title_, description, definition, type, children_knowledge })),
    ),
  );
  write(
    `bird-interact-full/${name}/${name}_column_meaning_base.json`,
    `${JSON.stringify(Object.fromEntries(Object.entries(meanings).map(([column, meaning]) => [`${name}|${column}`, meaning])), null, 4)}\n`,
  );
  write(`bird-interact-full/${name}/${name}_schema.txt`, schemaText(tables));
}

const open = TASKS.map(({ instance_id, query, request, category = "Query", conditions, critical, minor, knowledge, follow_up, ...task }) => ({
  instance_id,
  selected_database: instance_id.split("_")[0],
  ...(query === undefined ? {} : { query }),
  amb_user_query: request,
  preprocess_sql: task.preprocess_sql ?? [],
  ...(task.clean_up_sql === undefined ? { clean_up_sqls: [] } : { clean_up_sql: task.clean_up_sql }),
  sol_sql: [],
  external_knowledge: [],
  test_cases: [],
  high_level: false,
  category,
  conditions,
  output_type: "table",
  user_query_ambiguity: { critical_ambiguity: critical, non_critical_ambiguity: minor },
  knowledge_ambiguity: knowledge,
  follow_up:
    follow_up === null
      ? {}
      : { query: follow_up.query, sol_sql: [], external_knowledge: [], type: follow_up.type, category: "Query", test_cases: [], conditions, output_type: "table" },
}));
write("bird-interact-full/bird_interact_data.jsonl", lines(open));
write(
  "ground-truth/bird_interact_gt_kg_testcases.jsonl",
  lines(
    TASKS.filter(({ truth }) => truth !== undefined).map(({ instance_id, truth, follow_up }) => ({
      instance_id,
      ...truth,
      ...(follow_up === null ? {} : { follow_up: { sol_sql: follow_up.sol_sql, external_knowledge: [], test_cases: [] } }),
    })),
  ),
);
