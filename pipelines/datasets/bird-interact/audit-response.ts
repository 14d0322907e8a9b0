/**
 * The mechanical audit of a response (spec 2, bird-interact, step 4): no SQL, no identifier salad, answers the term, one
 * to three sentences, differs from the record's other responses, and neither asks nor repeats what must stay private.
 */
import { normalKey, tokenise } from "../../oracle/index.js";
import { bared } from "../../record/bared.js";

/** What a response must not say, and what it must be told apart from. */
export interface ResponseSetting {
  term: string;
  /** Responses of the record's other ambiguities. */
  others: readonly string[];
  /** The reference SQL and the clear request: never in a response, whole or in long part. */
  secrets: readonly string[];
}

const LONGEST = 600;
const MOST_SENTENCES = 3;

/** Clauses and calls that only SQL has; a keyword alone may be a word ("select", "from"). */
const SQL_SIGNS: readonly RegExp[] = [
  /\bselect\b[\s\S]{1,200}\bfrom\b\s+[a-z_"]/i,
  /\b(?:GROUP BY|ORDER BY|HAVING|INNER JOIN|LEFT JOIN|UNION ALL|CASE WHEN|IS NOT NULL|PARTITION BY)\b/,
  /\b(?:WHERE|SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (?:OR REPLACE )?(?:VIEW|FUNCTION|TABLE|TRIGGER)|ALTER TABLE)\b/,
  /\b(?:COUNT|SUM|AVG|MIN|MAX|ROUND|ABS|CAST|COALESCE|NULLIF|LOWER|UPPER|EXTRACT|REPLACE|PERCENTILE_CONT)\s*\(/,
  /::\s*[a-z]/i,
  /->>?/,
  // A semicolon joins sentences, too; it is SQL's where a statement follows or nothing does.
  /<>|!=|;\s*$|;\s*(?:select|with|insert|update|delete|create|drop|alter)\b|\/\*|--\s/i,
  /```/,
];

const sentencesOf = (text: string): string[] =>
  text
    .replace(/\b(?:e\.g|i\.e|etc|approx|vs|no)\./gi, (match) => match.replaceAll(".", ""))
    .split(/[.!?…]+["”’)]*(?:\s+|$)/)
    .filter((sentence) => sentence.trim() !== "");

/** `snake_case`, `a.b`, `"quoted"."names"`, `camelCase` (but not `iPhone`-like single words of prose: two humps). */
const IDENTIFIER =
  /\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b[a-z_]\w*\.[a-z_]\w*\b|"\."|\b[a-z]+[A-Z]\w*[a-z]\b|\b(?:[A-Z][a-z]+){2,}\b/g;
const MOST_IDENTIFIERS = 2;

const LONG = 24;

/** Whether a long piece of a secret stands in the text. */
function tells(text: string, secret: string): boolean {
  const hay = bared(text);
  const needle = bared(secret);
  if (needle.length < LONG) return needle.length >= 12 && hay.includes(needle);
  for (let at = 0; at + LONG <= needle.length; at += 4) {
    // A whole sentence of the request that is also the answer is the person's own wording; 24 characters are not chance.
    if (hay.includes(needle.slice(at, at + LONG * 2))) return true;
  }
  return false;
}

const words = (text: string): string =>
  ` ${tokenise(text)
    .map(({ key }) => key)
    .join(" ")} `;

/** What is wrong with a response, one sentence each; empty when the audit passes. */
export function responseFaults(response: string, { term, others, secrets }: ResponseSetting): string[] {
  const faults: string[] = [];
  const text = response.trim();
  if (text === "") return ["it is empty"];
  if (text.length > LONGEST) faults.push(`it is longer than ${LONGEST} characters`);
  const count = sentencesOf(text).length;
  if (count > MOST_SENTENCES) faults.push(`it has ${count} sentences, and may have one to ${MOST_SENTENCES}`);
  if (/\?["”’)]*\s*$/.test(text)) faults.push("it asks a question");
  if (SQL_SIGNS.some((sign) => sign.test(text))) faults.push("it has SQL in it");
  const identifiers = text.match(IDENTIFIER) ?? [];
  if (identifiers.length > MOST_IDENTIFIERS)
    faults.push(`it is a salad of identifiers (${identifiers.slice(0, 3).join(", ")}, …)`);
  if (!words(text).includes(words(term))) faults.push(`it does not say what it answers ("${term}")`);
  if (others.some((other) => normalKey(other) === normalKey(text)))
    faults.push("another ambiguity of the record has the same response");
  if (secrets.some((secret) => tells(text, secret)))
    faults.push("it repeats the reference SQL or the clear request");
  return faults;
}
