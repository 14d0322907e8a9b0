/** The asker's side of an answering service: what is sent, and how faults on the way are borne. */
import { setTimeout as sleep } from "node:timers/promises";
import type { AnswerCall } from "../../../schemas/types/answer-call.js";
import type { AnswerService as ServiceCard } from "../../../schemas/types/answer-service.js";
import { Interrupted, ModelError, UserError } from "../../errors.js";
import { type Failure, failureOfConnection, failureOfResponse } from "../../model/failure.js";
import { jittered } from "../../model/pace.js";
import { openTransport } from "../../model/transport.js";
import { schemaFaults } from "../../record/check-schema.js";
import type { Suite } from "../../record/suite.js";
import { EpisodeCut } from "../model-calls.js";
import type { Answered, Opened } from "./replies.js";

export interface AnswersClientOptions {
  readonly token?: string;
  /** How long a service that does not answer is waited for, in ms. */
  readonly patienceMs?: number;
}

/** Which episode of which run: the part of a call that says what is asked about. */
export type Episode = Pick<AnswerCall, "run" | "record_id" | "condition" | "seed">;

/** A restart takes seconds; whoever needs longer goes on with --resume. */
const PATIENCE_MS = 300_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** A model may think for minutes. A call that is given up and sent again joins the one under way. */
const ATTEMPT_MS = 600_000;
/** A person has just typed the address. */
const FIRST_ATTEMPT_MS = 30_000;

type Reply = Readonly<Record<string, unknown>>;
type Attempt = { readonly reply: Reply } | Failure;

