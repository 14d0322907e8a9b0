import { createHash, hash } from "node:crypto";
import type { ResultDigest } from "./execution.js";

/** Builds a result's digests (execution.ts) row by row; of each row only its 32 bytes of hash are kept. */
export class RowDigester {
  readonly #ordered = createHash("sha256");
  readonly #rows: string[] = [];

  /** The next row, as JSON. */
  add(json: string): void {
    const line = `${json}\n`;
    this.#ordered.update(line);
    this.#rows.push(hash("sha256", line, "binary"));
  }

  finish(): ResultDigest {
    const unordered = createHash("sha256");
    for (const row of this.#rows.sort()) unordered.update(row, "binary");
    return { ordered: this.#ordered.digest("hex"), unordered: unordered.digest("hex") };
  }
}
