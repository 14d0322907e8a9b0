import { join } from "node:path";
import type { ModelResponse } from "../../schemas/types/model-response.js";
import { Interrupted } from "../errors.js";
import { exportArchive, importArchive } from "./archive.js";
import type { Models, RoleSettings } from "./configuration.js";
import type { Endpoint } from "./endpoint.js";
import { type MissingAnswers, MissingAnswersError, MissingLog } from "./missing.js";
import { requestBody } from "./request-body.js";
import { requestKey, sentMessages } from "./request-key.js";
import {
  answerOf,
  overflow,
  overflowBeforehand,
  type ResponseRest,
  replied,
  responseOf,
} from "./response.js";
import { ResponseStore } from "./response-store.js";
import { SharedWork } from "./shared-work.js";
import type { ModelAnswer, ModelClient, ModelMessage, ModelRequest, ModelRole } from "./types.js";
import { type RoleUsage, UsageCounter } from "./usage.js";

/** Where a client finds its models and keeps their answers. */
export interface ModelClientOptions {
  readonly models: Models;
  /** The output folder; the store is `<out>/cache/model-responses.sqlite`. */
  readonly out: string;
  /** Response archives to put into the store first. */
  readonly archives?: readonly string[];
  /**
   * No model is asked. `true`: a missing answer throws a `MissingAnswersError`. `"collect"`: it ends as a `model_error`
   * and is counted in `missing()`, for whoever wants to know all that is missing before giving up.
   */
  readonly replayOnly?: boolean | "collect";
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** A client with what it counted; to be closed. */
export interface OpenModelClient extends ModelClient {
  /** Role → what its calls came to. */
  usage(): Partial<Record<ModelRole, RoleUsage>>;
  /** What a replay lacked so far. */
  missing(): MissingAnswers[];
  /** Throws a `MissingAnswersError` that counts all that a replay lacked; does nothing where it lacked nothing. */
  assertComplete(): void;
  /** Writes stored answers as a response archive: all, or those of `keys`. */
  exportArchive(path: string, keys?: Iterable<string>): { responses: number; sha256: string };
  /** Gives up what is under way, and closes the store. */
  close(): Promise<void>;
}

/** The store's file below an output folder (spec 12). */
export const storePath = (out: string): string => join(out, "cache", "model-responses.sqlite");

class Client implements OpenModelClient {
  readonly #options: ModelClientOptions;
  readonly #store: ResponseStore;
  readonly #usage = new UsageCounter();
  readonly #missing = new MissingLog();
  readonly #endpoints = new Map<string, Promise<Endpoint>>();
  readonly #underWay = new SharedWork<ModelAnswer>();

  constructor(options: ModelClientOptions) {
    this.#options = options;
    this.#store = new ResponseStore(storePath(options.out));
    try {
      for (const archive of options.archives ?? []) importArchive(this.#store, archive);
    } catch (error) {
      this.#store.close();
      throw error;
    }
  }

  async ask(request: ModelRequest, signal?: AbortSignal): Promise<ModelAnswer> {
    if (signal?.aborted === true) throw new Interrupted();
    const role = this.#options.models.roles[request.role];
    const messages = sentMessages(request.messages);
    const key = requestKey(request, messages, role.decoding);
    const usage = this.#usage.of(request.role);
    usage.asked += 1;
    const answer = await this.#storedOrObtained(request, messages, key, role, signal);
    if ("stored" in answer && answer.stored) usage.stored += 1;
    usage[answer.outcome] += 1;
    return answer;
  }

  async #storedOrObtained(
    request: ModelRequest,
    messages: readonly ModelMessage[],
    key: string,
    role: RoleSettings,
    signal: AbortSignal | undefined,
  ): Promise<ModelAnswer> {
    const stored = this.#recall(key, role);
    if (stored !== undefined) return answerOf(stored, true);
    // Who comes second to a request that is under way costs as little as who finds it stored.
    const second = this.#underWay.has(key);
    const begin = (ended: AbortSignal) => this.#obtain(request, messages, key, role, ended);
    const answer = await this.#underWay.join(key, begin, signal);
    return second && "stored" in answer ? { ...answer, stored: true } : answer;
  }

