/** Telling SQL and names of columns from words of a sentence, and saying the latter in words. */

/** SQL's own words and BIRD's made-up functions, which no person would ask about. */
const SQL_WORD =
  /^(?:select|from|where|and|or|not|in|like|between|is|null|max|min|avg|sum|count|total|distinct|divide|subtract|multiply|add|cast|as|real|strftime|substr|substring|year|month|day|case|when|then|else|end|group|by|order|limit|desc|asc|having|iif|date|datediff|concat|round|length|on|join)$/i;
const FUNCTION_CALL =
  /\b(?:max|min|avg|sum|count|counts?|cound|total|distinct|div[id]*e|subtract|multiply|add|cast|strftime|substr(?:ing)?|year|month|date|datediff|round|length|instr|abs|percentage)\s*\(/i;
const OPERATOR = /[=<>≥≤]|\b(?:IS (?:NOT )?NULL|BETWEEN|LIKE|IN\s*\()|\b(?:in|IN)\s*\(\s*['"\d]/;

export const isSqlWord = (word: string): boolean => SQL_WORD.test(word);

/** A name as columns are written: snake_case, camelCase, `A11`, `table.column`, in backticks. */
export function isIdentifier(text: string): boolean {
  const name = text.trim();
  if (/^`[^`]+`$/.test(name)) return true;
  if (/\s/.test(name) || !/^[\p{L}_]/u.test(name)) return false;
  return (
    /_|\p{Ll}\p{Lu}/u.test(name) ||
    /^\p{Lu}\p{N}+$/u.test(name) ||
    /^[\p{L}_][\p{L}\p{N}_]*\.[\p{L}_][\p{L}\p{N}_]*$/u.test(name)
  );
}

const QUOTED = /^(?:'[^']*'|"[^"]*"|“[^”]*”)$/;

/** A literal by itself, in quotation marks. */
export const isLiteral = (text: string): boolean => QUOTED.test(text.trim());

/** SQL, a column's name or a literal: no phrase that a person would put in a sentence. */
export function isCode(text: string): boolean {
  const said = text.trim();
  if (isIdentifier(said) || isLiteral(said)) return true;
  // What stands in quotation marks is a value, whatever is in it.
  const plain = said.replace(/'[^']*'|"[^"]*"/g, "''");
  return OPERATOR.test(plain) || FUNCTION_CALL.test(plain);
}

/** `superhero_name` → "superhero name", `T1.avgScrMath` → "avg scr math". */
export function nameInWords(name: string): string {
  return name
    .replace(/[`"'[\]]/g, "")
    .replace(/^[\p{L}_][\p{L}\p{N}_]*\.(?=[\p{L}_])/u, "")
    .replace(/_/g, " ")
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\p{Lu}\p{Ll}+/gu, (word) => word.toLowerCase());
}

/** Names and plain words of a SQL text that may be columns, in order, each once. */
export function namesIn(code: string): string[] {
  const plain = code.replace(/'[^']*'|"[^"]*"/g, " ");
  const names = [...plain.matchAll(/`[^`]+`|[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)?/gu)]
    .map(([name]) => name)
    .filter((name) => !isSqlWord(name));
  return [...new Set(names)];
}

/** Words before a formula that follows without a word between ("highest star rating Max(stars)"). */
export function wordsBeforeCode(text: string): string | undefined {
  const call = /^(.*?[\p{L}\p{N}])\s+(?:[A-Za-z]+\s*\(|[\p{L}_][\p{L}\p{N}_.]*\s*[=<>])/u.exec(text)?.[1];
  return call === undefined || isCode(call) ? undefined : call;
}
