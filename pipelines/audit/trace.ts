import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { readJsonl } from "../record/jsonl.js";
import type { DatasetFolder } from "../record/suite.js";

/** One source row's way through a build, with the records that came of it. */
export interface Traced {
  dataset: string;
  folder: string;
  entry: LedgerEntry;
  records: TaskRecord[];
}

/** The text as it would stand inside a JSON string, for looking at a line before parsing it. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** `row-17` of the rows whose keys begin with `within`. */
interface RowPosition {
  within: string;
  row: number;
}

/**
 * Whether a ledger entry is what a person means: a record id, a row's key (`ambiqt/validation/3.singer.name`), the start
 * of keys at a dot (`ambiqt/validation/3`: all rows of that question), or a position in the file
 * (`ambiqt/validation/row-17`).
 */
function answers(entry: LedgerEntry, id: string, position: RowPosition | undefined): boolean {
  if (entry.key === id || entry.key.startsWith(`${id}.`) || entry.record_ids.includes(id)) return true;
  // A dataset may read several files; the part before the position says which ("ew-bird/dev/row-17").
  return (
    position !== undefined && entry.origin.row === position.row && entry.key.startsWith(`${position.within}/`)
  );
}

/**
 * Finds rows or records by id in builds, forwards (a source row: which records came of it, or why none) and backwards
 * (a record: which row it came from). Reads the ledger alone, line by line.
 */
export async function trace(datasets: readonly DatasetFolder[], id: string): Promise<Traced[]> {
  const found: Traced[] = [];
  const [, within = "", digits] = /^(.*)\/row-(\d+)$/.exec(id) ?? [];
  const position = digits === undefined ? undefined : { within, row: Number(digits) };
  for (const source of datasets) {
    const { dataset, folder } = source;
    if (!id.startsWith(`${dataset}/`)) continue;
    const needle = position === undefined ? inJson(id) : `"row":${position.row},`;
    const ledger = readJsonl<LedgerEntry>(source.ledger, {
      where: (line) => line.includes(needle),
    });
    for await (const { value: entry } of ledger) {
      if (answers(entry, id, position)) found.push({ dataset, folder, entry, records: [] });
    }
    const wanted = new Map(
      found.flatMap((one) => one.entry.record_ids.map((record) => [record, one] as const)),
    );
    if (wanted.size === 0) continue;
    const needles = found.map(({ entry }) => inJson(entry.key));
    const records = source.records((line) => needles.some((one) => line.includes(one)));
    for await (const { record } of records) wanted.get(record.record_id)?.records.push(record);
  }
  return found;
}
