import { ModelError } from "../errors.js";
import type { EndpointSettings } from "./configuration.js";

/**
 * An endpoint's key as the environment holds it, often with a line's end behind it; undefined where none is sent.
 *
 * @throws ModelError, which does not show it, where it is nothing that a header may hold
 */
export function keyOf(
  { name, api_key_env }: EndpointSettings,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const key = api_key_env === undefined ? undefined : environment[api_key_env]?.trim();
  if (key === undefined || /^[\x21-\x7e]*$/.test(key)) return key;
  throw new ModelError(`the key of the endpoint "${name}" holds characters that no key has`, {
    remedy: `check ${api_key_env}`,
  });
}

/** Some servers put the request's headers into their error pages; a key is anything after "Bearer", or of OpenAI's form. */
const LIKE_A_KEY = /\bBearer\s+[^\s"',}]+|\bsk-[A-Za-z0-9_-]{8,}/g;

/** Shorter ones are stand-ins for servers that want no key; taking "x" out of a text would only make it unreadable. */
const SHORTEST = 4;

/** Takes a key out of a server's words, whole and in any place, before they reach a log, an error or a record. */
export function redact(text: string, key: string | undefined): string {
  const without = (key?.length ?? 0) < SHORTEST ? text : text.replaceAll(key!, "[key]");
  return without.replace(LIKE_A_KEY, "[key]");
}
