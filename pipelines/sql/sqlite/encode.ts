import { type Cell, encodeReal, type Row } from "../cell.js";

/** Bytes stored as text that are not valid in the database's own encoding. */
export class InvalidText {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** A cell as better-sqlite3 gives it with `raw()` and `safeIntegers()`, or what exact-text.ts found in its place. */
export type DriverCell = null | bigint | number | string | Buffer | InvalidText;
export type DriverRow = readonly DriverCell[];

/**
 * Encodes driver rows, counting bytes before it builds a string, so that an oversize cell is never copied.
 * `doubtful` is set when a text holds U+FFFD: the driver puts that in place of bytes that are no UTF-8.
 */
export class RowEncoder {
  /** Bytes of all cells encoded so far. */
  bytes = 0;
  doubtful = false;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The encoded row, or undefined when it would pass the byte limit. */
  encode(row: DriverRow): Row | undefined {
    const cells: Cell[] = new Array(row.length);
    for (let at = 0; at < row.length; at++) {
      const value = row[at] as DriverCell;
      if (value === null) {
        this.bytes += 4;
        cells[at] = null;
      } else if (typeof value === "bigint") {
        const text = `i${value}`;
        this.bytes += text.length;
        cells[at] = text;
      } else if (typeof value === "number") {
        const text = encodeReal(value);
        this.bytes += text.length;
        cells[at] = text;
      } else if (typeof value === "string") {
        this.bytes += 1 + Buffer.byteLength(value);
        if (this.bytes > this.#maxBytes) return undefined;
        if (!this.doubtful && value.includes("\ufffd")) this.doubtful = true;
        cells[at] = `t${value}`;
      } else {
        const [tag, raw] = value instanceof InvalidText ? ["u", value.bytes] : ["b", value];
        this.bytes += 1 + 2 * raw.length;
        if (this.bytes > this.#maxBytes) return undefined;
        cells[at] = tag + raw.toString("hex");
      }
    }
    return this.bytes > this.#maxBytes ? undefined : cells;
  }
}
