import { drop, type Evidence, itemStage, keep, type StageContext } from "../../engine/stage.js";
import { normalKey } from "../../oracle/index.js";
import { compareExecutions, quoteIdentifier } from "../../sql/index.js";
import type { ChoiceRow, Choices, LocatedRow, ValueChoice, WordedRow, Wording } from "./items.js";
import { findTable, schemaOf } from "./schema.js";
import {
  holdsPhrase,
  NoSentence,
  namedWords,
  type Query,
  readSelect,
  recordsTerm,
  type Speaker,
  saySelect,
  sharedYears,
  speakerFor,
  textEqualities,
  usesColumn,
  withoutCondition,
  writeSelect,
} from "./verbaliser/index.js";

interface WordingInput {
  file: LocatedRow["file"];
  choices: Choices;
}

/** A column with fewer values leaves no choice; one with more could not be told in an answer (spec 2, taco, step 3). */
const FEWEST_VALUES = 2;
const MOST_VALUES = 5;

/** The column's values, where they are few and all are text. */
async function fewTexts(
  { file, choices }: WordingInput,
  column: string,
  context: StageContext,
): Promise<string[] | undefined> {
  const name = quoteIdentifier(column);
  const { outcome, ...result } = await context.sandbox.run({
    database: context.files.path(file),
    sql: `SELECT DISTINCT ${name} FROM ${quoteIdentifier(choices.reference.table)} WHERE ${name} IS NOT NULL ORDER BY ${name} LIMIT ${MOST_VALUES + 1}`,
  });
  if (outcome !== "rows" || !("rows" in result)) return undefined;
  const values = result.rows.map(([cell]) => (cell?.startsWith("t") ? cell.slice(1) : undefined));
  const texts = values.filter((value) => value !== undefined);
  const few = texts.length >= FEWEST_VALUES && texts.length <= MOST_VALUES;
  return few && texts.length === values.length ? texts : undefined;
}

interface Sentence {
  request: string;
  value: ValueChoice | null;
}

/** The sentence with one value left open, where the statement has a filter for which our rule allows it. */
async function withOpenValue(
  input: WordingInput,
  query: Query,
  speaker: Speaker,
  context: StageContext,
): Promise<Sentence | undefined> {
  for (const { column, value, condition } of textEqualities(query)) {
    const values = await fewTexts(input, column, context);
    if (values === undefined || !values.includes(value)) continue;
    const rest = withoutCondition(query, condition);
    const phrase = speaker.columns.of(column).text;
    const term = `a certain ${phrase}`;
    const request = saySelect(speaker, rest, recordsTerm(speaker), { column, value, term });
    // A value without words ("+", "**") is looked for as it is written.
    if (holdsPhrase(request, value) || (normalKey(value) === "" && request.includes(value))) continue;
    const choice = { column, value, term, phrase, values, named_elsewhere: usesColumn(rest, column) };
    return { request, value: choice };
  }
  return undefined;
}

/** Proves that the statement was read rightly: written back from what was read, it gives the same result. */
async function readsBack(
  { file, choices }: WordingInput,
  query: Query,
  context: StageContext,
): Promise<boolean> {
  const run = (sql: string) => context.sandbox.run({ database: context.files.path(file), sql });
  const { sql, table } = choices.reference;
  const [back, gold] = await Promise.all([run(writeSelect(query, table)), run(sql)]);
  return compareExecutions("multiset", choices.ordered, back, gold).verdict === "match";
}

async function word(input: WordingInput, context: StageContext): Promise<Wording> {
  const { choices } = input;
  const table = findTable(schemaOf(input.file, context), choices.reference.table);
  const columns = (table?.columns ?? []).map(({ name }) => name);
  const query = readSelect(choices.reference.sql, columns);
  if (!(await readsBack(input, query, context))) {
    throw new NoSentence("no_sentence", "the parser reads it as a statement with another result");
  }
  const speaker = speakerFor(columns, choices.runs_on);
  const term = recordsTerm(speaker);
  const sentence = (await withOpenValue(input, query, speaker, context)) ?? {
    request: saySelect(speaker, query, term, null),
    value: null,
  };
  return { ...sentence, term, column_phrases: speaker.columns.all() };
}

/**
 * Step 3: the statement in words, without the table and perhaps without one value. No word of the table's name may stand
 * in the request, but for a year.
 */
export const verbalise = itemStage({
  name: "verbalise",
  version: "1",
  module: import.meta.url,
  select: ({ file, choices }: ChoiceRow): WordingInput => ({ file, choices }),
  async run(input, context) {
    const { reference, alternatives } = input.choices;
    let wording: Wording;
    try {
      wording = await word(input, context);
    } catch (error) {
      if (!(error instanceof NoSentence)) throw error;
      return drop(error.reason, error.message);
    }
    const named = namedWords(wording.request, reference.table);
    if (named.length > 0) {
      const words = named.map((one) => `"${one}"`).join(", ");
      return drop("names_table", `the request would say ${words} of ${reference.table}: ${wording.request}`);
    }
    const evidence: Evidence[] = [];
    const finding = (code: string, detail: string): void => {
      evidence.push({ kind: "finding", code, detail });
    };
    if (wording.value !== null) finding("value_choice", `leaves open the value of ${wording.value.column}`);
    const years = sharedYears(wording.request, reference.table);
    if (years.length > 0)
      finding("year_in_request", `the table's year ${years.join(", ")} is in the request`);
    const other = alternatives.find(({ table }) => namedWords(wording.request, table).length > 0);
    if (other !== undefined) {
      const words = namedWords(wording.request, other.table).join(", ");
      finding("names_alternative", `the request says "${words}", as in ${other.table}`);
    }
    return keep(wording, evidence.length > 0 ? evidence : undefined);
  },
  merge: (row, wording): WordedRow => ({ ...row, wording }),
});
