import { createHash } from "node:crypto";
import { SqlError } from "../../errors.js";
import type { Row } from "../cell.js";
import type { Rewrite } from "../execution.js";
import { admit, type RowStatement } from "./admission.js";
import { type DriverRow, RowEncoder } from "./encode.js";
import { bytesStatement, textReaderFor, unwrapRow } from "./exact-text.js";
import type { JobEnd, SqliteJob } from "./job.js";
import type { Connection } from "./open.js";
import type { WarmDatabases } from "./warm-databases.js";

/** Encoded bytes after which rows are sent ahead, so that a child never holds a whole large result. */
const AHEAD_BYTES = 1024 * 1024;

/** Where a job's rows go before its end is known. */
export interface RowSink {
  ahead(rows: Row[]): void;
  /** What went ahead is not the result after all. */
  restart(): void;
}

type Streamed =
  | {
      complete: true;
      rowCount: number;
      rows: Row[];
      digest: { ordered: string; unordered: string } | undefined;
    }
  | { complete: false; what: "rows" | "bytes" }
  | { complete: false; what: "doubtful_text" };

function digestOf(lines: string[]): { ordered: string; unordered: string } {
  const hashOf = (all: string[]) => {
    const hash = createHash("sha256");
    for (const line of all) hash.update(line);
    return hash.digest("hex");
  };
  const ordered = hashOf(lines);
  return { ordered, unordered: hashOf(lines.sort()) };
}

/** Steps through the result; caps are checked row by row, because a join can outgrow any memory. */
function stream(
  statement: RowStatement,
  job: SqliteJob,
  sink: RowSink,
  unwrap: ((row: DriverRow) => DriverRow) | undefined,
): Streamed {
  const encoder = new RowEncoder(job.limits.maxBytes);
  const lines: string[] = [];
  let rows: Row[] = [];
  let rowCount = 0;
  let sentBytes = 0;
  for (const driverRow of statement.raw().safeIntegers().iterate()) {
    if (rowCount === job.limits.maxRows) return { complete: false, what: "rows" };
    const row = encoder.encode(
      unwrap === undefined ? (driverRow as DriverRow) : unwrap(driverRow as DriverRow),
    );
    if (row === undefined) return { complete: false, what: "bytes" };
    if (encoder.doubtful && unwrap === undefined) return { complete: false, what: "doubtful_text" };
    rowCount++;
    if (job.want === "digest") lines.push(`${JSON.stringify(row)}\n`);
    else rows.push(row);
    if (job.want === "rows" && encoder.bytes - sentBytes >= AHEAD_BYTES) {
      sink.ahead(rows);
      rows = [];
      sentBytes = encoder.bytes;
    }
  }
  return { complete: true, rowCount, rows, digest: job.want === "digest" ? digestOf(lines) : undefined };
}

function streamExactly(
  connection: Connection,
  admitted: { statement: RowStatement; sql: string },
  columns: readonly string[],
  job: SqliteJob,
  sink: RowSink,
): Streamed {
  const streamed = stream(admitted.statement, job, sink, undefined);
  if (streamed.complete || streamed.what !== "doubtful_text") return streamed;
  sink.restart();
  const readText = textReaderFor(connection);
  const exact = bytesStatement(connection, admitted.sql, columns.length);
  return stream(exact, job, sink, (row) => unwrapRow(row, readText));
}

/** Runs one job on this process's connections. Never throws for what SQL or a database file can do. */
export function runJob(databases: WarmDatabases, job: SqliteJob, sink: RowSink): JobEnd {
  const started = performance.now();
  let rewrites: Rewrite[] = [];
  const end = <Outcome extends object>(outcome: Outcome) => ({
    ...outcome,
    duration_ms: Math.round((performance.now() - started) * 1000) / 1000,
    rewrites,
  });
  try {
    const connection = databases.get(job.database);
    const admission = admit(connection, job.sql);
    rewrites = admission.rewrites;
    if (!admission.admitted) {
      if ("error" in admission) return end({ outcome: "error", message: admission.error });
      // A refused statement was prepared at most; should that have had an effect on the connection, it goes with it.
      databases.forget(job.database);
      return end({ outcome: "refused", ...admission.refusal });
    }
    const columns = admission.statement.columns().map((column) => column.name);
    const streamed = streamExactly(connection, admission, columns, job, sink);
    if (!streamed.complete) {
      return streamed.what === "doubtful_text"
        ? end({ outcome: "error", message: "text that is not valid in the database's encoding" })
        : end({ outcome: "too_large", what: streamed.what });
    }
    const { rowCount, rows, digest } = streamed;
    if (performance.now() - started > job.limits.timeoutMs) return end({ outcome: "timeout" });
    return digest === undefined
      ? end({ outcome: "rows", columns, row_count: rowCount, rows })
      : end({ outcome: "rows", columns, row_count: rowCount, digest });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The driver's errors, ours about the file, and V8's about a value that fits no string.
    const expected = error instanceof SqlError || error.name === "SqliteError" || error instanceof RangeError;
    if (!expected) databases.forget(job.database);
    return end({ outcome: "error", message: error.message });
  }
}
