/**
 * Why a source row is not in the benchmark: the closed, stable list of reason codes. A code is never reused for another
 * meaning; `dropped.jsonl`, the ledger, the funnel and the lock all speak in these. The README's table is this one.
 */
export const DROP_CODES = {
  // Of every dataset
  bad_row: "the row is not what the source's format promises; kept out with --keep-going",
  source_missing: "a file or database that the row needs is not in this copy of the source, or does not load",
  guarantee_broken: "the deterministic oracle would credit a wrong or a generic question for this record",
  empty_result: "a SQL statement that must return rows returns none",
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
  // TACO
  markdown: "the statement's text has Markdown in it",
  several_statements: "the text holds several SQL statements",
  placeholder:
    "a value was left to be filled in: a placeholder, a parameter, or a literal in a foreign script",
  unparsable: "the text is not SQL that SQLite can read",
  not_a_select: "the statement is not a SELECT",
  no_table: "the SELECT reads no plain table",
  several_tables: "the statement reads more than one table",
  compound_select: "the statement is several SELECTs joined by UNION, EXCEPT or INTERSECT",
  subquery: "the statement has a SELECT inside it",
  quoted_qualified_name: 'a quoted "table.column" would silently be text instead of a column',
  unsteady_result: "the statement depends on chance or on the present time",
  statement_fails: "the statement does not run on its database",
  no_distinct_table: "on no other table of the database does the statement return rows and other ones",
  no_sentence: "the parser or the verbaliser has no sentence for this form of SELECT",
  names_table: "the request could not be said without a word of the withheld table's name",
  // BIRD
  no_evidence: "the row has no hint to withhold",
  gold_error: "the source's own SQL does not run on its database",
  gold_timeout: "the source's own SQL was stopped at the time limit",
  probe_no_answer: "no probe model passed, and one gave no answer at all: the row is neither pass nor fail",
  evidence_not_needed: "no probe model fails without the evidence and succeeds with it",
  // AmbiTab-Bird
  no_syntax_tree: "neither parser has a tree of the statement that gives its result when it is written back",
  rewrite_invalid:
    "the rewriter's request or its ambiguities failed a check twice; the detail is the complaint",
  not_ambiguous_for_probe: "the probe gets the reference's result without any clarification",
  not_resolvable_for_probe: "the probe misses the reference's result although all is clarified",
  ambiguity_not_needed: "a careful analyst would not have to ask, says the judge",
  judge_no_answer: "the judge's reply cannot be used",
  control_not_answered:
    "nothing of the row is left open, and the probe does not answer it from the request alone",
  control_not_chosen: "as many controls as belong to the records with ambiguities were drawn without it",
  // BIRD-Interact
  no_resolution:
    "an ambiguity that counts has neither a fragment nor a withheld knowledge entry, and no reviewed repair",
} as const;

export type DropCode = keyof typeof DROP_CODES;
