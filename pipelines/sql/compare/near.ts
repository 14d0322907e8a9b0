import type { Cell, Row } from "../cell.js";
import { cellKey } from "./keys.js";

const BY_TYPE = { booleansAreIntegers: false };
const RELATIVE = 1e-6;

/** The double nearest to a real or decimal cell; undefined for all others, integers too: those are exact. */
function inexactValue(cell: Cell): number | undefined {
  return cell !== null && (cell[0] === "r" || cell[0] === "n") ? Number(cell.slice(1)) : undefined;
}

/**
 * Value equality outside `bird_ex` (spec 4). Reals and decimals are equal within 1e-6 of the larger one; all else, also
 * an integer against a real, must be equal exactly. Symmetric and reflexive (but for NaN), not transitive.
 */
export function nearCells(a: Cell, b: Cell): boolean {
  const x = inexactValue(a);
  const y = inexactValue(b);
  if (x !== undefined && y !== undefined) {
    if (x === y) return true;
    return Number.isFinite(x - y) && Math.abs(x - y) <= RELATIVE * Math.max(Math.abs(x), Math.abs(y));
  }
  return cellKey(a, BY_TYPE) === cellKey(b, BY_TYPE);
}

export function nearRows(a: Row, b: Row): boolean {
  return a.length === b.length && a.every((cell, at) => nearCells(cell, b[at] as Cell));
}

/** The number of a cell that holds one, for sorting. */
export function numberOf(cell: Cell): number | undefined {
  return cell?.[0] === "i" ? Number(cell.slice(1)) : inexactValue(cell);
}

/**
 * What nearly equal rows certainly have in common: their cells that are no numbers, with a mark for each number. Rows of
 * different shape are never equal.
 */
export function shapeOf(row: Row): string {
  return JSON.stringify(row.map((cell) => (numberOf(cell) === undefined ? cellKey(cell, BY_TYPE) : 0)));
}

/** The least and the greatest value that a number can be near to. */
export function nearRange(value: number): [number, number] {
  const reach = Math.abs(value) * RELATIVE * 1.001;
  return [value - reach, value + reach];
}
