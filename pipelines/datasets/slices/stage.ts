import type { TaskRecord } from "../../../schemas/types/record.js";
import type { Emitted } from "../../engine/pipeline.js";
import { keep, type Outcome, setStage } from "../../engine/stage.js";
import { chooseTestDatabases, type WeighedDatabase } from "./choose-databases.js";

/**
 * The stage that puts each record into local-train or local-test, with all records of its database.
 *
 * @param dataset names the draws, so that two datasets with equal databases draw apart
 * @param typeOf what the 20 % is also aimed at within
 */
export const localSlices = (
  module: string,
  dataset: string,
  typeOf: (record: TaskRecord) => string = () => "",
) =>
  setStage({
    name: "choose-slices",
    version: "1",
    module,
    parameters: ({ seed }) => ({ seed }),
    project: ({ records }: Emitted): WeighedDatabase => {
      const [first] = records;
      if (first === undefined) throw new Error("a row went on without a record");
      const { database_id } = first.public.database;
      return { type: typeOf(first), database_id, records: records.length };
    },
    decide(rows, context) {
      const databases = new Map<string, WeighedDatabase>();
      for (const { part } of rows) {
        const known = databases.get(part.database_id);
        databases.set(part.database_id, { ...part, records: part.records + (known?.records ?? 0) });
      }
      const test = chooseTestDatabases([...databases.values()], (type, length) =>
        context.draws(`${dataset}/slices`, type).permutation(length),
      );
      return new Map<string, Outcome<string>>(
        rows.map(({ key, part }) => [key, keep(test.has(part.database_id) ? "local-test" : "local-train")]),
      );
    },
    merge: ({ records, databases }, slice): Emitted => ({
      records: records.map((record) => ({ ...record, slices: [slice] })),
      databases,
    }),
  });
