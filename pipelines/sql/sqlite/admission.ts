import type { Statement } from "better-sqlite3";
import type { RefusalReason, Rewrite } from "../execution.js";
import { leadingWords, statements } from "../text/shape.js";
import type { Connection } from "./open.js";
import { prepareWithLiterals } from "./quoted-literals.js";

export type RowStatement = Statement<[], unknown[]>;

export interface Refusal {
  reason: RefusalReason;
  message: string;
}

export type Admission =
  | { admitted: true; statement: RowStatement; sql: string; rewrites: Rewrite[] }
  | { admitted: false; refusal: Refusal; rewrites: Rewrite[] }
  | { admitted: false; error: string; rewrites: Rewrite[] };

const refusal = (reason: RefusalReason, message: string): Refusal => ({ reason, message });

/** At most one `;`, at the end, and no PRAGMA: nothing that tokens would have to tell apart. Saves time, decides nothing. */
function isPlainlySingle(sql: string): boolean {
  const semicolon = sql.indexOf(";");
  return (semicolon < 0 || sql.trimEnd().length === semicolon + 1) && !/pragma/i.test(sql);
}

/**
 * What must be known before SQLite sees the text: many PRAGMAs take effect while they are prepared (even behind
 * EXPLAIN), and a NUL ends the statement for SQLite while the rest is silently dropped.
 */
function refuseUnprepared(sql: string): Refusal | undefined {
  if (sql.includes("\0")) return refusal("nul_character", "the SQL text holds a NUL character");
  if (isPlainlySingle(sql)) return undefined;
  const count = statements(sql).length;
  if (count > 1) return refusal("several_statements", `${count} statements where one is allowed`);
  const words = leadingWords(sql, 4);
  const explained = words[0] === "EXPLAIN" ? (words[1] === "QUERY" ? words[3] : words[1]) : words[0];
  if (explained === "PRAGMA") {
    return refusal("pragma", "PRAGMA is not allowed; pragma_table_info() and its like may be selected from");
  }
  return undefined;
}

/** Names what a statement is that the database says is no reader, or not read-only. Decides nothing. */
function nameRefused(sql: string): Refusal {
  const [first = "", second = ""] = leadingWords(sql, 2);
  switch (first) {
    case "ATTACH":
      return refusal("attach", "ATTACH is not allowed: a statement sees its own database only");
    case "DETACH":
      return refusal("detach", "DETACH is not allowed: a statement sees its own database only");
    case "VACUUM":
      return refusal("vacuum", "VACUUM is not allowed: it writes the database or a copy of it");
    case "BEGIN":
    case "COMMIT":
    case "END":
    case "ROLLBACK":
    case "SAVEPOINT":
    case "RELEASE":
      return refusal("transaction", `${first} is not allowed: one statement runs on its own`);
    case "CREATE":
      if (second === "TEMP" || second === "TEMPORARY") {
        return refusal("temporary_object", "temporary objects are not allowed");
      }
  }
  return refusal("write", `${first || "the statement"} does not only read`);
}

/**
 * Prepares one untrusted statement. It is admitted when the prepared statement itself says that it gives rows and
 * changes nothing (spec 9); its first word is used to word a refusal, never to admit. Table-valued pragma functions
 * (`pragma_table_info('t')`) are readers without effect and are admitted, so is EXPLAIN.
 */
export function admit(connection: Connection, sql: string): Admission {
  const early = refuseUnprepared(sql);
  if (early !== undefined) return { admitted: false, refusal: early, rewrites: [] };
  const prepared = prepareWithLiterals(connection, sql);
  const { rewrites } = prepared;
  if ("error" in prepared) {
    if (statements(sql).length > 0) return { admitted: false, error: prepared.error, rewrites };
    const message = "there is no statement, only white space or comments";
    return { admitted: false, refusal: refusal("empty", message), rewrites };
  }
  if ("qualifiedName" in prepared) {
    const message = `${prepared.qualifiedName} is quoted as one name but means a table and its column`;
    return { admitted: false, refusal: refusal("quoted_qualified_name", message), rewrites };
  }
  const { statement } = prepared;
  if (!statement.readonly) return { admitted: false, refusal: nameRefused(sql), rewrites };
  if (!statement.reader) {
    const named = nameRefused(sql);
    const known = named.reason === "write" ? refusal("not_a_reader", "the statement gives no rows") : named;
    return { admitted: false, refusal: known, rewrites };
  }
  return { admitted: true, statement, sql: prepared.sql, rewrites };
}
