import { createHash, type Hash } from "node:crypto";
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

/** Appends lines to a file in large writes and hashes them as they go. */
export class LineFile {
  readonly #handle: number;
  readonly #hash: Hash = createHash("sha256");
  #buffer: string[] = [];
  #size = 0;
  #open = true;

  constructor(path: string) {
    this.#handle = openSync(path, "wx");
  }

  line(text: string): void {
    this.#buffer.push(text, "\n");
    this.#size += text.length;
    if (this.#size > 1 << 18) this.#write();
  }

  #write(): void {
    const bytes = Buffer.from(this.#buffer.join(""), "utf8");
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#handle, bytes, done);
    this.#hash.update(bytes);
    this.#buffer = [];
    this.#size = 0;
  }

  /** Writes what is left, makes it durable and gives the file's sha256. */
  close(): string {
    this.#write();
    fsyncSync(this.#handle);
    this.abandon();
    return this.#hash.digest("hex");
  }

  /** Closes the file as it stands; what was not written is lost. Does nothing to a closed one. */
  abandon(): void {
    if (this.#open) closeSync(this.#handle);
    this.#open = false;
  }
}
