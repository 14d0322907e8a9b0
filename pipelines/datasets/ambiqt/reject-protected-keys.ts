import { drop, itemStage, keep } from "../../engine/stage.js";
import { type SchemaDescription, sameName } from "../../sql/index.js";
import { describeOriginal } from "./describe-original.js";
import type { UnitRow } from "./items.js";

/** Every column that the database itself uses as a key: primary keys and both sides of foreign keys. */
function keysOf(description: SchemaDescription): { table: string; column: string; as: string }[] {
  const keys: { table: string; column: string; as: string }[] = [];
  const primary = (table: string): string[] => {
    const found = description.tables.find(({ name }) => sameName(name, table));
    return (found?.columns ?? []).filter(({ primary_key }) => primary_key > 0).map(({ name }) => name);
  };
  for (const table of description.tables) {
    for (const column of primary(table.name)) keys.push({ table: table.name, column, as: "primary key" });
    for (const key of table.foreign_keys) {
      for (const column of key.columns)
        keys.push({ table: table.name, column, as: `foreign key to ${key.table}` });
      // `REFERENCES t` without a column means the primary key of t.
      const target = key.references ?? primary(key.table);
      for (const column of target) keys.push({ table: key.table, column, as: `referenced by ${table.name}` });
    }
  }
  return keys;
}

/** Step 2: a column that is part of a key cannot be copied and resampled; keys of tables.json and of the database. */
export const rejectProtectedKeys = itemStage({
  name: "reject-protected-keys",
  version: "1",
  module: import.meta.url,
  select: ({ unit, declared_keys }: UnitRow) => ({ unit, declared_keys }),
  run({ unit, declared_keys }, context) {
    const isColumn = (key: { table: string; column: string }): boolean =>
      sameName(key.table, unit.table) && sameName(key.column, unit.column);
    const own = keysOf(describeOriginal(unit.original, context)).find(isColumn);
    const name = `${unit.db_id}.${unit.table}.${unit.column}`;
    if (own !== undefined) return drop("protected_key", `${name} is a key: ${own.as}`);
    if (declared_keys.some(isColumn))
      return drop("protected_key", `${name} is declared a key in tables.json`);
    return keep(null);
  },
  merge: (row): UnitRow => row,
});
