import type { Cell, Row } from "../cell.js";
import { equalMultisets, rowKey } from "./keys.js";
import { type Pair, pairsAll } from "./matching.js";
import { nearRange, nearRows, numberOf, shapeOf } from "./near.js";
import type { PolicyAnswer, ResultSide } from "./verdict.js";

const BY_TYPE = { booleansAreIntegers: false };
/** Nearly equal pairs beyond this many are no longer listed. */
const MAX_PAIRS = 2_000_000;

/**
 * The results as multisets of rows, or row by row where `ordered`, under the value equality of near.ts. That relation is
 * not transitive, so unordered rows are equal when *some* pairing of all rows exists: the answer cannot depend on the
 * order in which either side comes.
 */
export function multiset(prediction: ResultSide, gold: ResultSide, ordered: boolean): PolicyAnswer {
  const left = prediction.rows;
  const right = gold.rows;
  if (left.length !== right.length) {
    return { equal: false, detail: `${left.length} rows, the reference has ${right.length}` };
  }
  if (ordered) return { equal: left.every((row, at) => nearRows(row, right[at] as Row)) };
  const keysOf = (rows: readonly Row[]) => rows.map((row) => rowKey(row, BY_TYPE));
  if (equalMultisets(keysOf(left), keysOf(right))) return { equal: true };

  const leftShapes = byShape(left);
  const rightShapes = byShape(right);
  let approximate = false;
  for (const [shape, rows] of leftShapes) {
    const others = rightShapes.get(shape);
    if (others === undefined || others.length !== rows.length) return { equal: false };
    const answer = pairOneShape(rows, others);
    approximate ||= answer.approximate === true;
    if (!answer.equal) return answer;
  }
  return approximate ? { equal: true, approximate } : { equal: true };
}

function byShape(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const shape = shapeOf(row);
    const group = groups.get(shape);
    if (group === undefined) groups.set(shape, [row]);
    else group.push(row);
  }
  return groups;
}

interface Kind {
  row: Row;
  count: number;
  sortValue: number;
}

/** The distinct rows with their counts, in the order of one numeric column. */
function kindsOf(rows: readonly Row[], column: number): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const row of rows) {
    const text = JSON.stringify(row);
    const known = kinds.get(text);
    if (known !== undefined) known.count++;
    else kinds.set(text, { row, count: 1, sortValue: numberOf(row[column] as Cell) ?? 0 });
  }
  return [...kinds.values()].sort((a, b) => a.sortValue - b.sortValue);
}

/** The numeric column with the most different values: sorted by it, few rows are worth a look. */
function mostTelling(rows: readonly Row[]): number {
  let best = 0;
  let most = -1;
  for (const [column, cell] of (rows[0] ?? []).entries()) {
    if (numberOf(cell) === undefined) continue;
    const different = new Set(rows.map((row) => row[column])).size;
    if (different > most) [best, most] = [column, different];
  }
  return best;
}

function pairOneShape(leftRows: readonly Row[], rightRows: readonly Row[]): PolicyAnswer {
  const column = mostTelling(leftRows);
  const left = kindsOf(leftRows, column);
  const right = kindsOf(rightRows, column);
  const pairs: Pair[] = [];
  let from = 0;
  for (const [at, kind] of left.entries()) {
    const [least, greatest] = nearRange(kind.sortValue);
    while (from < right.length && (right[from] as Kind).sortValue < least) from++;
    for (let other = from; other < right.length; other++) {
      const candidate = right[other] as Kind;
      if (candidate.sortValue > greatest) break;
      if (!nearRows(kind.row, candidate.row)) continue;
      if (pairs.length === MAX_PAIRS) return pairInOrder(leftRows, rightRows, column);
      pairs.push([at, other]);
    }
  }
  return { equal: pairsAll(left, right, pairs) };
}

/** For results made of millions of nearly equal rows: never equal by mistake, but some pairing may be missed. */
function pairInOrder(leftRows: readonly Row[], rightRows: readonly Row[], column: number): PolicyAnswer {
  const inOrder = (rows: readonly Row[]) =>
    rows.toSorted((a, b) => (numberOf(a[column] as Cell) ?? 0) - (numberOf(b[column] as Cell) ?? 0));
  const others = inOrder(rightRows);
  return {
    equal: inOrder(leftRows).every((row, at) => nearRows(row, others[at] as Row)),
    approximate: true,
  };
}
