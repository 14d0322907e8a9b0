import { SqlError } from "../../errors.js";
import type { ResultDigest, Rewrite } from "../execution.js";
import { RowDigester } from "../row-digest.js";
import { admit, type RowStatement } from "./admission.js";
import { type DriverRow, RowEncoder } from "./encode.js";
import { bytesStatement, textReaderFor, unwrapRow } from "./exact-text.js";
import type { JobEnd, SqliteJob } from "./job.js";
import type { Connection } from "./open.js";
import type { WarmDatabases } from "./warm-databases.js";

/** Characters of encoded rows after which they are sent, so that a child never holds a whole large result. */
const AHEAD_CHARACTERS = 1024 * 1024;

/** Where a job's rows go, before its end is known. */
export interface RowSink {
  /** Some of the rows, as a JSON array of rows. */
  ahead(json: string): void;
  /** What went ahead is not the result after all. */
  restart(): void;
}

type Streamed =
  | { complete: true; rowCount: number; digest: ResultDigest | undefined }
  | { complete: false; what: "rows" | "bytes" | "doubtful_text" };

/** Steps through the result; caps are checked row by row, because a join can outgrow any memory. */
function stream(
  statement: RowStatement,
  job: SqliteJob,
  sink: RowSink,
  unwrap: ((row: DriverRow) => DriverRow) | undefined,
): Streamed {
  const encoder = new RowEncoder(job.limits.maxBytes);
  const digester = job.want === "digest" ? new RowDigester() : undefined;
  let pending = "";
  let rowCount = 0;
  for (const stepped of statement.raw().safeIntegers().iterate()) {
    if (rowCount === job.limits.maxRows) return { complete: false, what: "rows" };
    const driverRow = stepped as DriverRow;
    const row = encoder.encode(unwrap === undefined ? driverRow : unwrap(driverRow));
    if (row === undefined) return { complete: false, what: "bytes" };
    if (encoder.doubtful && unwrap === undefined) return { complete: false, what: "doubtful_text" };
    rowCount++;
    if (digester !== undefined) digester.add(row);
    else pending += pending === "" ? `[${row}` : `,${row}`;
    if (pending.length >= AHEAD_CHARACTERS) {
      sink.ahead(`${pending}]`);
      pending = "";
    }
  }
  if (pending !== "") sink.ahead(`${pending}]`);
  return { complete: true, rowCount, digest: digester?.finish() };
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
    const connection = databases.get(job.database, job.reversed);
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
    if (performance.now() - started > job.limits.timeoutMs) return end({ outcome: "timeout" });
    const { rowCount, digest } = streamed;
    return end({ outcome: "rows", columns, row_count: rowCount, ...(digest && { digest }) });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The driver's errors, ours about the file, and V8's about a value that fits no string.
    const expected = error instanceof SqlError || error.name === "SqliteError" || error instanceof RangeError;
    if (!expected) databases.forget(job.database);
    return end({ outcome: "error", message: error.message });
  }
}
