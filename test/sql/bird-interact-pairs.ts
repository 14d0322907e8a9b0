/**
 * Pairs of results with the verdicts that spec 13 (7 and 8) gives them, decided by hand from its words, and beside them
 * what `strict` says, which rewrites nothing. A result is its rows; a cell is written as pipelines/sql/cell.ts encodes it.
 */
import type { Row } from "../../pipelines/sql/index.js";

export interface Pair {
  note: string;
  prediction: readonly Row[];
  reference: readonly Row[];
  ordered: boolean;
  /** Whether each rule calls it a match. */
  bird_interact: boolean;
  strict: boolean;
}

/** One row of one cell each side. */
const cell = (
  note: string,
  a: string | null,
  b: string | null,
  bird_interact: boolean,
  strict: boolean,
): Pair => ({
  note,
  prediction: [[a]],
  reference: [[b]],
  ordered: false,
  bird_interact,
  strict,
});
const rows = (
  note: string,
  prediction: readonly Row[],
  reference: readonly Row[],
  [bird_interact, strict]: [boolean, boolean],
  ordered = false,
): Pair => ({ note, prediction, reference, ordered, bird_interact, strict });

export const PAIRS: readonly Pair[] = [
  // Numbers: decimals to two places half up, floats rounded to two; Python's equality; strict: by exact value.
  cell("equal integers", "i7", "i7", true, true),
  cell("other integers", "i7", "i8", false, false),
  cell(
    "integers beyond 2^53 that a double cannot tell apart",
    "i9007199254740993",
    "i9007199254740992",
    false,
    false,
  ),
  cell("integers beyond 2^53 that are the same", "i9007199254740993", "i9007199254740993", true, true),
  cell("integer and the same float", "i2", "r2", true, true),
  cell("integer and the same decimal", "i2", "n2.00", true, true),
  cell("integer and a float near it", "i2", "r2.001", true, false),
  cell("integer and a float that rounds elsewhere", "i2", "r2.01", false, false),
  cell("decimals of other scale", "n1.50", "n1.5", true, true),
  cell("decimals that are one at two places", "n1.234", "n1.2349", true, false),
  cell("decimals that are two at two places", "n1.234", "n1.235", false, false),
  cell("a decimal half goes up", "n2.345", "n2.35", true, false),
  cell("a negative decimal half goes away from zero", "n-2.345", "n-2.35", true, false),
  cell("a decimal half of an even digit goes up, too", "n0.125", "n0.13", true, false),
  cell(
    "large decimals keep all digits",
    "n12345678901234567890.12",
    "n12345678901234567890.13",
    false,
    false,
  ),
  cell("floats that are one at two places", "r0.333333333", "r0.333", true, false),
  cell("floats that are two at two places", "r0.334", "r0.336", false, false),
  cell("a float half is decided by its binary value", "r2.675", "r2.68", false, false),
  cell("a float half that is exact goes to the even digit", "r0.125", "r0.12", true, false),
  cell("equal floats", "r1.1", "r1.1", true, true),
  cell("decimal and float where the binary value is exact", "n0.50", "r0.5", true, true),
  cell("decimal and float where it is not", "n0.10", "r0.1", false, false),
  cell("decimal and float that round to an exact value", "n0.251", "r0.25", true, false),
  cell("zero and minus zero as floats", "r0", "r-0", true, true),
  cell("infinity equals itself", "rInfinity", "rInfinity", true, true),
  cell("NaN equals nothing", "rNaN", "rNaN", false, false),
  cell("decimal NaN, too", "nNaN", "nNaN", false, false),
  cell("true is one", "o1", "i1", true, false),
  cell("false is zero", "o0", "i0", true, false),
  cell("true is true", "o1", "o1", true, true),
  cell("true is not two", "o1", "i2", false, false),
  cell("true and the float one", "o1", "r1", true, false),
  // Text: exact.
  cell("equal texts", "tabc", "tabc", true, true),
  cell("texts of other case", "tAbc", "tabc", false, false),
  cell("padding counts", "tabc   ", "tabc", false, false),
  cell("a number is no text", "t1", "i1", false, false),
  cell("a decimal is no text", "t1.50", "n1.50", false, false),
  cell("composed and decomposed letters", "t\u00e9", "te\u0301", false, false),
  cell("an empty text is no NULL", "t", null, false, false),
  cell("texts that look like dates stay texts", "t2024-05-01 10:00:00", "t2024-05-01", false, false),
  // NULL.
  cell("NULL equals NULL", null, null, true, true),
  cell("NULL is not zero", null, "i0", false, false),
  cell("NULL is not false", null, "o0", false, false),
  // Dates: the day alone.
  cell("equal dates", "d2024-05-01", "d2024-05-01", true, true),
  cell("other dates", "d2024-05-01", "d2024-05-02", false, false),
  cell("timestamps of one day", "s2024-05-01 10:00:00", "s2024-05-01 23:59:59", true, false),
  cell("timestamps of two days", "s2024-05-01 23:59:59", "s2024-05-02 00:00:00", false, false),
  cell("a timestamp and its date", "s2024-05-01 10:00:00", "d2024-05-01", true, false),
  cell("a midnight and its date", "s2024-05-01 00:00:00", "d2024-05-01", true, false),
  cell("a date becomes a text", "d2024-05-01", "t2024-05-01", true, false),
  cell("a timestamp with time zone and its date", "z2024-05-01 10:00:00+00", "d2024-05-01", true, false),
  cell(
    "timestamps with and without time zone",
    "z2024-05-01 10:00:00+00",
    "s2024-05-01 11:00:00",
    true,
    false,
  ),
  cell("fractions of a second are lost", "s2024-05-01 10:00:00.123456", "s2024-05-01 10:00:00", true, false),
  cell("equal intervals", "v1 day", "v1 day", true, true),
  cell("other intervals", "v1 day", "v2 days", false, false),
  // Bytes.
  cell("equal bytes", "b00ff", "b00ff", true, true),
  cell("other bytes", "b00ff", "b00fe", false, false),
  // Arrays and JSON: JSON text with sorted keys, floats rounded inside; what JSON cannot say fails.
  cell("equal arrays of integers", 'a["i1","i2"]', 'a["i1","i2"]', true, true),
  cell("arrays in another order", 'a["i1","i2"]', 'a["i2","i1"]', false, false),
  cell("arrays of floats that are one at two places", 'a["r0.123"]', 'a["r0.1234"]', true, false),
  cell("arrays of texts", 'a["ta","tb"]', 'a["ta","tb"]', true, true),
  cell("arrays of decimals cannot be said in JSON", 'a["n1.50"]', 'a["n1.50"]', false, true),
  cell("an array and the text of its JSON", 'a["i1","i2"]', "t[1, 2]", true, false),
  cell("arrays with NULL", 'a["i1",null]', 'a["i1",null]', true, true),
  cell("an empty array", "a[]", "a[]", true, true),
  cell("objects whose keys stand in another order", 'j{"b": 1, "a": 2}', 'j{"a": 2, "b": 1}', true, false),
  cell("objects of other values", 'j{"a": 1}', 'j{"a": 2}', false, false),
  cell("objects whose numbers are one at two places", 'j{"a": 0.123}', 'j{"a": 0.1234}', true, false),
  cell(
    "an object and the text of its JSON, keys sorted",
    'j{"b": 1, "a": 2}',
    't{"a": 2, "b": 1}',
    true,
    false,
  ),
  cell("objects with another key", 'j{"a": 1}', 'j{"a": 1, "b": null}', false, false),
  // Rows: sets where the order is open, lists where it is not; never their number within a set.
  rows("rows in another order", [["i1"], ["i2"]], [["i2"], ["i1"]], [true, true]),
  rows("rows in another order where it counts", [["i1"], ["i2"]], [["i2"], ["i1"]], [false, false], true),
  rows("rows in the same order where it counts", [["i1"], ["i2"]], [["i1"], ["i2"]], [true, true], true),
  rows("a row too often is not seen in a set", [["i1"], ["i1"]], [["i1"]], [true, false]),
  rows("a row too often is seen in a list", [["i1"], ["i1"]], [["i1"]], [false, false], true),
  rows("rows that become one by rounding", [["r0.123"], ["r0.124"]], [["r0.12"]], [true, false]),
  rows("a row missing", [["i1"]], [["i1"], ["i2"]], [false, false]),
  rows("a row too many", [["i1"], ["i2"]], [["i1"]], [false, false]),
  rows("columns in another order", [["i1", "i2"]], [["i2", "i1"]], [false, false]),
  rows("a column too many", [["i1", "i2"]], [["i1"]], [false, false]),
  rows("a column missing", [["i1"]], [["i1", "i2"]], [false, false]),
  rows(
    "columns of other types with equal values",
    [["i1", "n2.0", "o1"]],
    [["r1", "i2", "i1"]],
    [true, false],
  ),
  rows("one cell of many differs", [["i1", "ta", null]], [["i1", "tb", null]], [false, false]),
  rows(
    "values swapped between rows",
    [
      ["i1", "ta"],
      ["i2", "tb"],
    ],
    [
      ["i1", "tb"],
      ["i2", "ta"],
    ],
    [false, false],
  ),
  // Empty results fail upstream, on either side and on both.
  rows("both empty", [], [], [false, true]),
  rows("both empty where the order counts", [], [], [false, true], true),
  rows("an empty prediction", [], [["i1"]], [false, false]),
  rows("an empty reference", [["i1"]], [], [false, false]),
  rows("a row of NULLs is not empty", [[null]], [[null]], [true, true]),
  rows("a NaN hides in a row", [["i1", "rNaN"]], [["i1", "rNaN"]], [false, false]),
];
