import type { ModelMessage } from "./types.js";

/**
 * The pieces that byte-pair tokenizers (GPT-4's, Qwen's, Llama's) cut a text into before they merge: no token reaches over
 * a cut, so a text has at least as many tokens as pieces. Digits are cut one by one by Qwen and in threes by others.
 */
const PIECES =
  /'(?:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+/giu;

/**
 * A number of tokens that a prompt has at least, by any of those tokenizers: an estimate from below, so that a request is
 * only held back when it cannot fit. What it lets through, the server decides.
 */
export function leastTokens(messages: readonly ModelMessage[]): number {
  let count = 0;
  for (const { content } of messages) count += content.match(PIECES)?.length ?? 0;
  return count;
}
