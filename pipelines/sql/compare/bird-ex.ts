import { equalLists, equalSets, rowKey } from "./keys.js";
import type { PolicyAnswer, ResultSide } from "./verdict.js";

const PYTHON = { booleansAreIntegers: true };

/**
 * BIRD's execution accuracy: the results as sets of row tuples under Python's equality, exact values, so duplicates and
 * order do not count; as lists where `ordered`. Unlike Python, text that is no valid UTF-8 is compared, not an error.
 */
export function birdEx(prediction: ResultSide, gold: ResultSide, ordered: boolean): PolicyAnswer {
  const left = prediction.rows.map((row) => rowKey(row, PYTHON));
  const right = gold.rows.map((row) => rowKey(row, PYTHON));
  return { equal: ordered ? equalLists(left, right) : equalSets(left, right) };
}
