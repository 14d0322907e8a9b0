import { createReadStream } from "node:fs";
import { join } from "node:path";
import { CsvError, type Info, parse } from "csv-parse";
import { SourceError } from "../../pipelines/errors.js";
import { RowCheck } from "../row-check.js";
import { rowSha256 } from "../row-hash.js";
import { checkDatabasePath, checkWord } from "./fields.js";
import {
  AMBIGUITY_TYPES,
  type AmbiguityType,
  type AmbrosiaItem,
  type AmbrosiaReading,
  type OfficialSplit,
  SPLITS,
} from "./questions.js";

export const CSV_FILE = "data/ambrosia.csv";

/** The columns that the conversion reads; others (db_dump, ambig_queries) only count for the row's hash. */
const COLUMNS = [
  "question",
  "gold_queries",
  "is_ambiguous",
  "ambig_type",
  "domain",
  "db_file",
  "ambig_question",
  "split",
] as const;

/** A row without its dump: light enough to hold all of them while questions and readings are put together. */
interface LightRow {
  row: number;
  line: number;
  row_sha256: string;
  question: string;
  sql: string;
  ambiguous: boolean;
  type: AmbiguityType;
  domain: string;
  db_file: string;
  of: string;
  split: OfficialSplit;
}

const keyOf = (db_file: string, question: string): string => JSON.stringify([db_file, question]);
const squeezed = (sql: string): string => sql.replace(/\s+/g, " ").trim();

/** Rows as objects, whatever their number of cells; the header is checked first. */
async function* cells(
  root: string,
): AsyncGenerator<{ row: number; line: number; fields: Record<string, unknown>; problem?: string }> {
  const parser = createReadStream(join(root, CSV_FILE)).pipe(
    parse({ bom: true, info: true, relax_column_count: true, skip_empty_lines: true }),
  );
  let header: string[] | undefined;
  let line = 1;
  let row = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      if (header === undefined) {
        const missing = COLUMNS.filter((column) => !record.includes(column));
        if (missing.length > 0) {
          throw new SourceError(
            { file: CSV_FILE, line: 1 },
            `expected the columns of ambrosia.csv, found none named ${missing.join(", ")}`,
          );
        }
        header = record;
      } else {
        const names = header;
        const fields = Object.fromEntries(record.map((cell, at) => [names[at] ?? `cell ${at + 1}`, cell]));
        const problem =
          record.length === names.length
            ? {}
            : { problem: `expected ${names.length} cells, found ${record.length}` };
        yield { row, line, fields, ...problem };
        row += 1;
      }
      // The parser counts the lines it has read, the end of this row included.
      line = info.lines + 1;
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new SourceError({ file: CSV_FILE, line }, `from here on this is not CSV: ${cause.message}`, {
      cause,
    });
  }
  if (header === undefined)
    throw new SourceError({ file: CSV_FILE }, "expected a header, found an empty file");
}

function checkRow(row: number, line: number, fields: Record<string, unknown>): LightRow | SourceError {
  const check = new RowCheck({ file: CSV_FILE, row, line });
  const question = check.text(fields, "question");
  const sql = check.text(fields, "gold_queries");
  const ambiguous = checkWord(check, fields, "is_ambiguous", ["True", "False"]);
  const type = checkWord(check, fields, "ambig_type", AMBIGUITY_TYPES);
  const domain = check.text(fields, "domain");
  const db_file = checkDatabasePath(check, fields, type);
  const of = check.text(fields, "ambig_question");
  const split = checkWord(check, fields, "split", SPLITS);
  const error = check.error();
  if (error !== undefined) return error;
  const row_sha256 = rowSha256(fields);
  // `error` is empty only when every field above was found.
  const whole = { question, sql, type, domain, db_file, of, split } as Omit<
    LightRow,
    "row" | "line" | "row_sha256" | "ambiguous"
  >;
  return { row, line, row_sha256, ambiguous: ambiguous === "True", ...whole };
}

/** What is wrong with a question and its readings as a group; undefined when nothing is. */
function groupProblem(question: LightRow, readings: readonly LightRow[]): string | undefined {
  if (readings.length < 2) return `expected at least two readings of this question, found ${readings.length}`;
  const alien = readings.find(({ type, split }) => type !== question.type || split !== question.split);
  if (alien !== undefined) {
    return `expected its readings to have its type and split, found ${alien.type} and ${alien.split} in row ${alien.row}`;
  }
  const all = squeezed(question.sql);
  const missing = readings.find(({ sql }) => !all.includes(squeezed(sql)));
  return missing === undefined
    ? undefined
    : `expected the SQL of all its readings, found nothing of row ${missing.row}`;
}

/**
 * The questions of the official file. The parse streams; what is held of each row is its text without the dump, because
 * readings may stand anywhere in relation to their question. Bad rows come first, then questions in file order.
 */
export async function* readCsvQuestions(root: string): AsyncGenerator<AmbrosiaItem, void, undefined> {
  const questions = new Map<string, LightRow>();
  const readings = new Map<string, LightRow[]>();
  const bad = ({ row, line }: { row: number; line: number }, error: SourceError): AmbrosiaItem => ({
    kind: "error",
    file: CSV_FILE,
    row,
    line,
    error,
  });
  for await (const { row, line, fields, problem } of cells(root)) {
    const place = { file: CSV_FILE, row, line };
    const light = problem === undefined ? checkRow(row, line, fields) : new SourceError(place, problem);
    if (light instanceof SourceError) {
      yield bad(place, light);
      continue;
    }
    if (!light.ambiguous) {
      const key = keyOf(light.db_file, light.of);
      readings.set(key, [...(readings.get(key) ?? []), light]);
      continue;
    }
    const key = keyOf(light.db_file, light.question);
    const earlier = questions.get(key);
    if (earlier === undefined) questions.set(key, light);
    else {
      const problem = `expected each question of a database once, found this one in row ${earlier.row} too`;
      yield bad(place, new SourceError({ ...place, field: "question" }, problem));
    }
  }
  for (const [key, orphans] of readings) {
    if (questions.has(key)) continue;
    for (const { row, line } of orphans) {
      const place = { file: CSV_FILE, row, line, field: "ambig_question" };
      yield bad(place, new SourceError(place, "expected a question of this database, found none like it"));
    }
  }
  const counted = new Map<string, number>();
  for (const [key, question] of questions) {
    const { row, line, row_sha256, type, domain, db_file, split } = question;
    const number = counted.get(db_file) ?? 0;
    counted.set(db_file, number + 1);
    const own = readings.get(key) ?? [];
    const problem = groupProblem(question, own);
    if (problem !== undefined) {
      const place = { file: CSV_FILE, row, line, field: "question" };
      yield bad(place, new SourceError(place, problem));
      continue;
    }
    yield {
      kind: "question",
      file: CSV_FILE,
      row,
      line,
      value: {
        ...{ row, row_sha256, type, domain, db_file, number, split },
        question: question.question,
        readings: own.map(
          (one): AmbrosiaReading => ({
            sentence: one.question,
            sql: one.sql,
            row: one.row,
            row_sha256: one.row_sha256,
          }),
        ),
      },
    };
  }
}
