import { fromNodeSqlParser } from "./from-node-sql-parser.js";
import { fromPolyglot } from "./from-polyglot.js";
import { type Query, Unreadable } from "./statement.js";

export type Parsed =
  | { query: Query; parser: "node-sql-parser" | "polyglot" }
  /** What each parser says, in one sentence. */
  | { unreadable: string };

/**
 * The statement as a tree: by node-sql-parser, and what that cannot read (window functions, a column named Count,
 * `sum(DISTINCT x)`: 16 of 4,068 real statements) by Polyglot. Parsing is advice, not proof: whoever uses the tree runs
 * what is written back from it against the statement itself.
 */
export function parseStatement(sql: string): Parsed {
  try {
    return { query: fromNodeSqlParser(sql), parser: "node-sql-parser" };
  } catch (first) {
    if (!(first instanceof Unreadable)) throw first;
    try {
      return { query: fromPolyglot(sql), parser: "polyglot" };
    } catch (second) {
      if (!(second instanceof Unreadable)) throw second;
      return { unreadable: `${first.message}; ${second.message}` };
    }
  }
}
