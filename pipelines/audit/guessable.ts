import { join } from "node:path";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { SqlError } from "../errors.js";
import { readJsonl } from "../record/jsonl.js";
import type { DatasetFolder } from "../record/suite.js";
import { describeSqlite, nameOf, type TableDescription, tokens } from "../sql/index.js";
import type { GuessableRecord } from "./guess.js";

/** What a record's reading has chosen, as text that tells it from its siblings. */
function choiceOf({ oracle }: TaskRecord): string {
  return oracle.ambiguities
    .map(({ kind, sql_snippet, resolution }) => {
      const [name] = sql_snippet === undefined ? [] : tokens(sql_snippet);
      return kind === "column_choice" && name !== undefined ? nameOf(name) : resolution;
    })
    .join("\n");
}

/** What of a reading's wording a guess could go by. */
function wordingOf({ verifier, oracle }: TaskRecord): Pick<GuessableRecord, "sql" | "response"> {
  const [sql] = verifier.reference_sql;
  const response = oracle.ambiguities[0]?.response;
  return { ...(sql === undefined ? {} : { sql }), ...(response === undefined ? {} : { response }) };
}

/** The database's tables; none where it cannot be read, which other checks tell. */
function tablesOf(path: string): TableDescription[] {
  try {
    return describeSqlite(path).tables;
  } catch (cause) {
    if (cause instanceof SqlError || (cause instanceof Error && cause.name === "SqliteError")) return [];
    throw cause;
  }
}

/** Column name → position, of the one table that has all the names; nothing where no table has them. */
function positions(path: string, names: readonly string[]): ReadonlyMap<string, number> {
  const found = tablesOf(path).filter(({ columns }) =>
    names.every((name) => columns.some((column) => column.name === name)),
  );
  const [table] = found;
  if (table === undefined || found.length > 1) return new Map();
  return new Map(table.columns.map(({ name }, index) => [name, index]));
}

/** Which alternative holds the source's values, by row key, as the ledger's draws say. */
async function originals(ledger: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { value } of readJsonl<LedgerEntry>(ledger)) {
    for (const { evidence = [] } of value.steps) {
      for (const one of evidence)
        if (one.kind === "draw" && "original_values" in one)
          found.set(value.key, String(one.original_values));
    }
  }
  return found;
}

/** A dataset's records as the guessers of `guessRates` take them, in file order. */
export async function guessableRecords(dataset: DatasetFolder): Promise<GuessableRecord[]> {
  const held = await originals(dataset.ledger);
  const records: (GuessableRecord & { path: string | undefined })[] = [];
  const choices = new Map<string, Set<string>>();
  for await (const { record } of dataset.records()) {
    const { record_id, avt_id } = record;
    const { database_id, engine, path } = record.public.database;
    const choice = choiceOf(record);
    const original = held.get(avt_id);
    choices.set(avt_id, (choices.get(avt_id) ?? new Set()).add(choice));
    records.push({
      record_id,
      avt_id,
      database_id,
      choice,
      path: engine === "sqlite" ? path : undefined,
      ...wordingOf(record),
      ...(original === undefined ? {} : { holds_original: original === choice }),
    });
  }
  const schemas = new Map<string, ReadonlyMap<string, number>>();
  return records.map(({ path, ...record }) => {
    if (path === undefined) return record;
    const names = [...(choices.get(record.avt_id) ?? [])];
    const key = JSON.stringify([path, ...names.toSorted()]);
    const known = schemas.get(key) ?? positions(join(dataset.databases, path), names);
    schemas.set(key, known);
    const at = known.get(record.choice);
    return at === undefined ? record : { ...record, schema_position: at };
  });
}
