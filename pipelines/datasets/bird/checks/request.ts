/** What a rewritten request may not be, as far as its text tells. Each check gives a complaint that the rewriter is told. */
import { tokenise } from "../../../oracle/index.js";
import type { OpenReading, Writing } from "../items.js";
import { apart, keysOf, says } from "./words.js";

export interface CheckedRow {
  question: string;
  evidence: string;
  readings: readonly OpenReading[];
  sql: string;
}

/** A request as long as this beside its question has become an explanation. */
const MOST_GROWTH = 1.8;
const FREE_GROWTH = 120;

const SQL_FORM =
  /\bselect\b[\s\S]*\bfrom\b|\b(?:inner|left) join\b|\bgroup by\b|\border by\b|\bwhere\s+\w+\s*[=<>]|`|==|<>|!=|\b[a-z]+\w*\.[a-z]+\w*_\w+\b/i;
const IDENTIFIER = /\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b/g;
const HEDGE =
  /\b(?:ambiguous|unclear|unspecified|to be clarified|whichever you mean|not specified|open to interpretation)\b/i;

/** SQL, or names that are written as no person writes them. */
function sqlInside({ request }: Writing, { question }: CheckedRow): string | null {
  if (SQL_FORM.test(request) && !SQL_FORM.test(question)) return "the request holds SQL";
  const name = [...request.matchAll(IDENTIFIER)].find(([word]) => !question.includes(word))?.[0];
  return name === undefined ? null : `the request holds the name "${name}", which is no word of a sentence`;
}

function tooLong({ request }: Writing, { question }: CheckedRow): string | null {
  const most = Math.round(question.length * MOST_GROWTH + FREE_GROWTH);
  return request.length <= most
    ? null
    : `the request has ${request.length} characters, at most ${most} are wanted`;
}

/** Another script than the question's, or hardly a word of English grammar and of the question. */
function otherLanguage({ request }: Writing, { question }: CheckedRow): string | null {
  const foreign = (text: string): number =>
    text.match(/[^\p{sc=Latin}\p{sc=Common}\p{sc=Inherited}]/gu)?.length ?? 0;
  const grammar =
    /\b(?:the|of|is|are|was|were|in|for|and|to|which|what|who|how|list|give|show|find|name|please|with|that|all|many|calculate|provide|state|identify|count)\b/gi;
  const words = tokenise(request).length;
  const english = request.match(grammar)?.length ?? 0;
  if (foreign(request) > foreign(question) || words < 2 || english === 0)
    return "the request is not a sentence in English";
  return null;
}

/** A word that only the meant reading has, or the meant reading itself. */
function givesAway({ request, ambiguities }: Writing, { readings }: CheckedRow): string | null {
  const said = keysOf(request);
  for (const [at, reading] of readings.entries()) {
    const own = apart(reading).reference.filter((key) => said.has(key));
    if (own.length > 0) return `the request says "${own.join(", ")}", which decides point ${at + 1}`;
    const other = apart(reading).alternative.filter((key) => said.has(key));
    if (other.length > 0)
      return `the request says "${other.join(", ")}", which points to the wrong reading of point ${at + 1}`;
    const resolution = ambiguities[at]?.resolution ?? "";
    if (request.toLowerCase().includes(resolution.toLowerCase().replace(/[.\s]+$/, ""))) {
      return `the request holds the resolution of point ${at + 1}`;
    }
  }
  return null;
}

function evidenceInside({ request }: Writing, { evidence }: CheckedRow): string | null {
  const bared = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();
  const copied = evidence
    .split(/[;；]/)
    .map(bared)
    .find((hint) => hint.length >= 25 && bared(request).includes(hint));
  return copied === undefined ? null : `the request copies the hint "${copied}"`;
}

/** Values that the question says and no open point touches have to be said still. */
function lostValues({ request }: Writing, { question, sql, readings }: CheckedRow): string | null {
  const values = [...sql.matchAll(/'((?:[^']|'')*)'|\b(\d+(?:\.\d+)?)\b/g)].map(
    (match) => match[1]?.replaceAll("''", "'").replaceAll("%", "") ?? match[2] ?? "",
  );
  const open = readings.map(({ reference, alternative }) => `${reference} ${alternative}`);
  const lost = values.find(
    (value) =>
      says(question, value) && !says(request, value) && !open.some((reading) => says(reading, value)),
  );
  return lost === undefined ? null : `the request no longer says "${lost}"`;
}

const hedged = ({ request }: Writing): string | null =>
  HEDGE.test(request) ? "the request says that something is unclear" : null;

const CHECKS = [otherLanguage, sqlInside, tooLong, hedged, evidenceInside, givesAway, lostValues];

/** The first thing that is wrong with a request; null for a good one. */
export function requestFault(writing: Writing, row: CheckedRow): string | null {
  for (const check of CHECKS) {
    const complaint = check(writing, row);
    if (complaint !== null) return complaint;
  }
  return null;
}
