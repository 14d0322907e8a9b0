import { setTimeout as sleep } from "node:timers/promises";
import type { OpenAI } from "openai";
import { Interrupted, ModelError } from "../errors.js";
import { keyOf, redact } from "./api-key.js";
import { type Attempt, attempt, openConnection, type RequestBody } from "./attempt.js";
import { type EndpointSettings, type RoleSettings, shownAddress } from "./configuration.js";
import { leavesNoRoom } from "./context-overflow.js";
import type { Failure, Fault } from "./failure.js";
import { jittered, Pace } from "./pace.js";
import { remedyFor } from "./remedy.js";
import { openTransport } from "./transport.js";

/** A reply with how long its attempt took, from sending to the last byte. */
export type TimedReply = Extract<Attempt, { kind: "reply" }>;

/** An answered call, and what the caller made of the reply. */
interface Kept<T> {
  readonly kind: "kept";
  readonly value: T;
}

/** What a call came to after all its attempts. */
export type CallOutcome<T> =
  | Kept<T>
  | { readonly kind: "overflow"; readonly detail: string }
  | { readonly kind: "given-up"; readonly detail: string };

/** Told of what happens on the way. */
export interface CallObserver<T> {
  /** An attempt is sent. */
  sent(): void;
  /** It failed, and comes again. */
  retried(fault: Fault): void;
  /** It was answered. The slot is free when this has ended, so that no more answers are unsafe than there are slots. */
  keep(reply: TimedReply): Promise<T>;
}

/** One server: its connection, its slots and its patience. */
export class Endpoint {
  readonly settings: EndpointSettings;
  readonly #key: string | undefined;
  readonly #transport = openTransport();
  readonly #connection: OpenAI;
  readonly #pace: Pace;
  /** When the server last answered anything at all. */
  #heardAt = Number.NEGATIVE_INFINITY;
  /** When it began to put everybody off. */
  #refusedSince: number | undefined;

  constructor(settings: EndpointSettings, environment: Readonly<Record<string, string | undefined>>) {
    this.settings = settings;
    this.#key = keyOf(settings, environment);
    this.#connection = openConnection(settings, this.#key, this.#transport.fetch);
    this.#pace = new Pace(settings);
  }

  /** Whether the server ever answered anything at all. */
  get wasHeard(): boolean {
    return this.#heardAt > Number.NEGATIVE_INFINITY;
  }

  /** A server's words without the key. */
  #clean(detail: string): string {
    return redact(detail, this.#key);
  }

