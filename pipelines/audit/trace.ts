import { existsSync } from "node:fs";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import { UserError } from "../errors.js";
import { readJsonl } from "../record/jsonl.js";
import { inJson, searchJsonl, stringFrom } from "../record/line-search.js";
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

/** What a person may mean by an id in one dataset: how its line is found, and which entries it is. */
interface Meaning {
  needle: string;
  accepts?: (bytes: Buffer, after: number) => boolean;
  isMeant(entry: LedgerEntry): boolean;
}

const QUOTE = 0x22;
/** Behind a key's part: the key ends, goes on with a coordinate (`.`), or a record's number follows (`#`). */
const ENDS: readonly (number | undefined)[] = [QUOTE, 0x2e, 0x23];

/** Whether the line around `at` holds the text. */
function lineHolds(bytes: Buffer, at: number, text: Buffer): boolean {
  const end = bytes.indexOf(0x0a, at);
  const start = bytes.lastIndexOf(0x0a, at) + 1;
  return bytes.subarray(start, end < 0 ? bytes.length : end).includes(text);
}

const rowText = (row: number): Buffer => Buffer.from(`"row":${row},`);

/** A record, a request or a row by name: `id` itself, keys that go on with a coordinate, ids that go on with a number. */
const named = (id: string): Meaning => ({
  needle: `"${inJson(id)}`,
  accepts: (bytes, after) => ENDS.includes(bytes[after]),
  isMeant: ({ key, record_ids }) =>
    key === id ||
    key.startsWith(`${id}.`) ||
    record_ids.some((record) => record === id || record.startsWith(`${id}#`)),
});

/** A row by its position in a file of which the keys' beginning tells (`ambiqt/validation/row-17`). */
const placed = (within: string, row: number): Meaning => ({
  needle: `"key":"${inJson(within)}/`,
  accepts: (bytes, after) => lineHolds(bytes, after, rowText(row)),
  isMeant: ({ key, origin }) => origin.row === row && key.startsWith(`${within}/`),
});

/** A row by file and position, as `trace` prints them (`bird/train/train.json:17`). */
const inFile = (file: string, row: number): Meaning => ({
  needle: `"file":"${inJson(file)}",`,
  accepts: (bytes, after) => lineHolds(bytes, after, rowText(row)),
  isMeant: ({ origin }) => origin.row === row && origin.file === file,
});

function meanings(id: string): Meaning[] {
  const found = [named(id)];
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

async function entriesOf({ ledger }: DatasetFolder, id: string): Promise<LedgerEntry[]> {
  // By key, so that an entry that is meant in two ways is there once.
  const found = new Map<string, LedgerEntry>();
  for (const { needle, accepts, isMeant } of meanings(id)) {
    for await (const entry of searchJsonl<LedgerEntry>(ledger, needle, accepts))
      if (isMeant(entry)) found.set(entry.key, entry);
  }
  return [...found.values()];
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
 * Reads the ledger's bytes once or twice and parses only lines that may be meant.
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
  for (const { ledger } of datasets.filter((one) => existsSync(one.ledger))) {
    const take = (bytes: Buffer, after: number): false => {
      const id = stringFrom(bytes, after);
      if (id !== undefined) ids.add(id);
      return false;
    };
    // Nothing is accepted, so nothing is parsed.
    for await (const _ of searchJsonl(ledger, '{"key":"', take));
    const takeRecords = (bytes: Buffer, after: number): false => {
      for (let at = after; bytes[at - 1] === QUOTE; ) {
        const id = stringFrom(bytes, at);
        if (id === undefined) break;
        ids.add(id);
        at += Buffer.byteLength(inJson(id)) + '","'.length;
      }
      return false;
    };
    for await (const _ of searchJsonl(ledger, '"record_ids":["', takeRecords));
  }
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
