/**
 * One episode's way to the models: what it asked, what that cost, and how it ends when a call does (spec 4 and 6).
 * Askers, solvers and oracles are given this client instead of the run's own, so none of them has to know seeds,
 * deadlines or what a server's failure means for an episode.
 */
import { Interrupted } from "../errors.js";
import type {
  ModelAnswer,
  ModelClient,
  ModelMessage,
  ModelRequest,
  ModelRole,
  ModelUsage,
} from "../model/types.js";

/** A model call that ends its episode: the prompt was too long, or the server failed for good. Never a person's to see. */
export class EpisodeCut extends Error {
  override readonly name: string = "EpisodeCut";
  readonly outcome: "context_overflow" | "model_error";
  constructor(outcome: EpisodeCut["outcome"], detail: string) {
    super(detail);
    this.outcome = outcome;
  }
}

/** Calls of one role in one episode, whether the answer came from the store or from the server. */
export interface RoleUsage extends ModelUsage {
  readonly calls: number;
}

/** Keeps a text that an agent was given, under the part it belongs to: the public task, or the dialogue. */
export type LogPrompt = (role: "context" | "clarifications", text: string) => string;

/** Roles whose prompts are an agent's: those are logged for the audit. An oracle's prompts are private. */
const AGENTS: ReadonlySet<ModelRole> = new Set(["asker", "solver"]);

export interface EpisodeCallsOptions {
  readonly seed: number;
  /** Milliseconds that the episode's calls may take in all; no limit unless told. */
  readonly deadlineMs?: number;
  readonly log: LogPrompt;
  /** When it fires the run is being stopped: calls under way are given up, and no other is made. */
  readonly stop?: AbortSignal;
}

export class EpisodeCalls implements ModelClient {
  readonly #client: ModelClient;
  readonly #seed: number;
  readonly #log: LogPrompt;
  readonly #stop: AbortSignal | undefined;
  /** Ends the calls under way: the deadline, or the run's stop. */
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #ended: Promise<never>;
  readonly #usage = new Map<ModelRole, RoleUsage>();
  readonly #prompts = new Set<string>();
  readonly #onStop = (): void => this.#ending.abort(new Interrupted());

  constructor(client: ModelClient, { seed, deadlineMs, log, stop }: EpisodeCallsOptions) {
    this.#client = client;
    this.#seed = seed;
    this.#log = log;
    this.#stop = stop;
    const { signal } = this.#ending;
    this.#ended = new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    this.#ended.catch(() => undefined);
    stop?.addEventListener("abort", this.#onStop, { once: true });
    if (deadlineMs !== undefined) {
      const late = `the episode's calls took longer than ${deadlineMs / 1000} s`;
      this.#timer = setTimeout(() => this.#ending.abort(new EpisodeCut("model_error", late)), deadlineMs);
    }
  }

  /** Fires when the episode's time is up, or the run is stopped; its reason is what to throw then. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * Asks with the run's seed for asker and solver; the oracle's calls say themselves which draw they are. What ends an
   * agent's call ends the episode; an oracle is told the outcome.
   *
   * @throws EpisodeCut where an agent's call ends the episode, or its time is up; Interrupted when the run is stopped
   */
  async ask(request: ModelRequest): Promise<ModelAnswer> {
    if (this.#stop?.aborted === true) throw new Interrupted();
    const agent = AGENTS.has(request.role);
    if (agent) for (const message of request.messages) this.#logMessage(message);
    const answer = await this.#inTime(agent ? { ...request, seed: this.#seed } : request);
    if ("usage" in answer) this.#count(request.role, answer.usage);
    else if (agent) throw new EpisodeCut(answer.outcome, `${request.role}: ${answer.detail}`);
    return answer;
  }

  async #inTime(request: ModelRequest): Promise<ModelAnswer> {
    const { signal } = this.#ending;
    if (signal.aborted) return this.#ended;
    const call = this.#client.ask(request, signal).catch((error: unknown) => {
      // The client gives up a call that is aborted; what that means for the episode is said here.
      if (signal.aborted) return this.#ended;
      throw error;
    });
    return Promise.race([this.#ended, call]);
  }

  /** The first message holds the public task alone; what follows it belongs to the dialogue. */
  #logMessage({ role, content }: ModelMessage): void {
    this.#prompts.add(this.#log(role === "system" ? "context" : "clarifications", content));
  }

  #count(role: ModelRole, { prompt_tokens, completion_tokens }: ModelUsage): void {
    const before = this.#usage.get(role) ?? { calls: 0, prompt_tokens: 0, completion_tokens: 0 };
    this.#usage.set(role, {
      calls: before.calls + 1,
      prompt_tokens: before.prompt_tokens + prompt_tokens,
      completion_tokens: before.completion_tokens + completion_tokens,
    });
  }

  /** Hashes of the logged messages, in the order in which they were first given. */
  get prompts(): readonly string[] {
    return [...this.#prompts];
  }

  /** Calls and tokens by role; undefined where no model was asked. */
  get usage(): Partial<Record<ModelRole, RoleUsage>> | undefined {
    return this.#usage.size === 0 ? undefined : Object.fromEntries(this.#usage);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop?.removeEventListener("abort", this.#onStop);
  }
}
