import { APIConnectionError, APIConnectionTimeoutError, APIError, type ClientOptions, OpenAI } from "openai";
import { Interrupted } from "../errors.js";
import { type Reply, readCompletion } from "./completion.js";
import type { EndpointSettings } from "./configuration.js";
import { type Failure, failureOfConnection, failureOfResponse } from "./failure.js";

/** The body of a chat completion request; vendor fields and all. */
export type RequestBody = Record<string, unknown>;

/** What one attempt came to; `latency_ms` from sending to the last byte. */
export type Attempt = (Reply & { readonly latency_ms: number }) | Failure;

/** Opens the package's client for an endpoint: no retries and no log of its own, and no key where there is none. */
export function openConnection(
  settings: EndpointSettings,
  key: string | undefined,
  fetch: ClientOptions["fetch"],
): OpenAI {
  return new OpenAI({
    baseURL: settings.base_url,
    // The package refuses to start without one; a server without keys is sent no header at all.
    apiKey: key ?? "none",
    ...(key === undefined ? { defaultHeaders: { authorization: null } } : {}),
    maxRetries: 0,
    // The deadline is ours, and ends the body too.
    timeout: 2 ** 31 - 1,
    logLevel: "off",
    fetch,
  });
}

function failureOf(error: unknown): Failure {
  // Nobody else's clock runs but the system's, which waits for a connection.
  if (error instanceof APIConnectionTimeoutError)
    return { kind: "fault", fault: "unreachable", detail: "connecting timed out" };
  if (error instanceof APIConnectionError) return failureOfConnection(error);
  if (error instanceof APIError) {
    const status: unknown = error.status;
    if (typeof status === "number") return failureOfResponse(status, error.error, error.headers);
  }
  if (error instanceof SyntaxError)
    return { kind: "fault", fault: "malformed", detail: `the response is no JSON: ${error.message}` };
  throw error;
}

/**
 * Sends a request once. Never longer than the endpoint's deadline: what hangs is cut off, in the middle of a body too.
 *
 * @throws Interrupted when `signal` fires
 */
export async function attempt(
  connection: OpenAI,
  settings: EndpointSettings,
  body: RequestBody,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Attempt> {
  if (signal.aborted) throw new Interrupted();
  const ending = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    ending.abort();
  }, settings.deadline_ms);
  const onAbort = (): void => ending.abort();
  signal.addEventListener("abort", onAbort, { once: true });
  const started = performance.now();
  try {
    const answer: unknown = await connection.post("/chat/completions", {
      body,
      headers,
      signal: ending.signal,
    });
    const read = readCompletion(answer);
    return read.kind === "reply" ? { ...read, latency_ms: Math.round(performance.now() - started) } : read;
  } catch (error) {
    if (signal.aborted) throw new Interrupted();
    if (timedOut)
      return { kind: "fault", fault: "timeout", detail: `no answer within ${settings.deadline_ms} ms` };
    return failureOf(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
