/**
 * The phrase that a hint defines: what a person would ask about (spec 2, ew-bird, step 2). Read from the hint's form; the
 * question decides only where the form leaves two sides open ("A11 refers to average salary").
 */
import { normalKey } from "../../../oracle/index.js";
import { isCode, isIdentifier, isLiteral, nameInWords, namesIn, wordsBeforeCode } from "./code-words.js";
import type { Definition } from "./definition.js";
import { phraseFrom, saidIn, sharedRun } from "./question-run.js";

const MARKS = "\"'`“”‘’";
const LEADING = /^(?:(?:the|a|an|that|it|this|these|those)\s+|[\s,.:;–-]+)/i;
const TRAILING = /[\s,.:;–-]+$|,?\s+(?:it|which|that|this|also|can|should|may|could|then|therefore)$/i;

/** Takes off a pair of quotation marks around the whole, or one that stands alone at an end. */
function withoutMarks(text: string): string {
  const first = text[0] ?? "";
  const last = text.at(-1) ?? "";
  const inner = text.slice(1, -1);
  const paired = text.length > 1 && MARKS.includes(first) && MARKS.includes(last);
  if (paired && !inner.includes(first) && !inner.includes(last)) return inner;
  const marks = (mark: string): number => text.split(mark).length - 1;
  if (text.length > 1 && MARKS.includes(last) && marks(last) % 2 === 1) return text.slice(0, -1);
  if (text.length > 1 && MARKS.includes(first) && marks(first) % 2 === 1) return text.slice(1);
  return text;
}

/**
 * A phrase without articles before it, stops around it and quotation marks about the whole of it. What was in quotation
 * marks keeps its article, which belongs to a title or a name ("A Lion").
 */
export function tidy(phrase: string): string {
  let text = phrase.replace(/\s+/g, " ").trim();
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(TRAILING, "").trim();
    const bare = withoutMarks(text);
    if (bare !== text) return bare.replace(TRAILING, "").trim();
    text = text.replace(LEADING, "").trim();
  }
  return text;
}

/** What the right side says at its beginning, without where it is kept and what else is listed after it. */
function phraseOnRight(right: string): string {
  const [first = ""] = right.split(
    /,\s*(?=[\p{L}_][\p{L}\p{N}_.]*\s*[=<>])|\s+(?:where|in which)\s|\s*\(i\.e|,\s+including\s/u,
  );
  return tidy(first.replace(/^(?:the )?(?:information|data|records?)\s+(?:about|of|on)\s+/i, ""));
}

/** What a formula without a subject computes, as the question calls it. */
const COMPUTED: readonly (readonly [RegExp, RegExp])[] = [
  [/\bas percent(?:age)?\b|\*\s*100\b/i, /^(?:percent|percentage|percentages|proportion|rate)$/],
  [/^\(*(?:div[id]*e|multiply)\s*\(/i, /^(?:percent|percentage|proportion|ratio|rate|average|times)$/],
  [
    /^\(*subtract\s*\(|\)\s*-\s*\(?[a-z]+\s*\(/i,
    /^(?:difference|gap|more|higher|lower|fewer|less|age|old|long)$/,
  ],
  [/^avg\s*\(/i, /^(?:average|mean)$/],
  [/^max\s*\(/i, /^(?:most|mostly|highest|largest|biggest|greatest|maximum|longest|latest|oldest)$/],
  [/^min\s*\(/i, /^(?:least|lowest|smallest|minimum|shortest|earliest|youngest)$/],
  [/^count\s*\(/i, /^(?:number|count|many)$/],
  [/^(?:sum|total)\s*\(/i, /^(?:total|sum|number|many)$/],
];

/** Of SQL alone: the literal or words that the question shares with it, what it computes, else its first column. */
function termOfCode(code: string, question: string): string {
  const computed = COMPUTED.filter(([form]) => form.test(code)).flatMap(
    ([, word]) => phraseFrom(question, word) ?? [],
  )[0];
  if (computed !== undefined && /^\(*[a-z]+\s*\(/i.test(code)) return computed;
  const literals = [...code.matchAll(/'([^']+)'|"([^"]+)"/g)].map((match) => match[1] ?? match[2] ?? "");
  for (const literal of literals) {
    const said = /\p{L}{2}/u.test(literal) ? saidIn(question, literal) : undefined;
    if (said !== undefined) return said;
  }
  if (computed !== undefined) return computed;
  const names = namesIn(code).map(nameInWords);
  for (const name of names) {
    const said = saidIn(question, name);
    if (said !== undefined) return said;
  }
  return names[0] ?? "";
}

/** Of a sentence that defines nothing by its form: what it shares with the question, else all of it where it is short. */
function termOfSentence(text: string, question: string): string {
  const before = wordsBeforeCode(text);
  if (before !== undefined) return tidy(before);
  if (isCode(text)) return termOfCode(text, question);
  const run = sharedRun(question, text);
  if (run !== undefined && (run.content > 1 || text.split(/\s+/).length > 6)) return run.text;
  return tidy(text);
}

/** An instruction ("Should count distinct atoms") or a condition ("if a > b, it means …") has no subject on its left. */
const NO_SUBJECT = /^(?:there|should|don't|do not|only|please|must|need|final result)?$|^if\b/i;

const INSTRUCTION = /^(?:be )?(?:compute|count|consider|return|calculate|include|use)\s+/i;

/**
 * The term of a hint. Not empty after normalisation where the hint or the question has a word or number at all.
 *
 * @example
 * termOf(readDefinition("element = 'cl' means Chlorine"), question) // "Chlorine"
 */
export function termOf(definition: Definition, hint: string, question: string): string {
  const { left, right, shape } = definition;
  const candidates: (() => string)[] = [];
  if (shape === "bare") {
    candidates.push(() => termOfSentence(hint, question));
  } else if (NO_SUBJECT.test(left)) {
    candidates.push(
      () => (/^if\b/i.test(left) ? "" : (sharedRun(question, hint)?.text ?? "")),
      () => phraseOnRight(right.replace(INSTRUCTION, "")),
    );
  } else if (shape === "formula" && isLiteral(right) && saidIn(question, left) === undefined) {
    // A condition by itself ("Location = 'United Kingdom'").
    candidates.push(() => saidIn(question, right) ?? tidy(left));
  } else if (!isCode(left)) {
    candidates.push(() => tidy(left));
  } else {
    const bare = isIdentifier(left) || isLiteral(left);
    const said = bare ? saidIn(question, tidy(left)) : undefined;
    if (said !== undefined) candidates.push(() => said);
    const before = bare ? undefined : wordsBeforeCode(left);
    if (before !== undefined) candidates.push(() => tidy(before));
    if (shape !== "formula" && right !== "" && (isLiteral(right) || !isCode(phraseOnRight(right)))) {
      candidates.push(() => phraseOnRight(right));
    }
    candidates.push(() => termOfCode(hint, question));
  }
  candidates.push(
    () => tidy(right),
    () => sharedRun(question, hint)?.text ?? "",
    () => tidy(hint),
    () => question,
  );
  for (const candidate of candidates) {
    const term = candidate();
    if (normalKey(term) !== "") return term;
  }
  return tidy(hint);
}
