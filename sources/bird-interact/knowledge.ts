import { SourceError } from "../../pipelines/errors.js";
import { readJsonLines } from "../json-lines.js";
import { found, isObject, RowCheck } from "../row-check.js";

/** An entry of a database's knowledge base. Ids may have gaps, and two entries may have one name (spec 13). */
export interface KnowledgeEntry {
  id: number;
  name: string;
  description: string;
  /** LaTeX between dollar signs, and words. */
  definition: string;
  /** `calculation_knowledge`, `domain_knowledge`, `value_illustration`. */
  type: string;
  /** Ids of the entries that this one builds on. */
  children: number[];
}

const anyText = (check: RowCheck, row: Record<string, unknown>, field: string): string => {
  const value = row[field];
  if (typeof value === "string") return value;
  check.fault(field, `expected a text, found ${found(value)}`);
  return "";
};

/**
 * A knowledge base, in file order.
 *
 * @throws SourceError at the first line that is none; one that has an id of another line names both
 */
export function readKnowledge(text: string, file: string): KnowledgeEntry[] {
  const lines = new Map<number, number>();
  return readJsonLines(text, file).map((item) => {
    if (item.kind === "error") throw item.error;
    const { line, row, value } = item;
    const check = new RowCheck({ file, line, row });
    const id = value.id;
    if (typeof id !== "number" || !Number.isInteger(id)) {
      check.fault("id", `expected a whole number, found ${found(id)}`);
    } else if (lines.has(id)) {
      check.fault("id", `expected each id once, found ${id} in line ${lines.get(id)} too`);
    }
    const { children_knowledge: children } = value;
    const listed = Array.isArray(children) ? children : [];
    const none = children === -1 || children === undefined || children === null;
    if (!none && !(Array.isArray(children) && children.every((one) => typeof one === "number"))) {
      check.fault("children_knowledge", `expected -1 or a list of ids, found ${found(children)}`);
    }
    const entry: KnowledgeEntry = {
      id: Number(id),
      name: check.text(value, "knowledge") ?? "",
      description: anyText(check, value, "description"),
      definition: anyText(check, value, "definition"),
      type: typeof value.type === "string" ? value.type : "",
      children: listed.filter((one): one is number => typeof one === "number"),
    };
    const error = check.error();
    if (error !== undefined) throw error;
    lines.set(entry.id, line);
    return entry;
  });
}

/** One line a field of a JSON column, named by its path. */
function fieldLines(value: unknown, path: string): string[] {
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, inner]) =>
      fieldLines(inner, path === "" ? key : `${path}.${key}`),
    );
  }
  const said = typeof value === "string" ? value : JSON.stringify(value);
  return [`${path}: ${said}`];
}

/** A meaning as one text; of a JSON column, the fields' meanings follow a line each. */
function meaningText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  const { column_meaning, fields_meaning } = value;
  const own = typeof column_meaning === "string" ? [column_meaning] : [];
  return [...own, ...(fields_meaning === undefined ? [] : fieldLines(fields_meaning, ""))].join("\n");
}

/**
 * Column meanings: `table.column` as upstream spells it (its case is not always the schema's) → text.
 *
 * @throws SourceError when the file is no such object
 */
export function readColumnMeanings(text: string, file: string): Record<string, string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new SourceError({ file }, `expected JSON: ${cause.message}`, { cause });
  }
  if (!isObject(parsed)) throw new SourceError({ file }, `expected an object, found ${found(parsed)}`);
  const meanings: [string, string][] = [];
  for (const [key, value] of Object.entries(parsed)) {
    const [database, table, column, ...more] = key.split("|");
    const meaning = meaningText(value);
    if (database === undefined || table === undefined || column === undefined || more.length > 0) {
      throw new SourceError({ file, field: key }, "expected the name database|table|column");
    }
    if (meaning === undefined) {
      throw new SourceError({ file, field: key }, `expected a text or fields, found ${found(value)}`);
    }
    meanings.push([`${table}.${column}`, meaning]);
  }
  return Object.fromEntries(meanings);
}
