/**
 * How servers say that a prompt does not fit, in the words of OpenAI, vLLM, SGLang, llama.cpp, Ollama, LM Studio, TGI,
 * Mistral, Anthropic and Gemini. They share no code or status, so the words decide.
 */
const SAYINGS = [
  /context_length_exceeded|exceed_context_size/i,
  /maximum context length|max(imum)?[_ ]model[_ ]len/i,
  /(exceeds?|longer than|larger than|over|greater than)\b.{0,60}\bcontext (length|size|window)/i,
  /context (length|size|window)\b.{0,40}\b(exceeded|overflow|is too small|is not enough)/i,
  /input length \(?\d+.{0,40}exceeds the maximum allowed length/i,
  /(prompt|inputs?) (is )?too (long|large)\b(?!.*\bbatch size\b)/i,
  /`?inputs`? (tokens \+|must have less than)/i,
  /input token count.{0,40}exceeds the maximum/i,
];

/** Whether a server's words say that the prompt does not fit its context. */
export function saysOverflow(words: string): boolean {
  return SAYINGS.some((saying) => saying.test(words));
}

/**
 * Whether no prompt at all would fit, because the answer alone may be as long as the context that the server names: then
 * the configuration is wrong, and not the prompt.
 */
export function leavesNoRoom(words: string, maxTokens: number | null): boolean {
  const [, stated] = /context (?:length|size|window)[^\d]{0,20}(\d+)/i.exec(words) ?? [];
  return maxTokens !== null && stated !== undefined && maxTokens >= Number(stated);
}
