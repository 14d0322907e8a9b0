import type { Connection, FieldDef, Submittable } from "pg";
import type { Cell, Row } from "../cell.js";
import type { Limits, ResultDigest } from "../execution.js";
import { RowDigester } from "../row-digest.js";
import { asText, type CellDecoder, decoderOf } from "./cells.js";

/** The last result of what was sent: a statement without a result set has no columns. */
export interface Collected {
  columns: string[];
  rows: Row[];
  rowCount: number;
  digest?: ResultDigest;
  /** Columns whose type only the database can tell about, by position, with the type's OID; their cells are text yet. */
  unknown: Map<number, number>;
}

export type StatementEnd =
  | { kind: "complete"; result: Collected }
  | { kind: "empty" }
  | { kind: "copy" }
  | { kind: "failed"; error: Error };

interface CollectOptions {
  limits: Pick<Limits, "maxRows" | "maxBytes">;
  want: "rows" | "digest";
  /** Keep this many rows and let the others go by. */
  take?: number | undefined;
  /** Called once when a cap is passed; the rest of the rows is thrown away. */
  overflow(what: "rows" | "bytes"): void;
}

const COPY_REFUSED = "COPY needs a client's data, and there is none here";

/**
 * One message of SQL on its way through the driver: cells are made from the server's own text, so that no driver's idea of
 * a date or a number comes between. `simple` may hold several statements, of which the last counts; `extended` is refused
 * by the server when it holds more than one.
 */
export class Statement implements Submittable {
  readonly ended: Promise<StatementEnd>;
  /** The driver sets timers on it where it is told to; it is never called. */
  callback = (): void => undefined;
  readonly #text: string;
  readonly #protocol: "simple" | "extended";
  readonly #options: CollectOptions;
  #settle: (end: StatementEnd) => void = () => undefined;
  #columns: string[] = [];
  #decoders: CellDecoder[] = [];
  #unknown = new Map<number, number>();
  #rows: Row[] = [];
  #rowCount = 0;
  #bytes = 0;
  #digester: RowDigester | undefined;
  #described = false;
  #overflown = false;
  #empty = false;
  #copied = false;

  constructor(text: string, protocol: "simple" | "extended", options: CollectOptions) {
    this.#text = text;
    this.#protocol = protocol;
    this.#options = options;
    this.ended = new Promise((settle) => {
      this.#settle = settle;
    });
  }

  submit(connection: Connection): void {
    if (this.#protocol === "simple") {
      connection.query(this.#text);
      return;
    }
    // All five in one write.
    connection.stream.cork();
    connection.parse({ name: "", text: this.#text, types: [] }, true);
    connection.bind({ portal: "", statement: "" }, true);
    connection.describe({ type: "P", name: "" }, true);
    connection.execute({ portal: "" }, true);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#clear();
    this.#described = true;
    this.#columns = fields.map(({ name }) => name);
    this.#decoders = fields.map(({ dataTypeID }, at) => {
      const decoder = decoderOf(dataTypeID);
      if (decoder === undefined) this.#unknown.set(at, dataTypeID);
      return decoder ?? asText;
    });
    if (this.#options.want === "digest") this.#digester = new RowDigester();
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { limits, take } = this.#options;
    if (this.#overflown || (take !== undefined && this.#rowCount >= take)) return;
    if (this.#rowCount === limits.maxRows) {
      this.#overflow("rows");
      return;
    }
    const row = fields.map((text, at): Cell => (text === null ? null : (this.#decoders[at] ?? asText)(text)));
    for (const cell of row) this.#bytes += cell === null ? 4 : Buffer.byteLength(cell);
    if (this.#bytes > limits.maxBytes) {
      this.#overflow("bytes");
      return;
    }
    this.#rowCount++;
    if (this.#digester === undefined) this.#rows.push(row);
    else this.#digester.add(JSON.stringify(row));
  }

  handleCommandComplete(): void {
    if (!this.#described) this.#clear();
    this.#described = false;
    this.#empty = false;
  }

  handleEmptyQuery(): void {
    this.#empty = true;
  }

  handleError(error: Error): void {
    // The server says of a refused COPY that it was cancelled, as it says of a statement at its time limit.
    this.#settle(this.#copied ? { kind: "copy" } : { kind: "failed", error });
  }

  handleReadyForQuery(): void {
    if (this.#copied) this.#settle({ kind: "copy" });
    else if (this.#empty) this.#settle({ kind: "empty" });
    else {
      this.#settle({
        kind: "complete",
        result: {
          columns: this.#columns,
          rows: this.#rows,
          rowCount: this.#rowCount,
          ...(this.#digester && { digest: this.#digester.finish() }),
          unknown: this.#unknown,
        },
      });
    }
  }

  handlePortalSuspended(): void {}

  /** COPY … FROM STDIN waits for data: it is told that none will come. */
  handleCopyInResponse(connection: Connection): void {
    this.#copied = true;
    const reason = Buffer.from(`${COPY_REFUSED}\0`);
    const message = Buffer.alloc(5 + reason.length);
    message.write("f");
    message.writeUInt32BE(4 + reason.length, 1);
    reason.copy(message, 5);
    connection.stream.write(message);
  }

  /** COPY … TO STDOUT: its lines are no result. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#copied = true;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#options.limits.maxBytes) this.#overflow("bytes");
  }

  #overflow(what: "rows" | "bytes"): void {
    if (this.#overflown) return;
    this.#overflown = true;
    this.#rows = [];
    this.#options.overflow(what);
  }

  #clear(): void {
    this.#columns = [];
    this.#decoders = [];
    this.#unknown = new Map();
    this.#rows = [];
    this.#rowCount = 0;
    this.#bytes = 0;
    this.#digester = undefined;
  }
}
