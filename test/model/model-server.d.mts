/** A real HTTP server in the place of a model, for tests: see model-server.mjs. */

export type PassingFault =
  | "rate-limit-told"
  | "rate-limit"
  | "error-500"
  | "reset"
  | "hang"
  | "hang-in-body"
  | "error-body"
  | "null-content"
  | "truncated-json";
export type LastingFault = "context-overflow" | "unauthorized" | "not-found" | "bad-request";
export type Dress =
  | "plain"
  | "think-closed"
  | "think-open"
  | "think-tail"
  | "fence"
  | "prose"
  | "two-sql-blocks";

export declare const PASSING_FAULTS: readonly PassingFault[];
export declare const LASTING_FAULTS: readonly LastingFault[];
export declare const DRESSES: Readonly<Record<Dress, (text: string) => string>>;

/** A request as the server saw it. `at`: ms on the server's clock. */
export interface SeenRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly role: string | undefined;
  readonly model: string;
  /** The messages' contents, one after the other. */
  readonly prompt: string;
  readonly authorization: string | undefined;
  readonly at: number;
  readonly fault?: string | HttpFault;
  readonly answered: boolean;
}

/** An HTTP status of your choice. */
export interface HttpFault {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** What is answered: a text alone, or with more. */
export type Answer =
  | string
  | {
      text?: string;
      dress?: Dress;
      finish_reason?: string | null;
      /** The name that the server gives itself, where it is not the one asked for. */
      model?: string;
      usage?: unknown;
      delayMs?: number;
      fault?: PassingFault | LastingFault | HttpFault;
    };

/** Answers the requests that fit all that it names. Several answers are given in turn, the last one from then on. */
export interface Rule {
  role?: string;
  model?: string;
  contains?: string | RegExp;
  answer: Answer | readonly Answer[] | ((request: SeenRequest, turn: number) => Answer);
}

export interface ModelServerOptions {
  /** The first that fits answers; where none does, the prompt comes back after "echo: ". */
  rules?: readonly Rule[];
  /** A share of the attempts fails, drawn by seed, request and how often it came: the same in any order. */
  faults?: { share: number; seed?: number; kinds?: readonly (PassingFault | LastingFault)[] };
  delayMs?: number;
  /** What `rate-limit-told` tells. 20 unless given. */
  retryAfterMs?: number;
  /** What GET /models lists; null: it is not there. */
  models?: readonly string[] | null;
  /** Any other key is refused, and echoed. */
  apiKey?: string;
  port?: number;
}

export interface ModelServer {
  /** The base_url, `/v1` included. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  readonly faults: Readonly<Record<string, number>>;
  /** Requests that were answered whole. */
  readonly answered: number;
  readonly answeredByPrompt: Readonly<Record<string, number>>;
  readonly mostAtOnce: number;
  close(): Promise<void>;
}

/** Starts a server on a free port of this machine. A process of its own answers GET <url>/counters with the counts. */
export declare function startModelServer(options?: ModelServerOptions): Promise<ModelServer>;
