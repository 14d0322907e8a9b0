import type { Cell } from "../cell.js";
import { roundReal } from "./numbers.js";

/**
 * What Python's `json.dumps(value, sort_keys=True)` writes, for the lists and dicts in results (spec 13.7): separators
 * with a space, everything beyond ASCII escaped, whole numbers apart from floats, floats rounded to two places.
 */
export type JsonNode =
  | { kind: "literal"; text: string }
  | { kind: "float"; value: number }
  | { kind: "string"; value: string }
  | { kind: "list"; items: JsonNode[] }
  | { kind: "dict"; entries: Map<string, JsonNode> };

const TOKEN = /\s*([{}[\],:]|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)\s*/y;

/** Reads JSON text without losing the difference between 1 and 1.0, or digits of large integers. */
export function parseJson(text: string): JsonNode {
  TOKEN.lastIndex = 0;
  const take = (): string => {
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) throw new SyntaxError(`not JSON: ${text.slice(0, 80)}`);
    return token;
  };
  const node = (token: string): JsonNode => {
    if (token === "{") return dict();
    if (token === "[") return list();
    if (token.startsWith('"')) return { kind: "string", value: JSON.parse(token) as string };
    if (/[.eE]/.test(token) && !/^[tf]/.test(token)) return { kind: "float", value: Number(token) };
    return { kind: "literal", text: token === "-0" ? "0" : token };
  };
  const list = (): JsonNode => {
    const items: JsonNode[] = [];
    for (let token = take(); token !== "]"; token = take()) items.push(node(token === "," ? take() : token));
    return { kind: "list", items };
  };
  const dict = (): JsonNode => {
    const entries = new Map<string, JsonNode>();
    for (let token = take(); token !== "}"; token = take()) {
      const key = JSON.parse(token === "," ? take() : token) as string;
      take();
      entries.set(key, node(take()));
    }
    return { kind: "dict", entries };
  };
  return node(take());
}

/** The cell of an array as Python's json sees it; undefined for what it cannot write (decimals, dates, bytes). */
function nodeOfCell(cell: Cell): JsonNode | undefined {
  if (cell === null) return { kind: "literal", text: "null" };
  const rest = cell.slice(1);
  switch (cell[0]) {
    case "i":
      return { kind: "literal", text: rest };
    case "r":
      return { kind: "float", value: Number(rest) };
    case "o":
      return { kind: "literal", text: rest === "1" ? "true" : "false" };
    case "t":
      return { kind: "string", value: rest };
    case "j":
      return parseJson(rest);
    case "a":
      return nodeOfArray(JSON.parse(rest) as Cell[]);
    default:
      return undefined;
  }
}

/** An array of cells as a list; undefined when one of them cannot be written. */
export function nodeOfArray(cells: readonly Cell[]): JsonNode | undefined {
  const items = cells.map(nodeOfCell);
  return items.every((item) => item !== undefined) ? { kind: "list", items } : undefined;
}

/** Python's repr of a float: exponents below -4 and from 16 on, of two digits at least. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : "-Infinity";
  if (Object.is(value, -0)) return "-0.0";
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e16)) {
    return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function asciiString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** By code points, as Python sorts strings. */
function byCodePoint([a]: [string, JsonNode], [b]: [string, JsonNode]): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export function dumpsSorted(node: JsonNode): string {
  switch (node.kind) {
    case "literal":
      return node.text;
    case "float":
      return floatText(roundReal(node.value));
    case "string":
      return asciiString(node.value);
    case "list":
      return `[${node.items.map(dumpsSorted).join(", ")}]`;
    case "dict": {
      const entries = [...node.entries].sort(byCodePoint);
      return `{${entries.map(([key, value]) => `${asciiString(key)}: ${dumpsSorted(value)}`).join(", ")}}`;
    }
  }
}
