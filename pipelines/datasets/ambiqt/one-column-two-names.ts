import { drop, itemStage, keep } from "../../engine/stage.js";
import { sameName } from "../../sql/index.js";
import { describeOriginal } from "./describe-original.js";
import type { LocatedRow, Unit, UnitRow } from "./items.js";

/** Step 1 of the conversion: exactly one table, one column and two different names, neither of them taken. */
export const oneColumnTwoNames = itemStage({
  name: "one-column-two-names",
  version: "1",
  module: import.meta.url,
  select: ({ original, db_id, extra_map }: LocatedRow) => ({ original, db_id, extra_map }),
  run({ original, db_id, extra_map }, context) {
    const tables = Object.entries(extra_map);
    const columns = tables.flatMap(([table, map]) =>
      Object.entries(map).map(([column, alternatives]) => ({ table, column, alternatives })),
    );
    const [only] = columns;
    if (tables.length !== 1 || columns.length !== 1 || only === undefined) {
      const named = columns.map(({ table, column }) => `${table}.${column}`).join(", ");
      return drop(
        "not_one_column",
        `changes ${columns.length} columns of ${tables.length} tables (${named})`,
      );
    }
    const [first, second, ...more] = only.alternatives;
    if (first === undefined || second === undefined || more.length > 0) {
      return drop(
        "not_one_column",
        `${only.table}.${only.column} has ${only.alternatives.length} alternatives, not 2`,
      );
    }
    if (sameName(first, second)) {
      return drop(
        "not_one_column",
        `both alternatives of ${only.table}.${only.column} are "${first}" to SQLite`,
      );
    }
    if (first.trim() === "" || second.trim() === "") {
      return drop("not_one_column", `an alternative of ${only.table}.${only.column} is empty`);
    }
    const table = describeOriginal(original, context).tables.find(({ name }) => sameName(name, only.table));
    if (table === undefined) return drop("column_not_found", `${db_id} has no table ${only.table}`);
    const column = table.columns.find(({ name }) => sameName(name, only.column));
    if (column === undefined) {
      return drop("column_not_found", `${db_id} has no column ${only.column} in table ${table.name}`);
    }
    const taken = table.columns.find(({ name }) => sameName(name, first) || sameName(name, second));
    if (taken !== undefined) {
      return drop("alternative_collides", `"${taken.name}" is already a column of ${table.name} in ${db_id}`);
    }
    return keep<Unit>({
      original,
      db_id,
      table: table.name,
      column: column.name,
      alternatives: [first, second],
    });
  },
  merge: (row, unit): UnitRow => ({ ...row, unit }),
});
