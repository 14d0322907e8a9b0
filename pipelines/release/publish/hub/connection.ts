import { setTimeout as sleep } from "node:timers/promises";
import type { HubAccess } from "./environment.js";

/** How long a hub that is busy or broken is borne with. */
export interface Patience {
  /** Tries of one request. */
  tries: number;
  /** The first wait between two tries, in milliseconds; each further one is twice as long. */
  firstWaitMs: number;
  /** The longest wait that a hub may ask for. */
  longestWaitMs: number;
}

export const PATIENCE: Patience = { tries: 6, firstWaitMs: 1000, longestWaitMs: 15 * 60_000 };

/** What such an answer says passes: too many requests, or a server that is in trouble. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * A commit that gets no clear answer is not sent again: only a look at the repository tells whether it was made (the hub is
 * known to answer 500 to commits that it made). A repository or a tag that is there already is answered with 409.
 */
const ONCE = /\/api\/datasets\/[^/]+\/[^/]+\/commit\/[^/]+$/;

const textOf = (input: Parameters<typeof fetch>[0]): string =>
  input instanceof Request ? input.url : String(input);

/** How long the hub asks to wait, in milliseconds: `Retry-After` in seconds or as a date, or the reset of `RateLimit`. */
function askedWait({ headers }: Response, now: number): number | undefined {
  const after = headers.get("retry-after");
  if (after !== null) {
    if (/^\s*\d+(\.\d+)?\s*$/.test(after)) return Number(after) * 1000;
    const date = Date.parse(after);
    if (!Number.isNaN(date)) return Math.max(0, date - now);
  }
  const reset = /(?:^|[;,])\s*t=(\d+)/.exec(headers.get("ratelimit") ?? "");
  return reset === null ? undefined : Number(reset[1]) * 1000;
}

/** A name that the system does not know: no wait brings it about. */
const isUnknownHost = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause as { code?: string } | undefined)?.code === "ENOTFOUND";

/** A line to a hub, over which requests are signed, and tried again where that is safe and may help. */
export class HubConnection {
  readonly endpoint: string;
  readonly isLoggedIn: boolean;
  /** Requests sent so far, each try counted. */
  requests = 0;
  /** Requests under way. */
  pending = 0;
  /** Whether a request failed for good, after all the tries that it had: more of them would not help. */
  isTired = false;
  readonly #token: string | undefined;
  readonly #patience: Patience;
  readonly #signal: AbortSignal | undefined;
  readonly #tell: (text: string) => void;

  constructor(
    { endpoint, token }: HubAccess,
    {
      patience = PATIENCE,
      signal,
      tell = () => undefined,
    }: { patience?: Patience; signal?: AbortSignal | undefined; tell?: (text: string) => void } = {},
  ) {
    this.endpoint = endpoint;
    this.isLoggedIn = token !== undefined;
    this.#token = token;
    this.#patience = patience;
    this.#signal = signal;
    this.#tell = tell;
  }

  /** Whether an address is the hub's own; the places that it names for large files are others', and get no token. */
  isOwn(url: string): boolean {
    const rest = url.startsWith(this.endpoint) ? url.slice(this.endpoint.length) : "";
    return /^\/(?:api|datasets)\//.test(rest);
  }

  /** A text without the token, and without the signatures of addresses: they are as good as a key while they last. */
  withoutSecrets(text: string): string {
    const bare = this.#token === undefined ? text : text.replaceAll(this.#token, "hf_…");
    return bare.replace(/(https?:\/\/[^\s?"'<>]+)\?[^\s"'<>]*/g, "$1");
  }

  /** `fetch` for the hub's package. It is bound, so that it can be handed on. */
  readonly fetch: typeof fetch = async (input, init = {}) => {
    const url = textOf(input);
    const headers = new Headers(init.headers);
    headers.delete("authorization");
    if (this.#token !== undefined && this.isOwn(url)) headers.set("authorization", `Bearer ${this.#token}`);
    const signal = init.signal ?? this.#signal;
    const request = { ...init, headers, ...(signal ? { signal } : {}) };
    const isOnce = ONCE.test(new URL(url).pathname) && init.method === "POST";
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= this.#patience.tries;
      let response: Response | undefined;
      try {
        response = await this.#send(url, request);
      } catch (error) {
        if (isOnce || signal?.aborted === true) throw error;
        this.isTired = isLast || isUnknownHost(error);
        if (this.isTired) throw error;
      }
      if (response !== undefined) {
        // 429 says that nothing was done, so that even a commit may be sent again.
        const mayRepeat = PASSING.has(response.status) && (!isOnce || response.status === 429);
        this.isTired = isLast && mayRepeat && !response.ok;
        if (response.ok || !mayRepeat || isLast) return response;
      }
      const asked = response === undefined ? undefined : askedWait(response, Date.now());
      if (response !== undefined && asked !== undefined && asked > this.#patience.longestWaitMs)
        return response;
      await response?.body?.cancel();
      const wait = asked ?? this.#patience.firstWaitMs * 2 ** (attempt - 1);
      const why = response === undefined ? "the connection broke" : `the hub answered ${response.status}`;
      this.#tell(`${why}; trying again in ${Math.ceil(wait / 1000)} s`);
      await sleep(wait, undefined, signal ? { signal } : {});
    }
  };

  async #send(url: string, init: RequestInit): Promise<Response> {
    this.requests += 1;
    this.pending += 1;
    try {
      return await fetch(url, init);
    } finally {
      this.pending -= 1;
    }
  }
}
