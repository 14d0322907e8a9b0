import { RetryLater } from "./transfer-errors.js";

/** How long a request may take, and who may end it. */
export interface RequestLimits {
  idleTimeoutMs: number;
  /** Milliseconds since the epoch. */
  deadline: number | undefined;
  signal: AbortSignal | undefined;
}

/** Ends a request that is silent too long, past its deadline or no longer wanted. */
export class RequestWatch {
  private readonly controller = new AbortController();
  private readonly limits: RequestLimits;
  private timer: NodeJS.Timeout | undefined;
  private reason = "the connection was dropped";
  constructor(limits: RequestLimits) {
    this.limits = limits;
    limits.signal?.addEventListener("abort", this.stop);
    this.alive();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  private readonly stop = (): void => this.controller.abort();

  /** Something arrived: the silence begins anew. */
  alive(): void {
    clearTimeout(this.timer);
    const left =
      this.limits.deadline === undefined ? Number.POSITIVE_INFINITY : this.limits.deadline - Date.now();
    const wait = Math.max(0, Math.min(this.limits.idleTimeoutMs, left));
    this.timer = setTimeout(() => {
      this.reason = wait < this.limits.idleTimeoutMs ? "the time was up" : `no bytes for ${wait} ms`;
      this.controller.abort();
    }, wait);
  }

  end(): void {
    clearTimeout(this.timer);
    this.limits.signal?.removeEventListener("abort", this.stop);
    this.controller.abort();
  }

  /** A network failure becomes a reason to try again, with what is known of it. */
  async guard<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.failure(error);
    }
  }

  failure(error: unknown): RetryLater {
    if (this.controller.signal.aborted) return new RetryLater(this.reason);
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
    const message = error instanceof Error ? error.message : String(error);
    return new RetryLater(cause === undefined ? message : `${message}: ${cause}`);
  }
}
