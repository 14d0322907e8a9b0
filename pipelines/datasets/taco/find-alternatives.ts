import { drop, type Evidence, itemStage, keep } from "../../engine/stage.js";
import {
  applyRewrites,
  compareExecutions,
  describeFailure,
  type Execution,
  ordersOutermost,
} from "../../sql/index.js";
import { evidenceOf } from "../sql-evidence.js";
import type { ChoiceRow, Choices, LocatedRow, Reading } from "./items.js";
import { findTable, foldName, sameName, schemaOf } from "./schema.js";
import { columnsNeeded, onTable } from "./swap-table.js";

const readingEvidence = ({ sql, table }: Reading, execution: Execution): Evidence => ({
  ...evidenceOf(sql, execution),
  table,
});

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const tables = (count: number): string => (count === 1 ? "1 other table" : `${count} other tables`);

/** Why no other table could be meant. */
function whyNone({ runs_on, equal }: Choices): string {
  const others = runs_on.length - 1;
  if (others === 0) return "it runs on no other table";
  const same = equal.length === 0 ? [] : [`the same rows come from ${tables(equal.length)}`];
  const empty = others === equal.length ? [] : [`none from ${tables(others - equal.length)}`];
  return [...same, ...empty].join(", ");
}

/**
 * Step 2: the statement runs and returns rows, and at least one other table of the database takes its place with rows and
 * another result under the record's own policy. A literal is fixed as text on the reference's table first, so that a name
 * that only another table has as a column cannot change its meaning there.
 */
export const findAlternatives = itemStage({
  name: "find-alternatives",
  version: "1",
  module: import.meta.url,
  select: ({ sql, from, file, database }: LocatedRow) => ({ sql, from, file, database }),
  async run({ sql, from, file, database }, context) {
    const schema = schemaOf(file, context);
    const own = findTable(schema, from.table);
    if (own === undefined) return drop("statement_fails", `${database} has no table ${from.table}`);
    const run = (text: string): Promise<Execution> =>
      context.sandbox.run({ database: context.files.path(file), sql: text });
    const gold = await run(sql);
    const changes = gold.rewrites.map(({ token }) => `made ${token} a string literal, as SQLite resolves it`);
    const reference: Reading = { table: own.name, sql: applyRewrites(sql, gold.rewrites) };
    const evidence = [readingEvidence(reference, gold)];
    if (gold.outcome === "refused" && gold.reason === "quoted_qualified_name") {
      return drop("quoted_qualified_name", describeFailure(gold), { evidence });
    }
    if (gold.outcome !== "rows") return drop("statement_fails", describeFailure(gold), { evidence });
    if (gold.row_count === 0) return drop("empty_result", "the statement returns no row", { evidence });
    const ordered = ordersOutermost(reference.sql);
    const needed = columnsNeeded(
      sql,
      own.columns.map(({ name }) => name),
    ).map(foldName);
    const found: Choices = {
      reference,
      ordered,
      alternatives: [],
      equal: [],
      runs_on: [own.name],
      changes,
    };
    for (const table of [...schema.tables].sort((a, b) => byName(a.name, b.name))) {
      const has = new Set(table.columns.map(({ name }) => foldName(name)));
      if (sameName(table.name, own.name) || !needed.every((column) => has.has(column))) continue;
      const reading = { table: table.name, sql: onTable(reference.sql, from, table.name) };
      const execution = await run(reading.sql);
      // A name that this table lacks would stand for its own letters.
      if (execution.outcome !== "rows" || execution.rewrites.length > 0) continue;
      evidence.push(readingEvidence(reading, execution));
      found.runs_on.push(table.name);
      if (execution.row_count === 0) continue;
      const { verdict } = compareExecutions("multiset", ordered, execution, gold);
      if (verdict === "match") found.equal.push(table.name);
      else if (verdict === "mismatch") found.alternatives.push(reading);
    }
    found.runs_on.sort(byName);
    if (found.alternatives.length === 0) {
      return drop("no_distinct_table", whyNone(found), { evidence });
    }
    return keep(found, evidence);
  },
  merge: (row, choices): ChoiceRow => ({ ...row, choices }),
});
