import type { Steward } from "./steward.js";

/** Why a statement was ended from outside. */
export type Stop = { outcome: "timeout" } | { outcome: "too_large"; what: "rows" | "bytes" | "disk" };

/** The server's own time-out is on time; when it has not ended a statement by then, it is ended from outside. */
const GRACE_MS = 400;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const WATCH_DISK_EVERY_MS = 250;

/** What a guard watches over: one statement at a time on one database. */
export interface Guarded {
  database: string;
  timeoutMs: number;
  /** Ends the statement and its session. */
  end(stop: Stop): void;
}

/**
 * Watches a running statement for what the server alone would not stop: SQL that takes back its own time limit or catches
 * its cancellation, and a database that grows out of all proportion, which must not fill the disk.
 */
export class Guard {
  readonly #steward: Steward;
  #startingSize: number | undefined;

  constructor(steward: Steward) {
    this.#steward = steward;
  }

  /** Watches until the returned function is called. */
  watch({ database, timeoutMs, end }: Guarded): () => void {
    // A program that was busy itself first reads what has arrived meanwhile: the statement may be done.
    const deadline = setTimeout(
      () => setImmediate(() => watching && end({ outcome: "timeout" })),
      Math.min(timeoutMs + GRACE_MS, LONGEST_TIMER_MS),
    );
    let watching = true;
    let asking = false;
    const disk = setInterval(async () => {
      if (asking) return;
      asking = true;
      try {
        const size = await this.#steward.size(database);
        this.#startingSize ??= size;
        const grown = size - this.#startingSize;
        if (watching && grown > this.#steward.growth) end({ outcome: "too_large", what: "disk" });
      } catch {
        // The server is going down; the statement will be told.
      } finally {
        asking = false;
      }
    }, WATCH_DISK_EVERY_MS);
    return () => {
      watching = false;
      clearTimeout(deadline);
      clearInterval(disk);
    };
  }
}
