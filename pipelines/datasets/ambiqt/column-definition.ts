import { isSignificant, nameOf, sameName, type Token, tokens } from "../../sql/index.js";

/** Where a column's definition stands in a CREATE TABLE text, and its parts. Offsets are UTF-16 units. */
export interface ColumnDefinition {
  start: number;
  end: number;
  /** The declared type, as written; empty where there is none. */
  type: string;
  /** Everything after the name: type and constraints. */
  rest: Token[];
}

const ENDS_TYPE = new Set([
  "CONSTRAINT",
  "PRIMARY",
  "NOT",
  "NULL",
  "UNIQUE",
  "CHECK",
  "DEFAULT",
  "COLLATE",
  "REFERENCES",
  "GENERATED",
  "AS",
]);

/** Splits the parenthesised list of a CREATE TABLE at its top-level commas. */
function elements(sql: string): Token[][] {
  const found: Token[][] = [];
  let current: Token[] = [];
  let depth = 0;
  for (const token of tokens(sql)) {
    const operator = token.kind === "operator" ? token.text : "";
    if (operator === ")") depth -= 1;
    if (depth === 0 && operator === ")") {
      found.push(current);
      return found;
    }
    if (depth === 1 && operator === ",") {
      found.push(current);
      current = [];
    } else if (depth > 0) current.push(token);
    if (operator === "(") depth += 1;
  }
  return found;
}

/** The definition of a column in the CREATE TABLE text that SQLite keeps, or undefined where it is not found. */
export function columnDefinition(createTable: string, column: string): ColumnDefinition | undefined {
  for (const element of elements(createTable)) {
    const words = element.filter(isSignificant);
    const [name, ...rest] = words;
    if (name === undefined || !["identifier", "quoted_identifier", "string"].includes(name.kind)) continue;
    if (!sameName(nameOf(name), column)) continue;
    const last = words.at(-1)!;
    const typeEnd = rest.findIndex(
      (word) => word.kind === "identifier" && ENDS_TYPE.has(word.text.toUpperCase()),
    );
    const typeTokens = typeEnd === -1 ? rest : rest.slice(0, typeEnd);
    const firstType = typeTokens[0];
    const lastType = typeTokens.at(-1);
    const type =
      firstType === undefined || lastType === undefined
        ? ""
        : createTable.slice(firstType.offset, lastType.offset + lastType.text.length);
    return { start: name.offset, end: last.offset + last.text.length, type, rest };
  }
  return undefined;
}
