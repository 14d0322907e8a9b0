/** Whether the source rows that a release names are there, with the content that it recorded, by the source's own reader. */
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import { PIPELINES } from "../datasets/index.js";
import type { BadRow, Pipeline, SourceStream } from "../engine/pipeline.js";
import type { BuildSettings, Item } from "../engine/stage.js";
import { SourceError, SourceErrors, UserError } from "../errors.js";
import { readJsonl } from "../record/jsonl.js";
import type { DatasetFolder, Suite } from "../record/suite.js";
import type { Checks } from "./checks.js";
import { error, type Finding, info, warning } from "./finding.js";
import { readChecked } from "./unreadable.js";

const CHECK = "ledger rows read again in the source";
const RECORD_CHECK = "records' own rows read again in the source";

/** A row that the ledger, or a record, names. */
interface Expected {
  sha256: string;
  /** Who names it: a ledger line and its key, or a record. */
  named_by: string;
  ledger: boolean;
}

const rowKey = (file: string, row: number): string => `${file}, row ${row}`;

/** Rows of the ledger, and those of records that have one of their own beside their ledger line's. */
async function expectedRows(dataset: DatasetFolder): Promise<Map<string, Expected>> {
  const rows = new Map<string, Expected>();
  for await (const { value, line } of readJsonl<LedgerEntry>(dataset.ledger)) {
    const { file, row, row_sha256 } = value.origin;
    const named_by = `ledger/${dataset.dataset}.jsonl, line ${line} (${value.key})`;
    rows.set(rowKey(file, row), { sha256: row_sha256, named_by, ledger: true });
  }
  for await (const { record } of dataset.partialRecords()) {
    if (record.provenance === undefined) continue;
    const { file, row, row_sha256 } = record.provenance;
    const key = rowKey(file, row);
    if (!rows.has(key)) rows.set(key, { sha256: row_sha256, named_by: record.record_id, ledger: false });
  }
  return rows;
}

/** Rows that a source's reader keeps inside of an item: the readings of a question, each a row of its own. */
function* innerRows(value: unknown, file: string): Generator<{ at: string; sha256: string }> {
  if (Array.isArray(value)) for (const one of value) yield* innerRows(one, file);
  else if (value !== null && typeof value === "object") {
    const { row, row_sha256 } = value as { row?: unknown; row_sha256?: unknown };
    if (typeof row === "number" && typeof row_sha256 === "string")
      yield { at: rowKey(file, row), sha256: row_sha256 };
    for (const one of Object.values(value)) yield* innerRows(one, file);
  }
}

/** Opens the source as the build did. Predictions that stood in for models decide no row, so they are not asked for. */
function openLikeBuild(pipeline: Pipeline, lock: BuildLock, root: string): Promise<SourceStream<unknown>> {
  const { probe: _, ...settings } = lock.settings as Partial<BuildSettings>;
  return pipeline.open(root, settings as BuildSettings, lock.source_version, {});
}

/** Files that the build read and that are not in this copy, or are others. */
function changedInputs(name: string, lock: BuildLock, inputs: Readonly<Record<string, string>>): Finding[] {
  return Object.entries(lock.inputs).flatMap(([file, sha256]) => {
    const now = inputs[file];
    if (now === sha256) return [];
    const message = `${name}: ${now === undefined ? "is not in this copy of the source" : `has the sha256 ${now}, the build read one with ${sha256}`}`;
    return [error("source_changed", file, message)];
  });
}

/** Every row of an item with the hash of what is there now; empty for one that cannot be read. The item's own is first. */
function rowsOf(item: Item<unknown> | BadRow): { at: string; sha256: string }[] {
  if ("bad" in item) return [{ at: rowKey(item.bad.place.file, item.row), sha256: "" }];
  const { file, row, row_sha256 } = item.origin;
  return [{ at: rowKey(file, row), sha256: row_sha256 }, ...innerRows(item.value, file)];
}

/** A named row that is not as it was recorded; `now` undefined: the source has none there. */
interface Wrong {
  at: string;
  row: Expected;
  now: string | undefined;
}

function wrongFinding({ at, row, now }: Wrong, elsewhere: string | undefined): Finding {
  const { named_by, sha256 } = row;
  if (elsewhere !== undefined)
    return error("source_row_moved", at, `${named_by} names this row; its content is at ${elsewhere}`);
  if (now === undefined)
    return error("source_row_missing", at, `${named_by} names this row, and the source has none`);
  const has = now === "" ? "cannot be read" : `has the sha256 ${now}`;
  return error("source_row_changed", at, `${named_by} recorded the sha256 ${sha256}; the row ${has}`);
}