  #fatal(role: RoleSettings, failure: { detail: string; remedy?: string; status?: number }): ModelError {
    const { name, base_url } = this.settings;
    const remedy = failure.remedy ?? remedyFor(role, failure.status, failure.detail);
    return new ModelError(
      this.#clean(
        `role "${role.role}", model ${role.served_as}, endpoint "${name}" (${shownAddress(base_url)}): ${failure.detail}`,
      ),
      remedy === undefined ? {} : { remedy },
    );
  }

  /** The names of the models that the server says it has; undefined where it does not say. */
  async models(signal: AbortSignal): Promise<string[] | undefined> {
    const timeout = Math.min(this.settings.deadline_ms, 30_000);
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
      const list = await this.#connection.get<unknown>("/models", { signal: limit });
      const { data } = (await list) as { data?: unknown };
      if (!Array.isArray(data)) return undefined;
      return data.map((one: unknown) => String((one as { id?: unknown } | null)?.id));
    } catch {
      return undefined;
    }
  }

  async #once<T>(
    role: RoleSettings,
    body: RequestBody,
    observer: CallObserver<T>,
    signal: AbortSignal,
  ): Promise<Kept<T> | (Failure & { sentAt: number })> {
    const sentAt = performance.now();
    observer.sent();
    const headers = { "x-ambitab-role": role.role };
    const made = await attempt(this.#connection, this.settings, body, headers, signal);
    if (made.kind !== "fault" || made.fault !== "unreachable") this.#heardAt = performance.now();
    return made.kind === "reply" ? { kind: "kept", value: await observer.keep(made) } : { ...made, sentAt };
  }

  /**
   * Sends a request until it is answered, or until nothing more can be hoped for.
   *
   * @throws ModelError where only a person can help; Interrupted when `signal` fires
   */
  async call<T>(
    role: RoleSettings,
    body: RequestBody,
    observer: CallObserver<T>,
    signal: AbortSignal,
  ): Promise<CallOutcome<T>> {
    const { max_attempts, patience_ms } = this.settings;
    let firstSentAt: number | undefined;
    let putOffSince: number | undefined;
    let faults = 0;
    for (let tries = 0; ; tries += 1) {
      const made = await this.#inSlot(() => this.#once(role, body, observer, signal), signal, tries);
      if (made.kind === "kept") {
        this.#pace.succeeded();
        this.#refusedSince = undefined;
        return made;
      }
      if (made.kind === "overflow") return this.#overflow(role, made.detail);
      if (made.kind === "fatal") throw this.#fatal(role, made);
      firstSentAt ??= made.sentAt;
      if (made.kind === "fault") {
        faults += 1;
        if (faults >= max_attempts) return this.#givenUp(role, made, faults, firstSentAt);
      } else {
        this.#refusedSince ??= made.sentAt;
        putOffSince ??= Math.min(made.sentAt, this.#refusedSince);
      }
      const putOff = putOffSince === undefined ? 0 : performance.now() - putOffSince;
      if (putOff + (made.told ?? 0) > patience_ms) throw this.#fatal(role, outOfPatience(made, putOff));
      observer.retried(made.fault);
      await this.#beforeNext(made, tries, signal);
    }
  }

  /** Waits as told, and everybody with this call; else by itself, longer each time. */
  async #beforeNext(
    failure: { kind: string; told?: number; sentAt: number },
    tries: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { kind, told = 0, sentAt } = failure;
    // "After 0 seconds" tells nothing: a server that says so again and again must not be asked as often.
    if (told > 0) return this.#pace.pause(told);
    if (kind === "wait") this.#pace.refused(sentAt);
    const { backoff_ms, max_backoff_ms } = this.settings;
    const wait = jittered(Math.min(max_backoff_ms, backoff_ms * 2 ** tries));
    try {
      await sleep(wait, undefined, { signal });
    } catch {
      throw new Interrupted();
    }
  }

  #overflow(role: RoleSettings, detail: string): { kind: "overflow"; detail: string } {
    const { max_tokens } = role.decoding;
    if (!leavesNoRoom(detail, max_tokens)) return { kind: "overflow", detail: this.#clean(detail) };
    const remedy = `max_tokens ${max_tokens} leaves the prompt no room: set roles.${role.role}.max_tokens lower`;
    throw this.#fatal(role, { detail, remedy });
  }

  /** A call that is begun already goes before a new one. */
  async #inSlot<T>(work: () => Promise<T>, signal: AbortSignal, tries: number): Promise<T> {
    try {
      return await this.#pace.run(work, signal, tries > 0 ? 1 : 0);
    } catch (error) {
      throw signal.aborted ? new Interrupted() : error;
    }
  }

  /** A server that was not there for the whole of a call is not there for the next one either, so the run stops. */
  #givenUp(
    role: RoleSettings,
    failure: Failure,
    faults: number,
    firstSentAt: number,
  ): { kind: "given-up"; detail: string } {
    const attempts = faults === 1 ? "1 attempt" : `${faults} attempts`;
    const detail = this.#clean(`${attempts} failed, the last with: ${failure.detail}`);
    if (this.#heardAt < firstSentAt)
      throw this.#fatal(role, { detail, remedy: "is the server running, and the base_url right?" });
    return { kind: "given-up", detail };
  }

  close(): void {
    this.#pace.close();
    this.#transport.close();
  }
}

function outOfPatience(
  failure: { detail: string; told?: number },
  putOff: number,
): { detail: string; remedy: string } {
  const told = failure.told === undefined ? "" : ` and asks for ${Math.ceil(failure.told / 1000)} s more`;
  return {
    detail: `the server has put this call off for ${Math.round(putOff / 1000)} s${told} (${failure.detail})`,
    remedy: "run it again later (what was answered is stored), or raise the endpoint's patience_ms",
  };
}
