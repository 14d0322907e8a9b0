import { saysOverflow } from "./context-overflow.js";
import { retryAfter } from "./retry-after.js";

/** What a server did wrong, for counting. The first five come from the connection, the others with an answer. */
export const FAULTS = [
  "unreachable",
  "reset",
  "timeout",
  "malformed",
  "empty",
  "error_body",
  "server_error",
  "rate_limit",
] as const;
export type Fault = (typeof FAULTS)[number];

/**
 * How an attempt failed, and so what to do. `told`: how long the server says to wait, in ms.
 *
 * - `overflow`: the prompt does not fit; asking again changes nothing
 * - `fatal`: nobody but a person can mend it
 * - `wait`: the server is fine and wants to be left alone for a while; no attempt is used up
 * - `fault`: the server's, which another attempt may not meet
 */
export type Failure =
  | { readonly kind: "overflow"; readonly detail: string }
  | { readonly kind: "fatal"; readonly detail: string; readonly remedy?: string; readonly status?: number }
  | { readonly kind: "wait"; readonly fault: Fault; readonly detail: string; readonly told?: number }
  | { readonly kind: "fault"; readonly fault: Fault; readonly detail: string; readonly told?: number };

interface ErrorBody {
  message?: unknown;
  code?: unknown;
  type?: unknown;
  status?: unknown;
  detail?: unknown;
  error?: unknown;
}

/**
 * A server's own words from an error body: `{"error": {"message"}}` (OpenAI), `{"error": "…"}` (Ollama), `{"message"}`
 * (older vLLM and SGLang), `{"detail"}` (FastAPI), or plain text; on one line, cut to 500 characters.
 */
export function serverWords(body: unknown): string {
  if (typeof body !== "object" || body === null) {
    const text = String(body ?? "").replace(/<[^>]*>/g, " ");
    return text.replace(/\s+/g, " ").trim().slice(0, 500);
  }
  const { message, error, detail } = body as ErrorBody;
  const inner = message ?? error ?? detail;
  return inner === undefined || inner === null ? JSON.stringify(body).slice(0, 500) : serverWords(inner);
}

function statusIn(body: unknown): number | undefined {
  const { code, status, error } = (body ?? {}) as ErrorBody;
  const own = [code, status].map(Number).find((number) => number >= 400 && number < 600);
  return own ?? (typeof error === "object" && error !== null ? statusIn(error) : undefined);
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Whether a 429 says that no waiting will help: the account is empty, or the one request is over the limit itself. */
function isHopeless(words: string, body: unknown): boolean {
  const error = ((body ?? {}) as ErrorBody).error ?? body;
  const { code, type } = (error ?? {}) as ErrorBody;
  return (
    [text(code), text(type)].includes("insufficient_quota") || /\brequest (is )?too large\b/i.test(words)
  );
}

const ofStatus = (status: number): Fault => (status === 429 ? "rate_limit" : "server_error");

/** What an HTTP status and its body mean. `fault`: what it counts as, where the status is not the server's real one. */
function failureOfStatus(
  status: number,
  body: unknown,
  headers: Headers | undefined,
  fault: Fault = ofStatus(status),
): Failure {
  const words = serverWords(body);
  const detail = words === "" ? `HTTP ${status}` : `HTTP ${status}: ${words}`;
  const told = retryAfter(headers, Date.now());
  const waiting = { fault, detail, ...(told === undefined ? {} : { told }) };
  if (status === 429)
    return isHopeless(words, body) ? { kind: "fatal", detail, status } : { kind: "wait", ...waiting };
  if (![401, 403, 404].includes(status) && saysOverflow(words)) return { kind: "overflow", detail };
  if (status === 503 && told !== undefined) return { kind: "wait", ...waiting };
  if (status >= 500 || [408, 409, 425].includes(status)) return { kind: "fault", ...waiting };
  return { kind: "fatal", detail, status };
}

/** A response that is no success. */
export const failureOfResponse = (status: number, body: unknown, headers: Headers | undefined): Failure =>
  failureOfStatus(status, body, headers);

/** An error that came as HTTP 200, as proxies and some servers send it: by the status in its body, where there is one. */
export function failureOfErrorBody(body: unknown): Failure {
  const words = serverWords(body);
  const status = statusIn(body);
  if (status !== undefined) return failureOfStatus(status, body, undefined, "error_body");
  if (saysOverflow(words)) return { kind: "overflow", detail: words };
  return { kind: "fault", fault: "error_body", detail: `an error in place of an answer: ${words}` };
}

const NOT_THERE = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ETIMEDOUT",
];

/** The innermost cause says what happened; what lies around it says only that fetching failed. */
function innermost(error: unknown): { code: string; message: string } {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const { code, message } = (inner ?? {}) as { code?: unknown; message?: unknown };
  return { code: text(code), message: text(message) };
}

/** A connection that was not made, or ended before the answer did. */
export function failureOfConnection(error: unknown): Failure {
  const { code, message } = innermost(error);
  const detail = [code, message].filter((part) => part !== "").join(" ");
  if (NOT_THERE.includes(code)) return { kind: "fault", fault: "unreachable", detail };
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^EPROTO$|ERR_TLS|ERR_SSL/.test(code))
    return { kind: "fatal", detail };
  return { kind: "fault", fault: "reset", detail: `the connection broke: ${detail}` };
}
