import { localSlices } from "../slices/index.js";

/** The last stage: 20 % of the records, and of each ambiguity type, by database (spec 2, ambrosia, step 5). */
export const chooseSlices = localSlices(import.meta.url, "ambrosia", (record) => {
  const type = record.oracle.ambiguities[0]?.kind;
  if (type === undefined) throw new Error("a question went on without an ambiguity");
  return type;
});