const isObject = (value: unknown): value is Reply =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** An address whose paths the calls' are, without the user that it may name. */
function baseOf(address: string): string {
  let url: URL;
  try {
    url = new URL(address);
  } catch (cause) {
    throw new UserError(`"${address}" is no address`, { remedy: "name one such as http://host:8010", cause });
  }
  if (url.username !== "" || url.password !== "") {
    throw new UserError("the answering service's address holds a user or a password", {
      remedy: "give the token in a file with --oracle-token-file",
    });
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

export class AnswersClient {
  readonly address: string;
  readonly #token: string | undefined;
  readonly #patienceMs: number;
  readonly #transport = openTransport();
  #card: ServiceCard | undefined;
  /** When the service last answered anything. */
  #heardAt = Number.NEGATIVE_INFINITY;

  private constructor(address: string, { token, patienceMs = PATIENCE_MS }: AnswersClientOptions) {
    this.address = baseOf(address);
    this.#token = token;
    this.#patienceMs = patienceMs;
  }

  /**
   * Asks a service what it is. Nothing of a service that is not there yet is waited for: a person has just typed this.
   *
   * @throws ModelError where nobody answers; UserError where it is no answering service, or one of another protocol
   */
  static async connect(address: string, options: AnswersClientOptions = {}): Promise<AnswersClient> {
    const client = new AnswersClient(address, options);
    try {
      const made = await client.#attempt("", undefined, undefined, FIRST_ATTEMPT_MS);
      if (!("reply" in made)) throw client.#gone(made);
      const card: unknown = made.reply;
      const [fault] = schemaFaults("answer-service", card);
      if (fault !== undefined) {
        throw new UserError(`${client.address} is no answering service of this protocol: ${fault}`, {
          remedy: "it is started with ambitab answer; both sides need versions of ambitab that match",
        });
      }
      client.#card = card as ServiceCard;
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  /** What the service says of itself. */
  get card(): ServiceCard {
    if (this.#card === undefined) throw new Error("the service has not been asked yet");
    return this.#card;
  }

  /** @throws UserError where the service answers for another release, naming both, or not for one of the datasets */
  assertAnswers({ name, publicHash }: Pick<Suite, "name" | "publicHash">, datasets: readonly string[]): void {
    const { release, datasets: answered } = this.card;
    const missing = datasets.filter((dataset) => !answered.includes(dataset));
    if (release.public_hash === publicHash && missing.length > 0) {
      throw new UserError(`${this.address} does not answer for ${missing.join(", ")}`, {
        remedy: `choose from ${answered.join(", ")} with --dataset`,
      });
    }
    if (release.public_hash === publicHash) return;
    throw new UserError(
      `${this.address} answers for release ${release.name} (${release.public_hash}), and this is ${name} (${publicHash})`,
      { remedy: "predict on the release that the service answers for" },
    );
  }

  /** Begins an episode. */
  async open(episode: Episode, signal?: AbortSignal): Promise<Opened> {
    const { max_turn, asked, terms } = await this.#call("/open", episode, signal);
    if (typeof max_turn !== "number" || !Array.isArray(asked)) throw this.#nonsense("/open");
    return {
      max_turn,
      asked: asked.map(String),
      ...(Array.isArray(terms) ? { terms: terms.map(String) } : {}),
    };
  }

  /** Puts a question, after all that was asked and answered before it. */
  async ask(
    episode: Episode,
    dialogue: readonly { readonly question: string; readonly response: string }[],
    question: string,
    signal?: AbortSignal,
  ): Promise<Answered> {
    const said = dialogue.map((turn) => ({ question: turn.question, response: turn.response }));
    const reply = await this.#call("/ask", { ...episode, dialogue: said, question }, signal);
    const { response, questions_left, failed } = reply;
    if (failed === "context_overflow" || failed === "model_error") return { failed };
    if (typeof response !== "string") throw this.#nonsense("/ask");
    return { response, questions_left: Number(questions_left) };
  }

  close(): void {
    this.#transport.close();
  }

  /**
   * Sends a call until it is answered. What another attempt may mend (no connection, a broken one, 429, 5xx, no JSON) is
   * tried again with growing waits, or as long as the service says, while it was heard within the client's patience.
   */
  async #call(
    path: string,
    call: Episode & Partial<AnswerCall>,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    const { release, oracle } = this.card;
    const body = JSON.stringify({ release: release.public_hash, oracle, ...call });
    const started = performance.now();
    for (let tries = 0; ; tries += 1) {
      const made = await this.#attempt(path, body, signal);
      if ("reply" in made) {
        this.#heardAt = performance.now();
        return made.reply;
      }
      const told = "told" in made ? made.told : undefined;
      const unheard = performance.now() - Math.max(started, this.#heardAt);
      if ((made.kind !== "fault" && made.kind !== "wait") || unheard + (told ?? 0) > this.#patienceMs)
        throw this.#gone(made);
      const wait =
        told !== undefined && told > 0
          ? told
          : jittered(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries));
      await sleep(wait, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
      throwIfEnded(signal);
    }
  }

  async #attempt(
    path: string,
    body: string | undefined,
    signal: AbortSignal | undefined,
    limitMs = ATTEMPT_MS,
  ): Promise<Attempt> {
    throwIfEnded(signal);
    const ending = new AbortController();
    const end = (): void => ending.abort();
    const late = setTimeout(end, limitMs);
    signal?.addEventListener("abort", end, { once: true });
    try {
      const response = await this.#transport.fetch(`${this.address}${path === "" ? "/" : path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        },
        ...(body === undefined ? {} : { body }),
        signal: ending.signal,
      });
      const value: unknown = await response.json();
      if (!response.ok) return failureOfResponse(response.status, value, response.headers);
      return isObject(value) ? { reply: value } : { kind: "fault", fault: "malformed", detail: "no object" };
    } catch (error) {
      throwIfEnded(signal);
      if (ending.signal.aborted)
        return { kind: "fault", fault: "timeout", detail: `no answer within ${limitMs} ms` };
      if (error instanceof SyntaxError)
        return { kind: "fault", fault: "malformed", detail: "the reply is no JSON" };
      return failureOfConnection(error);
    } finally {
      clearTimeout(late);
      signal?.removeEventListener("abort", end);
    }
  }

  #gone({ kind, detail }: Failure): ModelError {
    const refused = kind === "fatal" || kind === "overflow";
    const token = refused && /\b401\b/.test(detail);
    return new ModelError(
      `the answering service ${this.address} ${refused ? "refuses" : "does not answer"}: ${detail}`,
      {
        remedy: token
          ? "give the token that its holder gave you with --oracle-token-file FILE"
          : refused
            ? "ask its holder which release, oracle and conditions it answers for"
            : "is it running, and the address right? Go on with --resume when it is",
      },
    );
  }

  #nonsense(path: string): ModelError {
    return new ModelError(`the answering service ${this.address} replied wrongly to ${path}`, {
      remedy: "both sides need versions of ambitab that match",
    });
  }
}

/** What a signal's end means: the episode's time is up, or the run is stopped. */
function throwIfEnded(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  const reason: unknown = signal.reason;
  throw reason instanceof EpisodeCut ? reason : new Interrupted();
}
