import parser from "node-sql-parser/build/sqlite.js";
import { NoSentence } from "./no-sentence.js";
import { plainForm } from "./plain-form.js";
import { NO_LIMIT } from "./plain-writer.js";
import type { Expression, Item, Query } from "./query.js";
import { ExpressionReader } from "./read-expression.js";
import { isNode, type Node, nodeAt, nodesAt } from "./tree.js";

/** The parser's tree of one SELECT. What the parser cannot read has no sentence, and that is all it says. */
function parse(sql: string): Node {
  try {
    const made: unknown = new parser.Parser().astify(sql, { database: "sqlite" });
    const [only, ...more] = Array.isArray(made) ? (made as unknown[]) : [made];
    if (isNode(only) && more.length === 0 && only.type === "select") return only;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new NoSentence(
      "no_sentence",
      `the parser does not read it: ${error.message.split("\n")[0]?.slice(-80)}`,
    );
  }
  throw new NoSentence("no_sentence", "the parser takes it for something else than one SELECT");
}

/** `ORDER BY 2` and `GROUP BY 1` mean the second and the first result. */
function positioned(expression: Expression, items: readonly Item[]): Expression {
  if (expression.kind !== "literal" || expression.literal.kind !== "number") return expression;
  const { text } = expression.literal;
  const item = /^\d+$/.test(text) ? items[Number(text) - 1] : undefined;
  if (item === undefined || item.kind === "everything" || items.some(({ kind }) => kind === "everything")) {
    throw new NoSentence("no_sentence", `position ${text} names no single result`);
  }
  return item;
}

function readItems(
  tree: Node,
  reader: ExpressionReader,
): { items: Item[]; results: Map<string, Expression> } {
  const results = new Map<string, Expression>();
  if (tree.columns === "*") return { items: [{ kind: "everything" }], results };
  const items = nodesAt(tree, "columns").map((column): Item => {
    const node = nodeAt(column, "expr");
    if (node.type === "star" || (node.type === "column_ref" && node.column === "*"))
      return { kind: "everything" };
    const expression = reader.read(node);
    if (typeof column.as === "string") results.set(column.as, expression);
    return expression;
  });
  return { items, results };
}

function readLimit(tree: Node): Pick<Query, "limit" | "offset"> {
  if (!isNode(tree.limit)) return { limit: null, offset: 0 };
  const numbers = nodesAt(tree.limit, "value").map(({ value }) => Number(value));
  if (!numbers.every(Number.isSafeInteger))
    throw new NoSentence("no_sentence", "a LIMIT that is not a number");
  const separator = String(tree.limit.seperator);
  const [limit, offset] = separator === "," ? [numbers[1], numbers[0]] : numbers;
  return { limit: limit === undefined || limit === NO_LIMIT ? null : limit, offset: offset ?? 0 };
}

/**
 * Reads a SELECT over one table by its meaning: results' names, qualifiers, superfluous parentheses and the like are gone.
 *
 * @param columns of the table, as the database writes them
 * @throws NoSentence (`no_sentence`) where the parser or this reader does not know a form
 */
export function readSelect(sql: string, columns: readonly string[]): Query {
  const form = plainForm(sql, columns);
  const tree = parse(form.sql);
  if (
    isNode(tree.with) ||
    Array.isArray(tree.with) ||
    isNode(tree._next) ||
    ("window" in tree && tree.window)
  ) {
    throw new NoSentence("no_sentence", "more than a plain SELECT");
  }
  const { items, results } = readItems(tree, new ExpressionReader(form));
  // In GROUP BY, HAVING and ORDER BY a result may be called by its name; in WHERE, SQLite allows it, too.
  const reader = new ExpressionReader(form, results);
  const optional = (field: string): Expression | null => {
    const node = tree[field];
    return isNode(node) ? reader.read(node) : null;
  };
  const groups = isNode(tree.groupby) ? nodesAt(tree.groupby, "columns") : [];
  const orders = Array.isArray(tree.orderby) ? nodesAt(tree, "orderby") : [];
  return {
    distinct: tree.distinct !== null && tree.distinct !== undefined,
    items,
    where: optional("where"),
    groups: groups.map((node) => positioned(reader.read(node), items)),
    having: optional("having"),
    orders: orders.map((order, at) => {
      const by = positioned(reader.read(nodeAt(order, "expr")), items);
      const descending = order.type === "DESC";
      // NULLs are the smallest values to SQLite, unless it is told otherwise.
      const usual = descending ? "last" : "first";
      const nulls = form.nulls.get(at) ?? usual;
      return { by, descending, nulls: nulls === usual ? null : nulls };
    }),
    ...readLimit(tree),
  };
}
