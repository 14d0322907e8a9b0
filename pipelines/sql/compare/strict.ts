import { equalLists, equalMultisets, rowKey } from "./keys.js";
import type { PolicyAnswer, ResultSide } from "./verdict.js";

const BY_TYPE = { booleansAreIntegers: false };

/**
 * Ours (spec 4): the results as multisets of rows, every number exact by value, nothing rewritten or rounded; as lists
 * where `ordered`. Empty equals empty.
 */
export function strict(prediction: ResultSide, gold: ResultSide, ordered: boolean): PolicyAnswer {
  const left = prediction.rows.map((row) => rowKey(row, BY_TYPE));
  const right = gold.rows.map((row) => rowKey(row, BY_TYPE));
  return { equal: ordered ? equalLists(left, right) : equalMultisets(left, right) };
}
