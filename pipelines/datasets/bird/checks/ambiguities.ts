/** What the ambiguities of a rewritten request have to be, each by itself and beside one another. */
import { normalKey } from "../../../oracle/index.js";
import type { OpenReading, Writing, WrittenAmbiguity } from "../items.js";
import { apart, keysOf, matterOf, says } from "./words.js";

const LONGEST_TERM = 8;
const LONGEST_RESPONSE = 320;
const SQL_FORM = /\bselect\b[\s\S]*\bfrom\b|`|==|<>|!=|\b\w+\.\w+_\w+\b|\b(?:count|sum|avg|max|min)\s*\(/i;

function ofTerm({ term }: WrittenAmbiguity, { request }: Writing, point: string): string | null {
  if (term.trim() === "" || normalKey(term) === "") return `${point} has no term`;
  if (!request.toLowerCase().includes(term.toLowerCase()))
    return `the term "${term}" does not stand in the request`;
  const words = term.trim().split(/\s+/).length;
  return words > LONGEST_TERM
    ? `the term "${term}" has ${words} words, at most ${LONGEST_TERM} are wanted`
    : null;
}

/** The reference has to be stated, and not the other reading in its place. */
function ofMeaning(text: string, reading: OpenReading, what: string): string | null {
  const { reference, alternative } = apart(reading);
  const said = keysOf(text);
  if (reference.length === 0) return null;
  if (reference.some((key) => said.has(key))) return null;
  return alternative.some((key) => said.has(key))
    ? `${what} states the other reading, not what is meant (${reading.reference})`
    : `${what} does not say what is meant (${reading.reference})`;
}

function ofAnswer(one: WrittenAmbiguity, reading: OpenReading, point: string): string | null {
  const { resolution, response } = one;
  if (resolution.trim() === "" || response.trim() === "") return `${point} has no resolution or no response`;
  for (const [text, what] of [
    [resolution, `the resolution of ${point}`],
    [response, `the response of ${point}`],
  ] as const) {
    if (SQL_FORM.test(text)) return `${what} holds SQL`;
    if (text.length > LONGEST_RESPONSE) return `${what} is longer than ${LONGEST_RESPONSE} characters`;
    if (/\?\s*$/.test(text)) return `${what} is a question`;
  }
  return (
    ofMeaning(resolution, reading, `the resolution of ${point}`) ??
    ofMeaning(response, reading, `the response of ${point}`)
  );
}

/** An answer about one point may not settle another: neither by its term nor by a word that only its meaning has. */
function crossing(writing: Writing, readings: readonly OpenReading[]): string | null {
  for (const [at, one] of writing.ambiguities.entries()) {
    for (const [other, reading] of readings.entries()) {
      if (other === at) continue;
      const texts = [one.resolution, one.response, one.term, ...one.aliases];
      const mine = new Set(matterOf(`${readings[at]?.reference ?? ""} ${readings[at]?.alternative ?? ""}`));
      const telling = apart(reading).reference.filter((key) => !mine.has(key));
      const told = texts.find((text) => telling.some((key) => keysOf(text).has(key)));
      if (told !== undefined) return `"${told}" of point ${at + 1} gives away point ${other + 1}`;
      const term = writing.ambiguities[other]?.term ?? "";
      if (says(one.response, term))
        return `the response of point ${at + 1} speaks of "${term}", which is point ${other + 1}`;
    }
  }
  return null;
}

/** The first thing that is wrong with the ambiguities; null for good ones. */
export function ambiguityFault(writing: Writing, readings: readonly OpenReading[]): string | null {
  const { ambiguities } = writing;
  if (ambiguities.length !== readings.length) {
    return `there are ${ambiguities.length} ambiguities for ${readings.length} open points`;
  }
  for (const [at, one] of ambiguities.entries()) {
    const reading = readings[at];
    const point = `point ${at + 1}`;
    const fault =
      reading === undefined ? null : (ofTerm(one, writing, point) ?? ofAnswer(one, reading, point));
    if (fault !== null) return fault;
  }
  const keys = ambiguities.map(({ term }) => normalKey(term));
  if (new Set(keys).size < keys.length) return "two points have the same term";
  return crossing(writing, readings);
}
