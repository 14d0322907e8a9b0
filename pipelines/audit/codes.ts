/** What a finding's code means, and what to do about it. Codes are stable: none is reused for another meaning. */
export interface CodeMeaning {
  means: string;
  remedy: string;
}

const TAKE_AGAIN = "take the release again from where it was published";
const RELEASE_AGAIN = "build the dataset again and release it as a new version";
const MEND_STAGE = "mend the stage that made it, build again and release as a new version";

/** Every code that validation, the gate and the audit use. */
export const FINDING_CODES = {
  // The files themselves.
  file_changed: { means: "a file is not what SHA256SUMS says", remedy: TAKE_AGAIN },
  file_missing: { means: "a file that SHA256SUMS lists is not there", remedy: TAKE_AGAIN },
  file_unlisted: { means: "a file is there and not in SHA256SUMS", remedy: TAKE_AGAIN },
  file_misread: { means: "a line of SHA256SUMS is no hash and file name of its own", remedy: TAKE_AGAIN },
  file_kind: {
    means: "an entry is a link, a pipe or another thing that is no plain file or folder",
    remedy: "take it out: a release holds plain files and points at nothing outside itself",
  },
  not_utf8: { means: "a text file holds bytes that are no UTF-8", remedy: TAKE_AGAIN },
  line_too_long: { means: "a line is longer than any of ours can be", remedy: TAKE_AGAIN },
  unreadable: { means: "a file cannot be read as what it should be", remedy: TAKE_AGAIN },
  not_checked: {
    means: "something could not be looked at, so nothing is said about it",
    remedy: "remove the cause that the message names and audit again",
  },
  // What the files say of themselves.
  manifest: { means: "the manifest and what is here differ, or it breaks its schema", remedy: TAKE_AGAIN },
  zone: { means: "a zone is where the manifest says it is not, or the other way round", remedy: TAKE_AGAIN },
  lock: { means: "the lock breaks its schema", remedy: TAKE_AGAIN },
  schema: { means: "a record breaks the record's schema", remedy: MEND_STAGE },
  schema_version: {
    means: "a record's schema version is one that this ambitab does not read",
    remedy: "use the version of ambitab that wrote it",
  },
  dataset_unknown: {
    means: "a record is of a dataset that this ambitab does not know",
    remedy: "use the program that made it, or register the dataset",
  },
  source_differs: {
    means: "a record names another source than the one that its dataset is made from",
    remedy: MEND_STAGE,
  },
  split: { means: "a record stands in another split's file than it says", remedy: RELEASE_AGAIN },
  statement: {
    means: "the in-toto statement does not name the release's files with their hashes",
    remedy: "take the release again from where it was published, or write it anew from its builds",
  },
  card: {
    means: "the card or its metadata names a file, hash or count that is not the release's",
    remedy: RELEASE_AGAIN,
  },
  // Accounts: what became of every source row.
  drop_schema: { means: "a dropped row breaks its schema", remedy: MEND_STAGE },
  drop_reason: { means: "a row was dropped for a reason that has no code", remedy: MEND_STAGE },
  funnel: { means: "the funnel does not add up, or breaks its schema", remedy: RELEASE_AGAIN },
  ledger: { means: "the ledger breaks its schema or does not account for a row", remedy: RELEASE_AGAIN },
  lineage: {
    means: "a record, ledger line or file is not what the build's lock and ledger say",
    remedy: RELEASE_AGAIN,
  },
  lineage_row: {
    means: "a record names another source row than the ledger does",
    remedy: RELEASE_AGAIN,
  },
  // Lineage to the sources, where they are there.
  source_absent: {
    means: "the source is not here, so its rows were not read again",
    remedy: "name a copy with --from SOURCE=DIR, or bring one in with ambitab fetch",
  },
  source_changed: {
    means: "a file of the source is another than the one the build read",
    remedy: "name the copy that the build was made from, or build again from this one",
  },
  source_row_missing: {
    means: "the ledger names a source row that the source does not have",
    remedy: "name the copy that the build was made from; if it is this one, build again",
  },
  source_row_changed: {
    means: "the source row has another content than the recorded hash says",
    remedy: "name the copy that the build was made from; if it is this one, build again",
  },
  source_row_moved: {
    means: "the recorded content stands at another row of the source",
    remedy: "name the copy that the build was made from; if it is this one, build again",
  },
  source_row_unaccounted: {
    means: "the source has a row that no ledger line accounts for",
    remedy: "build without --limit; a row that is left out must be in the ledger as dropped",
  },
  // Records against the rules of spec 1.
  record_id_twice: { means: "two records have one id", remedy: MEND_STAGE },
  avt_differs: { means: "readings of one AVT differ in request or terms", remedy: MEND_STAGE },
  term_empty: { means: "a term has no word or number", remedy: MEND_STAGE },
  terms_equal: { means: "two terms of a record are one after normalisation", remedy: MEND_STAGE },
  resolution_empty: { means: "an ambiguity that counts has no resolution", remedy: MEND_STAGE },
  response_empty: { means: "an ambiguity that counts has no response", remedy: MEND_STAGE },
  needs_review: {
    means: "a frozen response waits for a person",
    remedy: "review it in the response catalogue and build again",
  },
  term_not_in_request: {
    means: "a term's words do not stand in the request",
    remedy: "none is needed: askers have to find it by the schema or the knowledge",
  },
  names_reading: {
    means: "the request names an alternative or a resolution verbatim",
    remedy: "build with --strict-readings to drop such rows",
  },
  // The gate of a release only.
  version: {
    means: "the version does not step far enough from the release before it, by semantic versioning",
    remedy: "name the version that the message tells, or a higher one",
  },
  // Execution.
  database: { means: "a database is missing, damaged or does not load", remedy: TAKE_AGAIN },
  reference_fails: { means: "a reference SQL does not run", remedy: MEND_STAGE },
  reference_empty: {
    means: "a reference SQL returns no rows",
    remedy:
      "drop such rows (empty_result); where the source takes an empty result for an answer, none is needed",
  },
  reference_run: {
    means: "the verifier does not call a reference SQL, run again, a match with itself",
    remedy: MEND_STAGE,
  },
  reference_unproven: {
    means: "the ledger records no run of a record's reference SQL: it is another than the one that was built",
    remedy: RELEASE_AGAIN,
  },
  result_changed: {
    means: "a reference SQL gives other rows than the ledger recorded when the record was built",
    remedy:
      "take the release again; if it is whole, the SQLite that reads it gives rows in another order than the build's",
  },
  alternative_fails: { means: "an alternative reading does not run", remedy: MEND_STAGE },
  alternative_equal: {
    means: "an alternative reading gives the reference's result, so no answer tells them apart",
    remedy: MEND_STAGE,
  },
  clock_dependent: {
    means: "a SQL reads the clock or draws at random: its result is another tomorrow",
    remedy: "pin the time in the SQL, or read scores of the record with care",
  },
  tie_under_limit: {
    means: "LIMIT cuts through rows that ORDER BY does not tell apart, and which are kept changes the result",
    remedy: "a right answer may keep other rows of the tie: order by more, or read its score with care",
  },
  limit_without_order: {
    means: "LIMIT without ORDER BY keeps rows that nothing chooses, and which are kept changes the result",
    remedy: "any rows would be right: order them, or read the record's score with care",
  },
  order_not_decided: {
    means: "the order is compared, and ORDER BY leaves rows in an order that nothing decides",
    remedy: "order by more, or compare without order",
  },
  row_order_dependent: {
    means:
      "the result changes with the order in which tables are read: a column beside GROUP BY, joined text, or a choice of rows",
    remedy: "say which row is meant, or read the record's score with care",
  },
  float_order: {
    means: "the last digits of a sum change with the order in which rows are read",
    remedy: "round the sum, or compare with a tolerance",
  },
  // Private text in public places.
  public_leak: {
    means: "a private text stands in its record's public zone, exactly or but for case and white space",
    remedy: MEND_STAGE,
  },
  near_leak: {
    means: "most of a private text's wording stands in its record's public zone",
    remedy: MEND_STAGE,
  },
  hint_in_column_meanings: {
    means: "upstream's own column description holds a withheld hint",
    remedy: "none is needed: it is upstream's text; a release could only lose it with the record",
  },
  near_hint: {
    means: "upstream's own question, description or knowledge has most of a withheld hint's wording",
    remedy: "read it: if it tells what is withheld, take the row out with a reviewed correction",
  },
  database_leak: {
    means: "a private text stands in a database that an agent may query: in a cell, a name or a comment",
    remedy: "take the text out of the database, build again and release as a new version",
  },
  shared_leak: {
    means: "a private text stands in a file or file name that everybody reads",
    remedy: "take the text out and release as a new version",
  },
  readings_told_apart: {
    means: "readings of one AVT differ in their public zones, or stand in different splits or slices",
    remedy: MEND_STAGE,
  },
  reading_in_id: {
    means: "a record's id or its database's name spells the reading",
    remedy: "draw the suffix per AVT by a seeded permutation, and build again",
  },
  guessable: {
    means: "ids, order, lengths or schema positions tell the hidden reading better than chance",
    remedy: "draw the order or position anew for each AVT, and build again",
  },
  // Licences.
  licence: {
    means: "the manifest's licence, attribution or redistribution is not the source's",
    remedy: "write the release again: the terms come from the source's manifest",
  },
  attribution: {
    means: "a source that is redistributed is not credited, or its licence's text is not with it",
    remedy: "write the release again: LICENSES.md and licences/ are made with it",
  },
  redistribution: {
    means:
      "a release that leaves things out for its sources' terms holds something that they keep from publication",
    remedy: "write the release again with --publishable, and do not publish this one",
  },
  recipe: {
    means: "records without ground truth have no recipe to merge one by, or one that does not fit them",
    remedy: "write the release again with --publishable",
  },
  responses: {
    means: "a response archive cannot be read, or goes with private zones that are not here",
    remedy: "write the release again",
  },
  // A run's prompts.
  run: { means: "run.json breaks its schema", remedy: "run the evaluation again" },
  episode: { means: "an episode breaks its schema", remedy: "run the evaluation again with --resume" },
  prompt: { means: "a logged prompt breaks its schema", remedy: "run the evaluation again with --resume" },
  run_suite: {
    means: "the run was made on another release",
    remedy: "audit the release that run.json names with this run",
  },
  prompt_leak: {
    means: "a prompt to an asker or solver holds private text that nobody was entitled to put there",
    remedy: "do not use the run's scores; mend what wrote the prompt and run again",
  },
  oracle_told: {
    means: "the oracle's model said a private text in an answer",
    remedy: "none is needed: the leakage diagnostics measure it (ambitab diagnose)",
  },
  prompt_changed: { means: "a logged prompt is not what its hash says", remedy: "run the evaluation again" },
  prompt_unclaimed: {
    means: "a logged prompt belongs to no finished episode",
    remedy: "resume the run to finish the episode",
  },
  prompt_missing: {
    means: "an episode names a prompt that the log does not hold",
    remedy: "run the evaluation again",
  },
} as const satisfies Record<string, CodeMeaning>;

export type FindingCode = keyof typeof FINDING_CODES;
