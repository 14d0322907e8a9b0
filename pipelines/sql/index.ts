export { type Cell, type CellValue, decodeCell, encodeCell, type Row, renderCell } from "./cell.js";
export {
  type ComparisonFlags,
  type ComparisonResult,
  cleanForBirdInteract,
  compareExecutions,
  removeComments,
  removeDistinct,
  removeRound,
  type SqlVerdict,
} from "./compare/index.js";
export { type TableContents, tableContents } from "./contents.js";
export { eachCellText, schemaStatements } from "./database-texts.js";
export {
  type ColumnDescription,
  checkIntegrity,
  countRows,
  describeConnection,
  describeSqlite,
  type ForeignKeyDescription,
  type SchemaDescription,
  type TableDescription,
  type ViewDescription,
} from "./describe.js";
export {
  DEFAULT_LIMITS,
  type DigestExecution,
  type DigestedRows,
  type Execution,
  type Failure,
  type Limits,
  type RefusalReason,
  type ResultDigest,
  type ResultRows,
  type Rewrite,
} from "./execution.js";
export { applyRewrites, describeFailure } from "./failure.js";
// Types only: PostgreSQL has a door of its own, `sql/postgres/index.js`, so that what runs SQLite loads no driver, and
// its stages are not done again for a change there.
export type {
  DatabaseState,
  DumpFile,
  ExecOptions,
  Isolation,
  LoadedTemplate,
  PostgresOptions,
  PostgresRun,
  PostgresServer,
  PostgresSession,
  PostgresTask,
  TaskRun,
  TaskSession,
  TaskVerdict,
} from "./postgres/index.js";
export {
  openSqliteSandbox,
  type RunRequest,
  type SandboxOptions,
  type SqliteSandbox,
} from "./sqlite/sandbox.js";
export { changingCall } from "./text/changing-call.js";
export { clauses } from "./text/clauses.js";
export {
  foldName,
  isPlainIdentifier,
  ordersOutermost,
  quoteIdentifier,
  quoteLiteral,
  type StatementText,
  sameName,
  statements,
} from "./text/shape.js";
export { type TieBroken, tieBroken } from "./text/tie-breaks.js";
export { isSignificant, nameOf, type Token, type TokenKind, tokens } from "./text/tokens.js";
export { isKeyword, isName, wordsOf } from "./text/words.js";
