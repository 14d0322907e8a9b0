/**
 * Why a source row is not in the benchmark: the closed, stable list of reason codes. A code is never reused for another
 * meaning; `dropped.jsonl`, the ledger, the funnel and the lock all speak in these. The README's table is this one.
 */
export const DROP_CODES = {
  // Of every dataset
  bad_row: "the row is not what the source's format promises; kept out with --keep-going",
  source_missing: "a file or database that the row needs is not in this copy of the source, or does not load",
  guarantee_broken: "the deterministic oracle would credit a wrong or a generic question for this record",
  // AmbiQT
  not_one_column: "the row's change is not exactly one table, one column and two different names",
  column_not_found: "the database has no such table or column",
  alternative_collides: "an alternative is already the name of a column of that table",
  protected_key: "the column is part of a primary key or on either side of a foreign key",
  unique_column: "a UNIQUE constraint or index covers the column, so a copy cannot be drawn with replacement",
  unbuildable:
    "SQLite cannot give the table both alternatives (generated column, virtual table, a view that fails, …)",
  constraint_violated: "the drawn values break a constraint or a foreign key of the database",
  reading_fails: "one of the SQL readings does not run on the database",
  equal_results: "the readings give the same result, so no answer could tell them apart",
  names_reading:
    "the request names one alternative or resolution verbatim; dropped with --strict-readings only",
  // Ambrosia
  few_shot_example:
    "upstream gives the question as an example for prompts, so it is not part of the benchmark",
  empty_result: "one of the SQL readings returns no rows",
} as const;

export type DropCode = keyof typeof DROP_CODES;
