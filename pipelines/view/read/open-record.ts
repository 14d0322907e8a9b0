import { SourceError } from "../../errors.js";
import { type JoinedRecord, ZONES, type Zone } from "../../record/zones.js";
import type { Entry } from "./catalogue.js";
import { readLineAt } from "./lines.js";

/** A record as far as its zones are here and can be read. */
export interface OpenedRecord {
  readonly entry: Entry;
  readonly record: JoinedRecord;
  /** Zones that are not shown, and why. */
  readonly absent: Partial<Record<Zone, string>>;
}

/** Reads the lines of a record again, zone by zone; what cannot be read is said and the rest is shown. */
export async function openRecord(entry: Entry, shown: (path: string) => string): Promise<OpenedRecord> {
  const { shard, places, record_id } = entry;
  const absent: Partial<Record<Zone, string>> = {};
  const parts: Partial<JoinedRecord>[] = [];
  for (const zone of ZONES) {
    if (!shard.files.some(({ zones }) => zones.includes(zone)))
      absent[zone] = `this copy of the release was given out without its ${zone} zone`;
  }
  for (const [at, { zones, path }] of shard.files.entries()) {
    const place = places[at] ?? { line: 0, offset: 0, length: 0 };
    const miss = (why: string): void => {
      for (const zone of zones) absent[zone] = why;
    };
    if (place.length === 0) {
      miss(`${shown(path)} ends before line ${place.line}`);
      continue;
    }
    try {
      const part = await readLineAt<Partial<JoinedRecord>>(path, place);
      if (part.record_id === record_id) parts.push(part);
      else miss(`${shown(path)}, line ${place.line} holds another record than when this view was started`);
    } catch (error) {
      if (error instanceof SourceError)
        miss(`${shown(path)}, line ${place.line} cannot be read: ${error.problem}`);
      else if ((error as NodeJS.ErrnoException).code === "ENOENT")
        miss(`${shown(path)} is not there any more`);
      else throw error;
    }
  }
  const record = Object.assign({}, ...parts) as JoinedRecord;
  for (const zone of ZONES) {
    if (absent[zone] === undefined && (record[zone] === null || typeof record[zone] !== "object"))
      absent[zone] = `its line has no ${zone} zone`;
  }
  return { entry, record, absent };
}
