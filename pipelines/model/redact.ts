/** Some servers put the request's headers into their error pages; a key is anything after "Bearer", or of OpenAI's form. */
const LIKE_A_KEY = /\bBearer\s+[^\s"',}]+|\bsk-[A-Za-z0-9_-]{8,}/g;

/** Takes a key out of a server's words, whole and in any place, before they reach a log, an error or a record. */
export function redact(text: string, key: string | undefined): string {
  const without = key === undefined || key === "" ? text : text.replaceAll(key, "[key]");
  return without.replace(LIKE_A_KEY, "[key]");
}
