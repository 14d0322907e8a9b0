import { existsSync } from "node:fs";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { UserError } from "../errors.js";
import { readJsonl } from "../record/jsonl.js";
import { inJson, type Needle, searchJsonl, stringFrom } from "../record/line-search.js";
import type { DatasetFolder } from "../record/suite.js";
import type { JoinedRecord } from "../record/zones.js";
import { nearestTo } from "./nearest-names.js";

/** One source row's way through a build, with the records that came of it. */
export interface Traced {
  dataset: string;
  folder: string;
  entry: LedgerEntry;
  /** In the order of the file, as far as the zones that are here tell them. */
  records: JoinedRecord[];
}

/** What a person may mean by an id in one dataset: how its line in the ledger is found, and which entries it is. */
interface Meaning extends Needle {
  isMeant(entry: LedgerEntry): boolean;
}

/** A row by where it stands: its number, and what tells the file. */
interface Position extends Meaning {
  readonly row: number;
  /** Whether a record was made of the row. */
  isOf(record: Pick<TaskRecord, "record_id" | "provenance">): boolean;
}

const QUOTE = 0x22;
/** Behind a key's part: the key ends, goes on with a coordinate (`.`), or a record's number follows (`#`). */
const ENDS: readonly (number | undefined)[] = [QUOTE, 0x2e, 0x23];

const rowText = (row: number): string => `"row":${row},"row_sha256":"`;

/** An entry of a row's position whose line begins with some text: key, dataset, source and file stand before the row. */
const atRow = (row: number, before: string): Needle => {
  const beginning = Buffer.from(before);
  return {
    text: rowText(row),
    accepts: (bytes, after) => bytes.subarray(bytes.lastIndexOf(0x0a, after) + 1, after).includes(beginning),
  };
};

/** A record, a request or a row by name: `id` itself, keys that go on with a coordinate, ids that go on with a number. */
const named = (id: string): Meaning => ({
  text: `"${inJson(id)}`,
  accepts: (bytes, after) => ENDS.includes(bytes[after]),
  isMeant: ({ key, record_ids }) =>
    key === id ||
    key.startsWith(`${id}.`) ||
    record_ids.some((record) => record === id || record.startsWith(`${id}#`)),
});

/** A row by its position in a file of which the keys' beginning tells (`ambiqt/validation/row-17`). */
const placed = (within: string, row: number): Position => ({
  ...atRow(row, `{"key":"${inJson(within)}/`),
  row,
  isMeant: ({ key, origin }) => origin.row === row && key.startsWith(`${within}/`),
  isOf: ({ record_id, provenance }) => provenance.row === row && record_id.startsWith(`${within}/`),
});

/** A row by file and position, as `trace` prints them (`bird/train/train.json:17`). */
const inFile = (file: string, row: number): Position => ({
  ...atRow(row, `"file":"${inJson(file)}",`),
  row,
  isMeant: ({ origin }) => origin.row === row && origin.file === file,
  isOf: ({ provenance }) => provenance.row === row && provenance.file === file,
});

function positions(id: string): Position[] {
  const found: Position[] = [];
  const [, within, position] = /^(.*)\/row-(\d{1,15})$/.exec(id) ?? [];
  if (within !== undefined) found.push(placed(within, Number(position)));
  const [, file, row] = /^[^/]+\/(.*):(\d{1,15})$/.exec(id) ?? [];
  if (file !== undefined) found.push(inFile(file, Number(row)));
  return found;
}

/** The source that a dataset is made of, by its ledger's first line; undefined where that is empty. */
async function sourceOf({ ledger }: DatasetFolder): Promise<string | undefined> {
  for await (const { value } of readJsonl<LedgerEntry>(ledger)) return value.source;
  return undefined;
}

/**
 * The id as this dataset would write it; undefined where it is about another. A source's coordinate (`bird/train/12`) is
 * the row's in each dataset that is made of the source; a record's id belongs to one.
 */
