import { encodeReal } from "../cell.js";

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

/** Characters that JSON text must escape; the driver gives well-formed strings only. */
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;

/**
 * Encodes driver rows (cell.ts) as JSON text, without making the cells first: this is most of what the sandbox costs
 * on large results. Bytes are counted before a string is built, so that an oversize cell is never copied.
 */
export class RowEncoder {
  /** Bytes of all cells encoded so far. */
  bytes = 0;
  /** Set when a text holds U+FFFD: the driver puts that in place of bytes that are no UTF-8. */
  doubtful = false;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The row as a JSON array of cells, or undefined when it would pass the byte limit. */
  encode(row: DriverRow): string | undefined {
    let json = "[";
    for (let at = 0; at < row.length; at++) {
      const value = row[at] as DriverCell;
      const comma = at === 0 ? "" : ",";
      if (value === null) {
        this.bytes += 4;
        json += `${comma}null`;
      } else if (typeof value === "string") {
        const length = Buffer.byteLength(value);
        this.bytes += 1 + length;
        if (this.bytes > this.#maxBytes) return undefined;
        // As many bytes as characters: all ASCII.
        if (length !== value.length && !this.doubtful) this.doubtful = value.includes("\ufffd");
        json += NEEDS_ESCAPE.test(value) ? comma + JSON.stringify(`t${value}`) : `${comma}"t${value}"`;
      } else {
        const cell = this.#plainCell(value);
        if (cell === undefined) return undefined;
        json += `${comma}"${cell}"`;
      }
    }
    return this.bytes > this.#maxBytes ? undefined : `${json}]`;
  }

  /** A cell that JSON need not escape. */
  #plainCell(value: bigint | number | Buffer | InvalidText): string | undefined {
    if (typeof value === "bigint" || typeof value === "number") {
      const cell = typeof value === "bigint" ? `i${value}` : encodeReal(value);
      this.bytes += cell.length;
      return cell;
    }
    const [tag, raw] = value instanceof InvalidText ? ["u", value.bytes] : ["b", value];
    this.bytes += 1 + 2 * raw.length;
    return this.bytes > this.#maxBytes ? undefined : tag + raw.toString("hex");
  }
}
