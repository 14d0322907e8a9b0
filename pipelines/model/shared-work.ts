import { Interrupted } from "../errors.js";

interface Work<T> {
  readonly result: Promise<T>;
  readonly ending: AbortController;
  waiting: number;
}

/** Waits for `work`, or for the signal. */
async function orInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new Interrupted());
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Work that several callers wait for is done once. Each may stop waiting by its own signal; the work itself is given up
 * when nobody waits for it any more.
 */
export class SharedWork<T> {
  readonly #works = new Map<string, Work<T>>();

  has(key: string): boolean {
    return this.#works.has(key);
  }

  async join(key: string, begin: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const work = this.#works.get(key) ?? this.#start(key, begin);
    work.waiting += 1;
    try {
      return await (signal === undefined ? work.result : orInterrupted(work.result, signal));
    } finally {
      work.waiting -= 1;
      if (work.waiting === 0) this.#giveUp(key, work);
    }
  }

  /** Whoever comes from now on begins anew. */
  #giveUp(key: string, work: Work<T>): void {
    if (this.#works.get(key) === work) this.#works.delete(key);
    work.ending.abort();
  }

  #start(key: string, begin: (signal: AbortSignal) => Promise<T>): Work<T> {
    const ending = new AbortController();
    const result = begin(ending.signal);
    // Whoever stopped waiting does not hear of a failure any more.
    result.catch(() => undefined);
    const work = { result, ending, waiting: 0 };
    this.#works.set(key, work);
    return work;
  }

  /** Gives up all work and waits until it has ended. */
  async close(): Promise<void> {
    const works = [...this.#works.values()];
    for (const { ending } of works) ending.abort();
    await Promise.allSettled(works.map(({ result }) => result));
  }
}
