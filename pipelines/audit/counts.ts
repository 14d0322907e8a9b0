import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import type { TaskRecord } from "../../schemas/types/record.js";

/** What a manifest counts of a dataset. */
export type Counts = Pick<
  ReleaseManifest["datasets"][string],
  "records" | "avts" | "ambiguities" | "databases" | "splits"
>;

/** Counts one dataset's records, for writing a manifest and for checking one. */
export class RecordCounts {
  readonly #avts = new Set<string>();
  readonly #databases = new Set<string>();
  readonly #splits = new Map<string, number>();
  #records = 0;
  #ambiguities = 0;

  /** @param record without its oracle zone it adds nothing to the ambiguities */
  add(record: Pick<TaskRecord, "avt_id" | "split" | "public"> & Partial<Pick<TaskRecord, "oracle">>): void {
    this.#records += 1;
    this.#ambiguities += record.oracle?.ambiguities.filter(({ counts }) => counts).length ?? 0;
    this.#avts.add(record.avt_id);
    this.#databases.add(record.public.database.database_id);
    this.#splits.set(record.split, (this.#splits.get(record.split) ?? 0) + 1);
  }

  /** The counts so far; splits sorted by name. */
  counts(): Counts {
    return {
      records: this.#records,
      avts: this.#avts.size,
      ambiguities: this.#ambiguities,
      databases: this.#databases.size,
      splits: Object.fromEntries([...this.#splits].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }
}