  /** A prompt that did not fit one context may fit another: only the same context makes it count, or a replay. */
  #recall(key: string, { endpoint }: RoleSettings): ModelResponse | undefined {
    const stored = this.#store.get(key);
    if (stored?.outcome !== "context_overflow" || this.#replays) return stored;
    return stored.context_tokens === endpoint.context_tokens ? stored : undefined;
  }

  get #replays(): boolean {
    return (this.#options.replayOnly ?? false) !== false;
  }

  async #obtain(
    request: ModelRequest,
    messages: readonly ModelMessage[],
    key: string,
    role: RoleSettings,
    signal: AbortSignal,
  ): Promise<ModelAnswer> {
    if (this.#replays) return this.#lack(request, key, role);
    const keep = async (rest: ResponseRest): Promise<ModelAnswer> =>
      answerOf(await this.#store.put(responseOf(request, key, role, rest)), false);
    const tooLong = overflowBeforehand(messages, role);
    if (tooLong !== undefined) return keep(overflow(tooLong, role));
    const endpoint = await this.#endpoint(role);
    const outcome = await endpoint.call(
      role,
      requestBody(role, messages, request.seed),
      {
        sent: () => {
          this.#usage.of(role.role).sent += 1;
        },
        retried: (fault) => this.#usage.retried(role.role, fault),
        keep: (reply) => {
          this.#usage.spent(role.role, reply.usage, role.price);
          return keep(replied(reply));
        },
      },
      signal,
    );
    if (outcome.kind === "kept") return outcome.value;
    if (outcome.kind === "overflow") return keep(overflow(outcome.detail, role));
    return { outcome: "model_error", key, detail: outcome.detail };
  }

  #lack(request: ModelRequest, key: string, { decoding: { model } }: RoleSettings): ModelAnswer {
    this.#missing.note(request, model, key);
    if (this.#options.replayOnly !== "collect") this.assertComplete();
    return { outcome: "model_error", key, detail: "no stored answer, and --replay-only asks no model" };
  }

  /** Opened when the first call needs it: a run that is answered from the store loads no HTTP client. */
  #endpoint({ endpoint }: RoleSettings): Promise<Endpoint> {
    let opened = this.#endpoints.get(endpoint.name);
    if (opened === undefined) {
      const { environment = process.env } = this.#options;
      opened = import("./endpoint.js").then((module) => new module.Endpoint(endpoint, environment));
      this.#endpoints.set(endpoint.name, opened);
    }
    return opened;
  }

  usage(): Partial<Record<ModelRole, RoleUsage>> {
    return this.#usage.report();
  }

  missing(): MissingAnswers[] {
    return this.#missing.list();
  }

  assertComplete(): void {
    const missing = this.missing();
    if (missing.length === 0) return;
    const counts = this.#store
      .counts()
      .map(({ role, model, answers }) => `${answers} of "${role}" by ${model}`);
    const held = counts.length === 0 ? "holds no answer" : `holds ${counts.join(", ")}`;
    throw new MissingAnswersError(missing, `${this.#store.path} ${held}`);
  }

  exportArchive(path: string, keys?: Iterable<string>): { responses: number; sha256: string } {
    return exportArchive(this.#store, path, keys);
  }

  async close(): Promise<void> {
    await this.#underWay.close();
    for (const opened of await Promise.allSettled(this.#endpoints.values()))
      if (opened.status === "fulfilled") opened.value.close();
    this.#store.close();
  }
}

/**
 * Opens the client of a build or a run: answers come from the store where it has them, else from the models, and are in
 * the store before they are given out.
 *
 * @example
 * const client = await openModelClient({ models: readModels("models.json"), out: "out" });
 * const answer = await client.ask({ role: "probe", template: "probe@1", messages: [{ role: "user", content: "…" }] });
 *
 * @throws UserError when the store is damaged; SourceError when an archive is not what it should be
 */
export async function openModelClient(options: ModelClientOptions): Promise<OpenModelClient> {
  return new Client(options);
}
