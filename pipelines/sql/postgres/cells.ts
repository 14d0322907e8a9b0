import { type Cell, encodeReal } from "../cell.js";
import { parseArray } from "./array-text.js";

/** The text that the server sends for a value, as a cell (cell.ts). NULL is not text and is handled before. */
export type CellDecoder = (text: string) => Cell;

const tagged =
  (tag: string): CellDecoder =>
  (text) =>
    tag + text;

const asText = tagged("t");
const asReal: CellDecoder = (text) => encodeReal(Number(text));
const asBoolean: CellDecoder = (text) => (text === "t" ? "o1" : "o0");
/** `\x00ff`: sessions fix bytea_output to hex. */
const asBytes: CellDecoder = (text) => `b${text.slice(2)}`;

/** Base types by their fixed OID (pg_type.dat). Every type that is not here is text: its own text form is exact. */
const BASE: Record<number, CellDecoder> = {
  16: asBoolean,
  17: asBytes,
  20: tagged("i"),
  21: tagged("i"),
  23: tagged("i"),
  26: tagged("i"),
  700: asReal,
  701: asReal,
  1082: tagged("d"),
  1114: tagged("s"),
  1184: tagged("z"),
  1186: tagged("v"),
  1700: tagged("n"),
  114: tagged("j"),
  3802: tagged("j"),
  // char, name, text, bpchar, varchar, unknown, xml, time, timetz, uuid
  ...Object.fromEntries([18, 19, 25, 1042, 1043, 705, 142, 1083, 1266, 2950].map((oid) => [oid, asText])),
};

/** Array types by OID, with their element's. */
const ARRAYS: Record<number, number> = {
  1000: 16,
  1001: 17,
  1016: 20,
  1005: 21,
  1007: 23,
  1028: 26,
  1021: 700,
  1022: 701,
  1182: 1082,
  1115: 1114,
  1185: 1184,
  1187: 1186,
  1231: 1700,
  199: 114,
  3807: 3802,
  1002: 18,
  1003: 19,
  1009: 25,
  1014: 1042,
  1015: 1043,
  143: 142,
  1183: 1083,
  1270: 1266,
  2951: 2950,
};

/** An array with elements of a base type; the delimiter is `,` for all types but box. */
function arrayDecoder(element: CellDecoder, delimiter = ","): CellDecoder {
  return (text) => `a${JSON.stringify(parseArray(text, element, delimiter))}`;
}

/** How a type's text becomes a cell; undefined for a type that only the database itself can tell about. */
export function decoderOf(oid: number): CellDecoder | undefined {
  const base = BASE[oid];
  if (base !== undefined) return base;
  const element = ARRAYS[oid];
  return element === undefined ? undefined : arrayDecoder(BASE[element] ?? asText);
}

/** What pg_type says of a type that is not built in. */
export interface TypeFacts {
  oid: number;
  /** Whether it is a true array (`typcategory` A), and its element type with its delimiter. */
  array: boolean;
  element: number;
  delimiter: string;
}

/** The decoder of a type of the database's own: arrays of any element as arrays, all else (enums, composites) as text. */
export function decoderFromFacts(facts: TypeFacts | undefined): CellDecoder {
  if (facts?.array !== true) return asText;
  return arrayDecoder(BASE[facts.element] ?? asText, facts.delimiter);
}

export { asText };
