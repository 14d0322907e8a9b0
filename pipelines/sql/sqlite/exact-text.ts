import { statements } from "../text/shape.js";
import type { RowStatement } from "./admission.js";
import { type DriverCell, type DriverRow, InvalidText } from "./encode.js";
import type { Connection } from "./open.js";

/**
 * The driver decodes text as UTF-8 and puts U+FFFD where the bytes are no UTF-8, so two different texts can look alike.
 * A statement whose result shows U+FFFD is run once more inside a wrapper that hands every text over as bytes; that
 * second run is the result (a materialised common table keeps its rows and their order).
 */
export function bytesStatement(connection: Connection, sql: string, width: number): RowStatement {
  const [inner] = statements(sql);
  const names = Array.from({ length: width }, (_, at) => `c${at}`);
  const typed = names.flatMap((name) => [
    `typeof(${name}) = 'text'`,
    `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END`,
  ]);
  // The line feed ends a comment that the statement may end with.
  const wrapped = `WITH result(${names.join(", ")}) AS MATERIALIZED (${inner?.text ?? ""}\n) SELECT ${typed.join(", ")} FROM result`;
  return connection.prepare<[], unknown[]>(wrapped);
}

export type TextReader = (bytes: Buffer) => string | InvalidText;

/** Reads bytes as text in the database's own encoding, strictly. */
export function textReaderFor(connection: Connection): TextReader {
  const encoding = connection.pragma("encoding", { simple: true });
  const label = encoding === "UTF-16le" ? "utf-16le" : encoding === "UTF-16be" ? "utf-16be" : "utf-8";
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return new InvalidText(bytes);
    }
  };
}

/** The row that the wrapper's row stands for: it holds, for each column, whether that is text, and its value or bytes. */
export function unwrapRow(wrapped: DriverRow, readText: TextReader): DriverRow {
  const row: DriverCell[] = [];
  for (let at = 0; at < wrapped.length; at += 2) {
    const value = wrapped[at + 1] as DriverCell;
    row.push(wrapped[at] === 1n && Buffer.isBuffer(value) ? readText(value) : value);
  }
  return row;
}
