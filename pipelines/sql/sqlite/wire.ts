/**
 * Frames on the pipe between a sandbox and its child processes: one byte of kind, four bytes of payload length (little
 * endian), the payload as UTF-8 JSON. A child reads and writes with blocking calls: it has nothing else to do, and this
 * costs a fraction of what an event loop and structured messages do.
 */
export const FRAME = {
  /** Child to parent, no payload: booted, the next frame starts a job. */
  ready: 1,
  /** Parent to child: a SqliteJob. */
  job: 2,
  /** Child to parent: some rows, as a JSON array; they go ahead of the end. */
  ahead: 3,
  /** Child to parent: forget the rows that went ahead. */
  restart: 4,
  /** Child to parent: a JobEnd, with the rows that did not go ahead. */
  end: 5,
} as const;

export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

export interface Frame {
  kind: number;
  payload: string;
}

const HEAD = 5;

export function encodeFrame(kind: FrameKind, payload: string): Buffer {
  const length = Buffer.byteLength(payload);
  const frame = Buffer.allocUnsafe(HEAD + length);
  frame[0] = kind;
  frame.writeUInt32LE(length, 1);
  frame.write(payload, HEAD, "utf8");
  return frame;
}

/** Puts frames together from the chunks a pipe delivers. */
export class FrameReader {
  #chunks: Buffer[] = [];
  #held = 0;

  /** The frames that this chunk completes, in order. */
  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    const frames: Frame[] = [];
    for (;;) {
      if (this.#held < HEAD) return frames;
      const first = this.#joinedFor(HEAD);
      const total = HEAD + first.readUInt32LE(1);
      if (this.#held < total) return frames;
      const whole = this.#joinedFor(total);
      frames.push({ kind: whole[0] ?? 0, payload: whole.toString("utf8", HEAD, total) });
      const rest = whole.subarray(total);
      this.#chunks[0] = rest;
      if (rest.length === 0) this.#chunks.shift();
      this.#held -= total;
    }
  }

  /** The first chunk, grown to `length` bytes at least. Joins only when it must, so a large frame is copied once. */
  #joinedFor(length: number): Buffer {
    const first = this.#chunks[0] as Buffer;
    if (first.length >= length) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}
