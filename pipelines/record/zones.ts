import type { TaskRecord } from "../../schemas/types/record.js";
import { SourceError } from "../errors.js";
import { type JsonLine, readJsonl } from "./jsonl.js";

/** The zones of a record (spec 1), each a folder of a release: to hand out a benchmark, leave folders out. */
export const ZONES = ["public", "oracle", "verifier", "provenance"] as const;
export type Zone = (typeof ZONES)[number];

/** The line of the public zone: all that an agent may read, and what a reader needs to join the zones again. */
export type PublicLine = Pick<
  TaskRecord,
  "schema_version" | "record_id" | "avt_id" | "dataset" | "split" | "slices" | "public"
>;

/** The line of a private zone. */
export type PrivateLine<Z extends Exclude<Zone, "public">> = Pick<TaskRecord, "record_id" | Z>;

/** A record cut into its zones' lines. */
export function splitZones(record: TaskRecord): { [Z in Zone]: Partial<TaskRecord> & { record_id: string } } {
  const { record_id, oracle, verifier, provenance, ...open } = record;
  return {
    public: { record_id, ...open },
    oracle: { record_id, oracle },
    verifier: { record_id, verifier },
    provenance: { record_id, provenance },
  };
}

/** A record as far as the zones that are there tell it; which ones the reader asked for is its own business. */
export type JoinedRecord = PublicLine & Partial<Pick<TaskRecord, "oracle" | "verifier" | "provenance">>;

/**
 * Joins zone files of one dataset and split by record id. The files hold the same ids in the same order, so the join
 * streams; an id that differs is a `SourceError` with both places.
 *
 * @param files zone → path; `public` must be there
 */
export async function* joinZones(
  files: { public: string } & Partial<Record<Exclude<Zone, "public">, string>>,
): AsyncGenerator<{ record: JoinedRecord; line: number }> {
  const { public: open, ...rest } = files;
  const others = Object.entries(rest).map(([zone, path]) => ({
    zone,
    path,
    lines: readJsonl<Partial<TaskRecord>>(path),
  }));
  try {
    for await (const { line, value } of readJsonl<PublicLine>(open)) {
      const record: JoinedRecord = { ...value };
      for (const { path, lines } of others) {
        const next: IteratorResult<JsonLine<Partial<TaskRecord>>> = await lines.next();
        const place = { file: path, line };
        if (next.done === true) {
          throw new SourceError(
            place,
            `expected ${value.record_id} as in ${open}, found the end of the file`,
          );
        }
        if (next.value.value.record_id !== value.record_id) {
          throw new SourceError(
            place,
            `expected ${value.record_id} as in ${open}, found ${next.value.value.record_id}`,
          );
        }
        Object.assign(record, next.value.value);
      }
      yield { record, line };
    }
    for (const { path, lines } of others) {
      const next = await lines.next();
      if (next.done !== true) {
        throw new SourceError(
          { file: path, line: next.value.line },
          `has a record that ${open} does not have`,
        );
      }
    }
  } finally {
    for (const { lines } of others) await lines.return(undefined);
  }
}
