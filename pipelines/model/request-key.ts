import canonicalize from "canonicalize";
import { sha256 } from "../record/ids.js";
import type { Decoding } from "./roles.js";
import type { ModelMessage, ModelRequest } from "./types.js";

/** What goes over the wire is UTF-8, which has no lone surrogates: they become U+FFFD there, so they do here. */
const wellFormed = (text: string): string =>
  /\p{Surrogate}/u.test(text) ? Buffer.from(text, "utf8").toString("utf8") : text;

/** The messages as they are sent: only what a message is, and valid Unicode. */
export function sentMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map(({ role, content }) => ({ role, content: wellFormed(content) }));
}

/**
 * The name of a request: sha256 of the canonical JSON (RFC 8785) of all that decides its answer. The endpoint is none of
 * it, so an archive made on one server replays on another; the role is, so two probes with one model draw apart.
 *
 * @param messages as `sentMessages` gives them
 */
export function requestKey(
  request: ModelRequest,
  messages: readonly ModelMessage[],
  decoding: Decoding,
): string {
  const { role, template, seed = null, sample = 0 } = request;
  return sha256(canonicalize({ role, template, messages, decoding, seed, sample }) ?? "");
}
