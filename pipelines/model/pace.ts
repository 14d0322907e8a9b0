import PQueue from "p-queue";
import type { EndpointSettings } from "./configuration.js";

/** Refusals one after the other before a server that names no time is left alone as a whole. */
const SATURATED = 3;

/** At most `rate` starts in any minute, spread evenly; small steps are bundled, because timers are coarse. */
function rateLimit(rate: number | null): { interval?: number; intervalCap?: number; strict?: boolean } {
  if (rate === null) return {};
  const bundle = Math.max(1, Math.floor(rate / 1200));
  return { intervalCap: bundle, interval: Math.ceil((60_000 * bundle) / rate), strict: true };
}

/** A wait of about `milliseconds`: between half and all of it, so that calls that failed together do not return together. */
export const jittered = (milliseconds: number): number => milliseconds * (0.5 + Math.random() / 2);

/**
 * The slots of an endpoint: how many calls run at once, how many start in a minute, and when none may start because the
 * server wants to be left alone. A call that waits for its next attempt holds no slot.
 */
export class Pace {
  readonly #queue: PQueue;
  readonly #settings: EndpointSettings;
  #pausedUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #refusals = 0;
  #level = 0;
  #epoch = 0;

  constructor(settings: EndpointSettings) {
    this.#settings = settings;
    this.#queue = new PQueue({ concurrency: settings.concurrency, ...rateLimit(settings.rate_per_minute) });
  }

  /** Runs `work` in a slot. Calls that were begun before come first, so that old ones end. */
  run<T>(work: () => Promise<T>, signal: AbortSignal, priority: number): Promise<T> {
    return this.#queue.add(work, { priority, signal });
  }

  /** Starts nothing for so many ms. What is under way goes on. */
  pause(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    if (until <= this.#pausedUntil) return;
    this.#pausedUntil = until;
    this.#queue.pause();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#queue.start(), milliseconds);
  }

  /** A call was answered: one more may run beside it, up to the configured number. */
  succeeded(): void {
    this.#refusals = 0;
    this.#level = Math.max(0, this.#level - 1);
    const { concurrency } = this.#settings;
    if (this.#queue.concurrency < concurrency) this.#queue.concurrency += 1;
  }

  /**
   * A call that was sent at `sentAt` was refused without being told for how long. One among many answers is its own
   * matter; several in a row mean that the server is full, and more of the same only keep it so. It is then left alone,
   * longer each time, and asked by a single call, whose success lets in two, and so on: TCP's slow start.
   */
  refused(sentAt: number): void {
    // Sent before the last pause: it says nothing about what came of that.
    if (sentAt < this.#epoch) return;
    this.#refusals += 1;
    if (this.#refusals < SATURATED) return;
    const { backoff_ms, max_backoff_ms } = this.#settings;
    const wait = jittered(Math.min(max_backoff_ms, backoff_ms * 2 ** this.#level));
    this.pause(wait);
    this.#epoch = performance.now() + wait;
    this.#queue.concurrency = 1;
    // The next refusal is enough, until a call is answered.
    this.#refusals = SATURATED - 1;
    this.#level += 1;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#queue.clear();
  }
}
