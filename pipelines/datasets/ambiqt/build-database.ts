import { rmSync } from "node:fs";
import type { FileRef } from "../../engine/files.js";
import { drop, itemStage, keep } from "../../engine/stage.js";
import type { TwoColumns } from "./both-columns.js";
import { type BuiltRow, databasePath, type Unit, type UnitRow, unitKey } from "./items.js";
import { MAKE_UNIT, type MadeUnit, type UnitPlan } from "./make-unit.js";

/** Draws a unit's layout: two fair coins that do not depend on each other, so that a position never tells the copy. */
export function drawLayout(unit: Unit, coin: (purpose: string) => boolean): TwoColumns {
  const [first, second] = unit.alternatives;
  const swapped = coin("ambiqt/column-positions");
  return {
    table: unit.table,
    column: unit.column,
    inPlace: swapped ? second : first,
    atEnd: swapped ? first : second,
    original: coin("ambiqt/original-values") ? "inPlace" : "atEnd",
  };
}

/** Step 3: one database per unit, in which both alternatives exist and the original column does not. */
export const buildDatabase = itemStage({
  name: "build-database",
  version: "1",
  module: import.meta.url,
  parameters: ({ seed }) => ({ seed }),
  select: ({ unit }: UnitRow) => unit,
  async run(unit, context) {
    const key = unitKey(unit);
    const layout = drawLayout(unit, (purpose) => context.draws(purpose, key).coin());
    const scratch = context.files.scratch();
    try {
      const { seed } = context.settings;
      const from = databasePath(unit.original, context);
      const plan: UnitPlan = { original: from, scratch, layout, seed, key };
      const made = (await context.thread.run(MAKE_UNIT, plan)) as MadeUnit;
      if ("kind" in made)
        return drop(made.kind, `${unit.db_id}.${unit.table}.${unit.column}: ${made.message}`);
      const { inPlace, atEnd, original } = layout;
      const evidence = {
        kind: "draw" as const,
        in_place: inPlace,
        at_end: atEnd,
        original_values: layout[original],
      };
      return keep<FileRef>(await context.files.adopt(scratch, made.file), [evidence]);
    } finally {
      for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(scratch + suffix, { force: true });
    }
  },
  merge: (row, built): BuiltRow => ({ ...row, built }),
});
