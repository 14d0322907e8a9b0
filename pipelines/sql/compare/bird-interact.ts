import { type Cell, encodeReal, type Row } from "../cell.js";
import { equalLists, equalSets, rowKey } from "./keys.js";
import { roundDecimalHalfUp, roundReal } from "./numbers.js";
import { dumpsSorted, nodeOfArray, parseJson } from "./python-json.js";
import type { PolicyAnswer, ResultSide } from "./verdict.js";

const PYTHON = { booleansAreIntegers: true };

/** A value inside a list that the official evaluator cannot turn into JSON: it raises, and the comparison fails. */
class NotSerialisable extends Error {}

/**
 * A cell as the official evaluator normalises it (spec 13.7): dates and timestamps to the text of their day, decimals to
 * two places half up, floats by Python's round(x, 2), lists and dicts to JSON text, the rest unchanged.
 */
function normalise(cell: Cell): Cell {
  if (cell === null) return null;
  const rest = cell.slice(1);
  switch (cell[0]) {
    case "d":
    case "s":
    case "z":
      return `t${rest.slice(0, 10)}`;
    case "n":
      return `n${roundDecimalHalfUp(rest)}`;
    case "r":
      return encodeReal(roundReal(Number(rest)));
    case "j":
      return normaliseJson(rest);
    case "a": {
      const list = nodeOfArray(JSON.parse(rest) as Cell[]);
      if (list === undefined)
        throw new NotSerialisable("a list holds a value that Python's json cannot write");
      return `t${dumpsSorted(list)}`;
    }
    default:
      return cell;
  }
}

/** A JSON document: containers become text; a bare number, text, truth value or null is that value. */
function normaliseJson(json: string): Cell {
  const node = parseJson(json);
  switch (node.kind) {
    case "list":
    case "dict":
      return `t${dumpsSorted(node)}`;
    case "float":
      return encodeReal(roundReal(node.value));
    case "string":
      return `t${node.value}`;
    case "literal":
      if (node.text === "null") return null;
      return node.text === "true" ? "o1" : node.text === "false" ? "o0" : `i${node.text}`;
  }
}

/**
 * BIRD-Interact's default test (spec 13.7 and 13.8): after normalisation equal lists where `ordered`, else equal sets of
 * row tuples, under Python's equality. An empty result on either side fails, both empty too.
 */
export function birdInteract(prediction: ResultSide, gold: ResultSide, ordered: boolean): PolicyAnswer {
  if (prediction.rows.length === 0 || gold.rows.length === 0) {
    return { equal: false, detail: "an empty result never matches under bird_interact" };
  }
  try {
    const keysOf = (rows: readonly Row[]) => rows.map((row) => rowKey(row.map(normalise), PYTHON));
    const left = keysOf(prediction.rows);
    const right = keysOf(gold.rows);
    return { equal: ordered ? equalLists(left, right) : equalSets(left, right) };
  } catch (error) {
    if (!(error instanceof NotSerialisable)) throw error;
    return { equal: false, detail: error.message };
  }
}