async function idWithin(dataset: DatasetFolder, id: string): Promise<string | undefined> {
  const [first = "", ...rest] = id.split("/");
  if (rest.length === 0) return undefined;
  if (first === dataset.dataset) return id;
  if (/#\d+$/.test(id) || (await sourceOf(dataset)) !== first) return undefined;
  return [dataset.dataset, ...rest].join("/");
}

function ledgerOf(dataset: DatasetFolder): DatasetFolder {
  if (existsSync(dataset.ledger)) return dataset;
  throw new UserError(
    `${dataset.folder} has no ledger of ${dataset.dataset}, which tells where records come from`,
    {
      remedy: "a public-only release leaves it out: name the whole release, or the build, with --path",
    },
  );
}

async function entriesThatAre({ ledger }: DatasetFolder, meant: readonly Meaning[]): Promise<LedgerEntry[]> {
  const found: LedgerEntry[] = [];
  for await (const entry of searchJsonl<LedgerEntry>(ledger, ...meant))
    if (meant.some((one) => one.isMeant(entry))) found.push(entry);
  return found;
}

/**
 * A source that tells one request in several rows (AMBROSIA: the question, then its readings) has an entry for the first;
 * the others are known by the records that were made of them.
 */
async function entriesByRecord(dataset: DatasetFolder, asked: readonly Position[]): Promise<LedgerEntry[]> {
  const ids = new Set<string>();
  for (const file of dataset.provenance) {
    const lines = searchJsonl<TaskRecord>(file, ...asked.map(({ row }) => ({ text: rowText(row) })));
    for await (const record of lines) if (asked.some((one) => one.isOf(record))) ids.add(record.record_id);
  }
  return ids.size === 0 ? [] : entriesThatAre(dataset, [...ids].map(named));
}

async function entriesOf(dataset: DatasetFolder, id: string): Promise<LedgerEntry[]> {
  const asked = positions(id);
  const found = await entriesThatAre(dataset, [named(id), ...asked]);
  return found.length > 0 || asked.length === 0 ? found : entriesByRecord(dataset, asked);
}

/**
 * Finds rows or records in builds or a release, forwards (a source row: which records came of it, or why none) and
 * backwards (a record: which row it came from). An id may be
 *
 * - a record's (`ambiqt/validation/3.singer.name#1`) or an AVT's, the same without its number: in some datasets the
 *   readings of a request come from several rows,
 * - a row's key, or its beginning up to a dot (`ambiqt/validation/3`: all rows of that question), with the dataset's or
 *   the source's name (`bird/train/12` is a row of EW-Bird and of AmbiTab-Bird),
 * - a position (`ambiqt/validation/row-17`), or file and position in the source (`bird/train/train.json:17`),
 * - what a record's provenance refers to (`ledger.jsonl#…`).
 *
 * Looks through the ledger's bytes and parses only lines that may be meant.
 *
 * @throws UserError where a dataset that is meant has no ledger here
 */
export async function trace(datasets: readonly DatasetFolder[], asked: string): Promise<Traced[]> {
  const id = asked.replace(/^ledger\.jsonl#/, "");
  const found: Traced[] = [];
  for (const source of datasets) {
    if (!existsSync(source.ledger) && !id.startsWith(`${source.dataset}/`)) continue;
    const within = await idWithin(ledgerOf(source), id);
    if (within === undefined) continue;
    const entries = await entriesOf(source, within);
    const records = await source.find(new Set(entries.flatMap(({ record_ids }) => record_ids)));
    const byId = new Map(records.map((record) => [record.record_id, record]));
    for (const entry of entries) {
      const own = entry.record_ids.flatMap((record) => byId.get(record) ?? []);
      found.push({ dataset: source.dataset, folder: source.folder, entry, records: own });
    }
  }
  return found;
}

/** Every row's key and record's id of the datasets, without parsing the ledgers. */
async function allIds(datasets: readonly DatasetFolder[]): Promise<Set<string>> {
  const ids = new Set<string>();
  /** Takes what stands between quotes from `after` on, and gives where the next text of a list would begin. */
  const take = (bytes: Buffer, after: number): number => {
    const id = stringFrom(bytes, after) ?? "";
    ids.add(id);
    return after + Buffer.byteLength(inJson(id)) + '","'.length;
  };
  // Nothing is accepted, so nothing is parsed.
  const keys: Needle = { text: '{"key":"', accepts: (bytes, after) => take(bytes, after) < 0 };
  const records: Needle = {
    text: '"record_ids":["',
    accepts(bytes, after) {
      for (let at = after; bytes[at - 1] === QUOTE; ) at = take(bytes, at);
      return false;
    },
  };
  for (const { ledger } of datasets.filter((one) => existsSync(one.ledger)))
    for await (const _ of searchJsonl(ledger, keys, records));
  return ids;
}

/** The ids that are most like a mistyped one, best first; none where nothing is. */
export async function nearestIds(
  datasets: readonly DatasetFolder[],
  typed: string,
  most = 3,
): Promise<string[]> {
  return nearestTo(typed, await allIds(datasets), most);
}
