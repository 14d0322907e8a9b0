/**
 * The one encoding of a result cell: `null` for NULL, else a string whose first character names the type. It is exact
 * (integers beyond 2^53, -0, infinities, 1 apart from 1.0, bytes, text that is not UTF-8), safe in JSON, and two cells
 * are the same value of the same type exactly when their strings are equal.
 *
 * | tag | type | rest of the string |
 * | --- | --- | --- |
 * | `i` | integer | decimal digits |
 * | `r` | real | shortest decimal that reads back to the same double; `-0`, `Infinity`, `-Infinity`, `NaN` |
 * | `t` | text | the text itself |
 * | `u` | text whose bytes are not valid in the database's encoding | the bytes in lower-case hex |
 * | `b` | blob | the bytes in lower-case hex |
 * | `n` | decimal number (PostgreSQL numeric) | as the server writes it |
 * | `o` | boolean (PostgreSQL) | `1` or `0` |
 * | `d` `s` `z` | date, timestamp, timestamp with time zone (PostgreSQL) | as the server writes it, ISO style |
 * | `v` | interval (PostgreSQL) | as the server writes it |
 * | `a` | array (PostgreSQL) | a JSON array of cells |
 * | `j` | json, jsonb (PostgreSQL) | the JSON text |
 */
export type Cell = string | null;

/** One result row, in the order of the result's columns. */
export type Row = readonly Cell[];

/** A cell as a typed value. Text forms of numbers and dates stay text: no driver's formatting decides anything. */
export type CellValue =
  | { kind: "null" }
  | { kind: "integer"; value: bigint }
  | { kind: "real"; value: number }
  | { kind: "text"; value: string }
  | { kind: "invalid_text" | "blob"; value: Buffer }
  | { kind: "numeric" | "date" | "timestamp" | "timestamptz" | "interval" | "json"; value: string }
  | { kind: "boolean"; value: boolean }
  | { kind: "array"; value: readonly Cell[] };

const TEXTUAL_KINDS = {
  n: "numeric",
  d: "date",
  s: "timestamp",
  z: "timestamptz",
  v: "interval",
  j: "json",
} as const;
const TEXTUAL_TAGS = { numeric: "n", date: "d", timestamp: "s", timestamptz: "z", interval: "v", json: "j" };

/** `r1.5`, `r-0`, `rInfinity`. */
export function encodeReal(value: number): string {
  return Object.is(value, -0) ? "r-0" : `r${value}`;
}

export function encodeCell(value: CellValue): Cell {
  switch (value.kind) {
    case "null":
      return null;
    case "integer":
      return `i${value.value}`;
    case "real":
      return encodeReal(value.value);
    case "text":
      return `t${value.value}`;
    case "invalid_text":
      return `u${value.value.toString("hex")}`;
    case "blob":
      return `b${value.value.toString("hex")}`;
    case "boolean":
      return value.value ? "o1" : "o0";
    case "array":
      return `a${JSON.stringify(value.value)}`;
    default:
      return `${TEXTUAL_TAGS[value.kind]}${value.value}`;
  }
}

/** The typed value of a cell. A string that no encoder writes is a bug of ours and throws a TypeError. */
export function decodeCell(cell: Cell): CellValue {
  if (cell === null) return { kind: "null" };
  const rest = cell.slice(1);
  const tag = cell[0];
  switch (tag) {
    case "i":
      return { kind: "integer", value: BigInt(rest) };
    case "r":
      return { kind: "real", value: Number(rest) };
    case "t":
      return { kind: "text", value: rest };
    case "u":
      return { kind: "invalid_text", value: Buffer.from(rest, "hex") };
    case "b":
      return { kind: "blob", value: Buffer.from(rest, "hex") };
    case "o":
      return { kind: "boolean", value: rest === "1" };
    case "a":
      return { kind: "array", value: JSON.parse(rest) as Cell[] };
    case "n":
    case "d":
    case "s":
    case "z":
    case "v":
    case "j":
      return { kind: TEXTUAL_KINDS[tag], value: rest };
    default:
      throw new TypeError(`not an encoded cell: ${JSON.stringify(cell)}`);
  }
}

/** A cell for a person's eyes: `NULL`, `1`, `1.0`, `'it''s'`, `x'00ff'`. Not for comparing. */
export function renderCell(cell: Cell): string {
  const value = decodeCell(cell);
  switch (value.kind) {
    case "null":
      return "NULL";
    case "integer":
      return value.value.toString();
    case "real": {
      const text = encodeReal(value.value).slice(1);
      return /^-?\d+$/.test(text) ? `${text}.0` : text;
    }
    case "invalid_text":
      return `CAST(x'${value.value.toString("hex")}' AS TEXT)`;
    case "blob":
      return `x'${value.value.toString("hex")}'`;
    case "numeric":
      return value.value;
    case "boolean":
      return value.value ? "true" : "false";
    case "array":
      return `[${value.value.map(renderCell).join(", ")}]`;
    default:
      return `'${value.value.replaceAll("'", "''")}'`;
  }
}
