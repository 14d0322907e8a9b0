/** One call of a part that a user runs behind an HTTP address: JSON out, JSON in (see `replies.ts` for both). */
import { setTimeout as sleep } from "node:timers/promises";
import { ModelError } from "../../errors.js";
import { EpisodeCut } from "../model-calls.js";

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 250;
const ATTEMPT_MS = 300_000;
/** What another attempt may mend; every other refusal is the user's to see. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

function waitMs(attempt: number, retryAfter: string | null): number {
  const seconds = Number(retryAfter);
  return retryAfter !== null && Number.isFinite(seconds) ? seconds * 1000 : FIRST_WAIT_MS * 2 ** attempt;
}

type Attempt = { readonly reply: unknown } | { readonly fault: string; readonly retryAfter: string | null };

async function attempt(address: string, body: string, signal: AbortSignal): Promise<Attempt> {
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]),
    });
    const text = await response.text();
    if (response.ok) return { reply: JSON.parse(text) as unknown };
    const fault = `HTTP ${response.status}: ${text.slice(0, 300)}`;
    if (PASSING.has(response.status)) return { fault, retryAfter: response.headers.get("retry-after") };
    throw new ModelError(`${address} refuses the call: ${fault}`, {
      remedy: "ambitab models check says what the address must answer",
    });
  } catch (error) {
    if (error instanceof ModelError) throw error;
    if (error instanceof SyntaxError) return { fault: "the reply is no JSON", retryAfter: null };
    const { cause, message } = error as Error & { cause?: Error };
    return { fault: cause?.message ?? message, retryAfter: null };
  }
}

/**
 * Posts one call. Faults that may pass (no connection, 408, 409, 425, 429, 5xx, no JSON) are tried again with growing
 * waits, or as long as `Retry-After` says.
 *
 * @throws EpisodeCut `model_error` when the last attempt fails or the episode's time is up; ModelError when it is refused
 */
export async function postCall(address: string, call: object, signal: AbortSignal): Promise<unknown> {
  const body = JSON.stringify(call);
  let fault = "";
  for (let count = 0; count < ATTEMPTS; count += 1) {
    const result = await attempt(address, body, signal);
    if ("reply" in result) return result.reply;
    // Its reason says whether the episode's time is up or the run is stopped.
    if (signal.aborted) throw signal.reason;
    fault = result.fault;
    if (count < ATTEMPTS - 1)
      await sleep(waitMs(count, result.retryAfter), undefined, { signal }).catch(() => undefined);
  }
  throw new EpisodeCut("model_error", `${address}: ${fault}, after ${ATTEMPTS} attempts`);
}
