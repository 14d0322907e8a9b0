import { drop, type Evidence, itemStage, keep, type StageContext } from "../../engine/stage.js";
import { changingCall, describeSqlite, quoteIdentifier } from "../../sql/index.js";
import type { OpenReading, ProvedRow, ReadRow } from "./items.js";
import {
  type ColumnValues,
  chooseReadings,
  comparedColumns,
  loadPolyglot,
  type Proposal,
  parseStatement,
  proposeReadings,
  type ReadingSchema,
  readingSchema,
  wordsFromMeanings,
} from "./readings/index.js";
import { survivors } from "./survivors.js";

type ProposeInput = Pick<ProvedRow, "file" | "question" | "column_meanings"> & { sql: string };

/** A column with more texts has no list of values that a person might choose from. */
const MOST_VALUES = 1000;

/** The texts of the columns that the statement compares, in their own order. */
async function valuesOf(
  input: ProposeInput,
  schema: ReadingSchema,
  context: StageContext,
): Promise<ColumnValues> {
  const parsed = parseStatement(input.sql);
  const columns = "unreadable" in parsed ? [] : comparedColumns(parsed.query, schema);
  const known = new Map<string, readonly string[]>();
  for (const { table, column } of columns) {
    const name = quoteIdentifier(column);
    const execution = await context.sandbox.run({
      database: context.files.path(input.file),
      sql: `SELECT DISTINCT ${name} FROM ${quoteIdentifier(table)} WHERE typeof(${name}) = 'text' ORDER BY 1 LIMIT ${MOST_VALUES + 1}`,
    });
    if (execution.outcome !== "rows" || execution.row_count > MOST_VALUES) continue;
    // A text cell is its text after the letter t (sql/cell.ts).
    const texts = execution.rows.map(([cell]) => (cell ?? "t").slice(1));
    known.set(JSON.stringify([table, column]), texts);
  }
  return (table, column) => known.get(JSON.stringify([table, column]));
}

function openReading({ edit, sql }: Proposal): OpenReading {
  const {
    operator,
    form,
    reference,
    alternative,
    anchor,
    telling = { reference: "", alternative: "" },
  } = edit;
  return { operator, form, reference, alternative, anchor, sql, telling };
}

/** How many proposals met which fate, for the funnel's counts. */
function account(counts: Readonly<Record<string, number>>): Evidence[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => ({ kind: "count", name: `readings: ${name}`, count }));
}

/**
 * Step 1: the points that the request could leave open, at most three, by edits of the reference's syntax tree. A row that
 * offers none goes on without: it may become a control. What depends on the clock drops here, because whether an edit
 * changes its result would depend on the day.
 */
export const proposeOpenReadings = itemStage({
  name: "propose-readings",
  version: "1",
  module: import.meta.url,
  select: ({ file, reference, question, column_meanings }: ProvedRow): ProposeInput => ({
    file,
    sql: reference.sql,
    question,
    column_meanings,
  }),
  async run(input, context) {
    await loadPolyglot();
    const changing = changingCall(input.sql);
    if (changing !== undefined) return drop("unsteady_result", `the reference SQL uses ${changing}`);
    const schema = readingSchema(
      describeSqlite(context.files.path(input.file)),
      wordsFromMeanings(input.column_meanings),
    );
    const values = await valuesOf(input, schema, context);
    const proposed = proposeReadings(input.sql, input.question, schema, values);
    if ("unreadable" in proposed) return drop("no_syntax_tree", proposed.unreadable);
    const run = (sql: string) => context.sandbox.run({ database: context.files.path(input.file), sql });
    const outcome = await survivors(proposed, input.sql, run);
    if ("misread" in outcome) {
      return drop("no_syntax_tree", `written back from its tree it gives another result: ${outcome.misread}`);
    }
    const chosen = await chooseReadings(proposed.query, outcome.survived, async (sql) => {
      const execution = await run(sql);
      return execution.outcome === "rows" && execution.row_count > 0;
    });
    const { survived, fallen } = outcome;
    const fell = (why: string): number => fallen.filter((one) => one.why === why).length;
    const evidence: Evidence[] = [
      ...account({
        proposed: proposed.proposals.length,
        "that fail": fell("fails"),
        "without a value": fell("empty"),
        "equal to the reference": fell("equal"),
        surviving: survived.length,
        chosen: chosen.length,
      }),
      ...chosen.map(({ edit, sql, doubt }): Evidence => {
        const { operator, form, reference, alternative } = edit;
        return { kind: "reading", operator, form, reference, alternative, sql, doubt };
      }),
    ];
    return keep(chosen.map(openReading), evidence);
  },
  merge: (row, readings): ReadRow => ({ ...row, readings }),
});
