import type { Cell, Row } from "../cell.js";
import { decimalKey, realKey } from "./numbers.js";

/** How a policy compares what is not a number by value alone. */
export interface KeyOptions {
  /** Python's True equals 1. */
  booleansAreIntegers: boolean;
}

const NAN_NEVER_EQUAL = "r NaN";

/**
 * A string for a cell such that two cells are equal exactly when their strings are: integers, reals and decimals by
 * numeric value without rounding (1 = 1.0, 2^53 + 1 ≠ 2^53), -0 as 0, NULL equal to NULL, text by code point, blobs by
 * bytes. NaN has a key that rowKey() makes unequal to every other.
 */
export function cellKey(cell: Cell, options: KeyOptions): Cell {
  if (cell === null) return null;
  switch (cell[0]) {
    case "r":
    case "n": {
      const key = cell[0] === "r" ? realKey(Number(cell.slice(1))) : decimalKey(cell.slice(1));
      return key === "rNaN" ? NAN_NEVER_EQUAL : key;
    }
    case "o":
      return options.booleansAreIntegers ? `i${cell.slice(1)}` : cell;
    default:
      return cell;
  }
}

let nanRows = 0;

/** A string for a row: equal strings, equal rows. A row with a NaN equals none, itself included. */
export function rowKey(row: Row, options: KeyOptions): string {
  const keys = row.map((cell) => cellKey(cell, options));
  return keys.includes(NAN_NEVER_EQUAL) ? `NaN ${++nanRows}` : JSON.stringify(keys);
}

export function equalLists(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, at) => key === b[at]);
}

export function equalSets(a: readonly string[], b: readonly string[]): boolean {
  const left = new Set(a);
  const right = new Set(b);
  return left.size === right.size && [...left].every((key) => right.has(key));
}

export function equalMultisets(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && equalLists(a.toSorted(), b.toSorted());
}
