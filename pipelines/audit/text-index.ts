/** Texts are found by a window of this many UTF-16 units, so no text to be found may be shorter. */
export const WINDOW = 12;

const BASE = 0x01000193;
/** BASE to the power of WINDOW − 1, modulo 2^32: what the unit that leaves the window weighs. */
const LEAVING = Array.from({ length: WINDOW - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);

/** Calls `at` with the rolling hash of every window of a text and the window's place (Rabin and Karp). */
function eachWindow(text: string, at: (hash: number, start: number) => void): void {
  let hash = 0;
  for (let end = 0; end < text.length; end += 1) {
    if (end >= WINDOW) hash = (hash - Math.imul(text.charCodeAt(end - WINDOW), LEAVING)) | 0;
    hash = (Math.imul(hash, BASE) + text.charCodeAt(end)) | 0;
    if (end >= WINDOW - 1) at(hash, end - WINDOW + 1);
  }
}

/** Slots for counting and for sieving hashes: a power of two, several a window, and at most 16 MiB of counters. */
function slotsFor(texts: readonly string[]): number {
  const windows = texts.reduce((sum, text) => sum + text.length, 1);
  return 2 ** Math.min(22, Math.max(8, Math.ceil(Math.log2(4 * windows))));
}

interface Anchor {
  text: number;
  /** Where in the text its window stands. */
  offset: number;
}

/**
 * Finds which of many texts stand in another one, all of them in one pass over it: each text is known by that window of
 * its characters which the other texts have least, so that templates ("By … I mean …") do not slow the search down. The
 * time grows with what is searched, not with the number of texts.
 *
 * @example
 * new TextIndex(["select name from singer"]).find("… select name from singer …") // Set { 0 }
 */
export class TextIndex {
  readonly #texts: readonly string[];
  readonly #mask: number;
  readonly #sieve: Uint8Array;
  readonly #anchors = new Map<number, Anchor[]>();

  /** @param texts each at least WINDOW units long; equal ones are found together */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
    const slots = slotsFor(texts);
    this.#mask = slots - 1;
    this.#sieve = new Uint8Array(slots);
    const counts = new Uint32Array(slots);
    for (const text of texts) {
      if (text.length < WINDOW)
        throw new RangeError(`a text to be found has ${text.length} units, not ${WINDOW}`);
      eachWindow(text, (hash) => {
        counts[this.#slot(hash)]! += 1;
      });
    }
    texts.forEach((text, index) => {
      let rarest = Number.POSITIVE_INFINITY;
      let anchor = { hash: 0, offset: 0 };
      eachWindow(text, (hash, offset) => {
        const count = counts[this.#slot(hash)]!;
        if (count < rarest) {
          rarest = count;
          anchor = { hash, offset };
        }
      });
      const same = this.#anchors.get(anchor.hash);
      const one = { text: index, offset: anchor.offset };
      if (same === undefined) this.#anchors.set(anchor.hash, [one]);
      else same.push(one);
      this.#sieve[this.#slot(anchor.hash)] = 1;
    });
  }

  #slot(hash: number): number {
    return (hash ^ (hash >>> 11)) & this.#mask;
  }

  /** Positions, in the list given, of the texts that stand in `hay`. */
  find(hay: string): Set<number> {
    const found = new Set<number>();
    eachWindow(hay, (hash, start) => {
      if (this.#sieve[this.#slot(hash)] === 0) return;
      for (const { text, offset } of this.#anchors.get(hash) ?? []) {
        if (start >= offset && !found.has(text) && hay.startsWith(this.#texts[text]!, start - offset))
          found.add(text);
      }
    });
    return found;
  }
}
