import type { TokenPrice } from "../../schemas/types/models.js";
import type { Fault } from "./failure.js";
import type { ModelRole, ModelUsage } from "./types.js";

/** What a role's calls came to in this run. Tokens and cost are of what was sent; stored answers are free. */
export interface RoleUsage {
  /** Calls to `ask`. */
  asked: number;
  /** Answered from the store, or by the same request that was under way. */
  stored: number;
  /** Attempts that went over the wire. */
  sent: number;
  /** Attempts that failed and were made again, by what went wrong. */
  retries: Partial<Record<Fault, number>>;
  answered: number;
  truncated: number;
  context_overflow: number;
  model_error: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** In the currency of the configured prices; null where the endpoint has none. */
  cost: number | null;
}

export type Outcome = "answered" | "truncated" | "context_overflow" | "model_error";

const MILLION = 1_000_000;

/** Counts what a run asked for, role by role. */
export class UsageCounter {
  readonly #roles = new Map<ModelRole, RoleUsage>();

  of(role: ModelRole): RoleUsage {
    let usage = this.#roles.get(role);
    if (usage === undefined) {
      usage = {
        asked: 0,
        stored: 0,
        sent: 0,
        retries: {},
        answered: 0,
        truncated: 0,
        context_overflow: 0,
        model_error: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        cost: null,
      };
      this.#roles.set(role, usage);
    }
    return usage;
  }

  retried(role: ModelRole, fault: Fault): void {
    const { retries } = this.of(role);
    retries[fault] = (retries[fault] ?? 0) + 1;
  }

  /** Tokens of an answer that was sent for. */
  spent(role: ModelRole, { prompt_tokens, completion_tokens }: ModelUsage, price?: TokenPrice): void {
    const usage = this.of(role);
    usage.prompt_tokens += prompt_tokens;
    usage.completion_tokens += completion_tokens;
    if (price === undefined) return;
    const cost = (prompt_tokens * price.prompt + completion_tokens * price.completion) / MILLION;
    usage.cost = (usage.cost ?? 0) + cost;
  }

  /** Role → usage, of the roles that were asked, in the order of `MODEL_ROLES`' first use. */
  report(): Partial<Record<ModelRole, RoleUsage>> {
    return structuredClone(Object.fromEntries(this.#roles)) as Partial<Record<ModelRole, RoleUsage>>;
  }
}
