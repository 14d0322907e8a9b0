import type { DroppedRow } from "../../schemas/types/dropped.js";
import type { LedgerEntry, LedgerStep } from "../../schemas/types/ledger.js";
import type { BadRow } from "./pipeline.js";
import type { Item, Outcome } from "./stage.js";

/** What one stage took and gave for one row, for the lock's hashes; folded in row order whatever ended first. */
export interface Trace {
  stage: number;
  input: string;
  outcome: string;
}

/** One source row on its way: its items now, its ledger entry so far, and what of it was dropped. */
export interface Passage {
  entry: LedgerEntry;
  items: Item<unknown>[];
  dropped: DroppedRow[];
  traces: Trace[];
}

/** Starts a row's passage. */
export function passageOf(dataset: string, source: string, item: Item<unknown>): Passage {
  const entry: LedgerEntry = {
    key: item.key,
    dataset: dataset,
    source,
    origin: item.origin,
    steps: [],
    record_ids: [],
  };
  return { entry, items: [item], dropped: [], traces: [] };
}

/** A row that could not be read goes straight to the drops. */
export function passageOfBadRow(
  dataset: string,
  source: string,
  file: { path: string; sha256: string },
  bad: BadRow,
): Passage {
  const detail = bad.bad.message;
  const entry: LedgerEntry = {
    key: bad.key,
    dataset: dataset,
    source,
    origin: { file: file.path, file_sha256: file.sha256, row: bad.row, row_sha256: "" },
    steps: [{ stage: "read", version: "1", outcome: "dropped", reason: "bad_row", detail }],
    record_ids: [],
  };
  const dropped = {
    key: bad.key,
    file: file.path,
    row: bad.row,
    row_sha256: "",
    stage: "read",
    reason: "bad_row",
    detail,
  };
  return { entry, items: [], dropped: [dropped], traces: [] };
}

/**
 * Writes a stage's outcome for one item into the passage and returns the items that go on.
 *
 * @param merge puts what was made back on the item
 */
export function applyOutcome(
  passage: Passage,
  item: Item<unknown>,
  stage: { name: string; version: string },
  outcome: Outcome<unknown>,
  merge: (made: unknown) => unknown,
): Item<unknown>[] {
  const step: LedgerStep = { stage: stage.name, version: stage.version, outcome: "kept" };
  if (item.key !== passage.entry.key) step.item = item.key;
  if (outcome.evidence !== undefined) step.evidence = outcome.evidence;
  passage.entry.steps.push(step);
  if ("dropped" in outcome) {
    Object.assign(step, { outcome: "dropped", ...outcome.dropped });
    const { file, row, row_sha256 } = passage.entry.origin;
    passage.dropped.push({ key: item.key, file, row, row_sha256, stage: stage.name, ...outcome.dropped });
    return [];
  }
  if (outcome.kept.length !== 1) step.outputs = outcome.kept.length;
  return outcome.kept.map((made, index) => ({
    key: outcome.kept.length === 1 ? item.key : `${item.key}~${index + 1}`,
    origin: item.origin,
    value: merge(made),
  }));
}