/** Compares every row of the source with those that are named. */
async function compareRows(
  dataset: DatasetFolder,
  lock: BuildLock,
  stream: SourceStream<unknown>,
  checks: Checks,
): Promise<Finding[]> {
  const expected = await expectedRows(dataset);
  const wrong: Wrong[] = [];
  const places = new Map<string, string>();
  const findings: Finding[] = [];
  const unlimited = (lock.settings as Partial<BuildSettings>).limit === null;
  for await (const item of stream.items()) {
    for (const [index, { at, sha256 }] of rowsOf(item).entries()) {
      if (sha256 !== "") places.set(sha256, at);
      const row = expected.get(at);
      expected.delete(at);
      if (row !== undefined) checks.add(row.ledger ? CHECK : RECORD_CHECK);
      if (row !== undefined && row.sha256 !== sha256) wrong.push({ at, row, now: sha256 });
      // Rows inside an item are no items: the ledger has no line for them.
      if (row?.ledger !== true && index === 0 && unlimited)
        findings.push(error("source_row_unaccounted", at, `${dataset.dataset}: no ledger line has this row`));
    }
  }
  for (const [at, row] of expected) wrong.push({ at, row, now: undefined });
  return [...findings, ...wrong.map((one) => wrongFinding(one, places.get(one.row.sha256)))];
}

/** What happens to be here may be another copy than the build's, which is no fault of the release. */
function anotherCopy(
  { dataset }: DatasetFolder,
  { source }: BuildLock,
  why: string,
  checks: Checks,
): Finding {
  checks.leftOut(CHECK, `${dataset}: ${source} is here as another copy than the build's`);
  return warning(
    "source_changed",
    source,
    `${dataset}: the copy that was brought in is not the build's: ${why}`,
  );
}

async function checkDataset(
  dataset: DatasetFolder,
  lock: BuildLock,
  { root, named }: SourceCopy,
  checks: Checks,
): Promise<Finding[]> {
  const pipeline = await PIPELINES.find((one) => one.dataset === dataset.dataset)?.load();
  if (pipeline === undefined) return [];
  try {
    const stream = await openLikeBuild(pipeline, lock, root);
    const changed = changedInputs(dataset.dataset, lock, stream.inputs);
    if (changed.length > 0 && !named)
      return [anotherCopy(dataset, lock, `${changed.length} files differ`, checks)];
    return [...changed, ...(await compareRows(dataset, lock, stream, checks))];
  } catch (cause) {
    // The copy cannot be read as the source that the build read: that is what was asked.
    if (!(cause instanceof UserError || cause instanceof SourceError || cause instanceof SourceErrors))
      throw cause;
    return named
      ? [error("source_changed", lock.source, `${dataset.dataset}: ${cause.message}`)]
      : [anotherCopy(dataset, lock, cause.message, checks)];
  }
}

/** A copy of a source: its folder, and whether a person named it as the one that the build read. */
export interface SourceCopy {
  root: string;
  named: boolean;
}

/**
 * Where a source is here. Throws a UserError where what was brought in has changed since: that is a finding.
 */
export type SourceRoot = (source: string) => Promise<SourceCopy | undefined> | SourceCopy | undefined;

/**
 * Reads every row of the sources again and compares it with what the ledger recorded; a release whose records agree with
 * its ledger (`checkAccounts`) is so traced to the sources' bytes.
 *
 * @param rootOf is asked for the release's own sources alone
 */
export async function checkSourceRows(suite: Suite, rootOf: SourceRoot, checks: Checks): Promise<Finding[]> {
  const findings: Finding[] = [];
  const whole = suite.datasets.filter(({ zones }) => zones.includes("provenance"));
  if (whole.length === 0) {
    checks.leftOut(CHECK, "the release has no provenance zone");
    return findings;
  }
  const locks = await readChecked<Record<string, BuildLock>>(findings, suite.path, "lock.json", "lock", {
    each: true,
  });
  // A lock that cannot be read is a finding of the audit proper already.
  if (locks === undefined) return [];
  const absent = new Map<string, string[]>();
  for (const dataset of whole) {
    const lock = locks[dataset.dataset];
    if (lock === undefined) continue;
    try {
      const copy = await rootOf(lock.source);
      if (copy === undefined) absent.set(lock.source, [...(absent.get(lock.source) ?? []), dataset.dataset]);
      else findings.push(...(await checkDataset(dataset, lock, copy, checks)));
    } catch (cause) {
      if (!(cause instanceof UserError)) throw cause;
      findings.push(anotherCopy(dataset, lock, cause.message, checks));
    }
  }
  if (absent.size > 0) {
    const sources = [...absent.keys()].sort();
    const message = `not here, so the rows of ${[...absent.values()].flat().sort().join(", ")} were not read again`;
    findings.push(info("source_absent", sources.join(", "), message));
    checks.leftOut(CHECK, `${sources.join(", ")} not here`);
  }
  return findings;
}
