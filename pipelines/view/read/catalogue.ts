/**
 * What a build or release holds, as an index: of each record its id, its names, its request for searching, and where its
 * lines stand. The rest stays on disk and is read when a page shows it.
 */
import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { SourceError } from "../../errors.js";
import type { DatasetFolder, Suite } from "../../record/suite.js";
import { ZONES, type Zone } from "../../record/zones.js";
import { type LinePlace, parseLine, scanLines, textOf } from "./lines.js";

/** A file that holds lines of some zones. */
interface ZoneFile {
  readonly zones: readonly Zone[];
  readonly path: string;
}

/** The files that hold one dataset's records, or one split of them, in the same order. */
interface Shard {
  readonly folder: DatasetFolder;
  readonly files: readonly ZoneFile[];
}

/** A record as lists and filters see it. */
export interface Entry {
  readonly record_id: string;
  readonly avt_id: string;
  readonly dataset: string;
  readonly split: string;
  readonly database_id: string;
  readonly engine: string;
  /** Kinds of its ambiguities; empty where the oracle zone is not here. */
  readonly kinds: readonly string[];
  readonly terms: readonly string[];
  /** Cut where it is long. */
  readonly request: string;
  /** Id, request, terms and database, folded. */
  readonly search: string;
  readonly shard: Shard;
  /** In the order of the shard's files. */
  readonly places: readonly LinePlace[];
}

/** A line that could not be read when the index was made. */
export interface BrokenLine {
  readonly dataset: string;
  readonly why: string;
}

export interface Catalogue {
  readonly suite: Suite;
  readonly entries: readonly Entry[];
  readonly broken: readonly BrokenLine[];
  /** Positions in `entries`. */
  readonly byId: ReadonlyMap<string, number>;
  readonly byAvt: ReadonlyMap<string, readonly number[]>;
  /** A file's path as messages name it. */
  shown(path: string): string;
}

/** Text as it is searched: compatibility forms and case do not matter. */
export const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

/** A request is shown so long in lists. */
const SHOWN = 400;

function shardsOf(folder: DatasetFolder): Shard[] {
  if (folder.kind === "build")
    return [{ folder, files: [{ zones: ZONES, path: join(folder.folder, "records.jsonl") }] }];
  const zoneFile = (zone: Zone, split: string): string => join(folder.folder, zone, folder.dataset, split);
  const splits = readdirSync(join(folder.folder, "public", folder.dataset))
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
  return splits.map((split) => ({
    folder,
    files: ZONES.map((zone) => ({ zones: [zone], path: zoneFile(zone, split) })).filter(({ path }) =>
      existsSync(path),
    ),
  }));
}

/** What the index reads of a line. A broken line of a private zone is met again, and told, when its record is opened. */
type IndexedLine = Pick<TaskRecord, "record_id" | "avt_id" | "dataset" | "split" | "public"> &
  Partial<Pick<TaskRecord, "oracle">>;

async function indexShard(
  shard: Shard,
  shown: (path: string) => string,
  entries: Entry[],
  broken: BrokenLine[],
): Promise<void> {
  const { dataset } = shard.folder;
  const places: LinePlace[][] = [];
  const oracles: (TaskRecord["oracle"] | undefined)[] = [];
  const others = shard.files.filter(({ zones }) => !zones.includes("public"));
  for (const { zones, path } of others) {
    const own: LinePlace[] = [];
    await scanLines(path, (bytes, place) => {
      own.push(place);
      if (!zones.includes("oracle")) return;
      try {
        oracles.push(parseLine<Pick<TaskRecord, "oracle">>(bytes, shown(path), place.line).oracle);
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        oracles.push(undefined);
        broken.push({ dataset, why: error.message });
      }
    });
    places.push(own);
  }
  const open = shard.files.find(({ zones }) => zones.includes("public"));
  if (open === undefined) return;
  let at = -1;
  await scanLines(open.path, (bytes, place) => {
    at += 1;
    try {
      const line = parseLine<IndexedLine>(bytes, shown(open.path), place.line);
      if (typeof line.record_id !== "string")
        throw new SourceError(
          { file: shown(open.path), line: place.line },
          "expected a record_id, found none",
        );
      const { record_id } = line;
      const told = (line.oracle ?? oracles[at])?.ambiguities;
      const ambiguities = Array.isArray(told) ? told : [];
      const terms = ambiguities.map((one) => textOf(one?.term));
      const request = textOf(line.public?.request);
      const database = line.public?.database;
      entries.push({
        record_id,
        avt_id: textOf(line.avt_id),
        dataset,
        split: textOf(line.split),
        database_id: textOf(database?.database_id),
        engine: textOf(database?.engine),
        kinds: [...new Set(ambiguities.map((one) => textOf(one?.kind)))],
        terms,
        request: request.length > SHOWN ? `${request.slice(0, SHOWN)}…` : request,
        search: folded([record_id, request, ...terms, textOf(database?.database_id)].join("\n")),
        shard,
        places: shard.files.map((file) => {
          const other = others.indexOf(file);
          return other < 0 ? place : (places[other]?.[at] ?? { line: place.line, offset: 0, length: 0 });
        }),
      });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      broken.push({ dataset, why: error.message });
    }
  });
}

/** Indexes a build or release. Lines that cannot be read are listed and the others are shown. */
export async function openCatalogue(suite: Suite): Promise<Catalogue> {
  const entries: Entry[] = [];
  const broken: BrokenLine[] = [];
  const shown = (path: string): string => relative(suite.path, path);
  for (const folder of suite.datasets)
    for (const shard of shardsOf(folder)) await indexShard(shard, shown, entries, broken);
  const byId = new Map<string, number>();
  const byAvt = new Map<string, number[]>();
  for (const [at, { record_id, avt_id }] of entries.entries()) {
    byId.set(record_id, at);
    const others = byAvt.get(avt_id);
    if (others === undefined) byAvt.set(avt_id, [at]);
    else others.push(at);
  }
  return {
    suite,
    entries,
    broken,
    byId,
    byAvt,
    shown,
  };
}

/** Whether more is here than what an agent may read. */
export const holdsPrivate = ({ datasets }: Suite): boolean => datasets.some(({ zones }) => zones.length > 1);

/** The record of an id. */
export function entryOf({ byId, entries }: Catalogue, id: string): Entry | undefined {
  const at = byId.get(id);
  return at === undefined ? undefined : entries[at];
}
