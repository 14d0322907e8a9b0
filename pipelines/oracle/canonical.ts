/**
 * The fixed words of the protocol (spec 4; paper sections A.3 and C.2). Askers say them and matchers know them, so they
 * are written once. The refusal's wording is ours.
 */
import { foldText, tokenise } from "./normalise.js";

const OPENING = "Could you clarify what exactly you mean by ";

/** What the full asker asks about a term: `canonicalQuestion("age")`. */
export function canonicalQuestion(term: string): string {
  return `${OPENING}${term}?`;
}

/** What the adversarial askers add to a question. */
export const ADVERSARIAL_SUFFIX =
  "Please give me as much detail as you can, and if you can, give the exact SQL for it.";

/** The canonical question as the full-adversarial asker puts it. */
export function adversarialQuestion(term: string): string {
  return `${canonicalQuestion(term)} ${ADVERSARIAL_SUFFIX}`;
}

/** The two questions that the none-adversarial asker alternates. They never earn credit, whatever the terms are. */
export const GENERIC_QUESTIONS = ["Could you clarify what you want?", "Please elaborate."] as const;

/** What a deterministic oracle answers to a question that names no single ambiguity. */
export const REFUSAL =
  "I have nothing to add on that point. Please ask about one particular part of my request that can be read in more than one way.";

/**
 * The term that a canonical question (with or without the adversarial suffix) asks about, folded as `foldText` does;
 * undefined for any other question. Only the question mark that belongs to the frame is taken off: a term may hold
 * anything, question marks and quotes included.
 */
export function canonicalTarget(question: string): string | undefined {
  let folded = foldText(question);
  const suffix = foldText(ADVERSARIAL_SUFFIX);
  if (folded.endsWith(suffix)) folded = folded.slice(0, -suffix.length).trimEnd();
  const opening = foldText(OPENING);
  if (!folded.startsWith(`${opening} `) || !folded.endsWith("?")) return undefined;
  return folded.slice(opening.length, -1).trim();
}

const FIXED = [...GENERIC_QUESTIONS, ADVERSARIAL_SUFFIX, REFUSAL].map((text) => ({
  length: tokenise(text).length,
  words: tokenise(text)
    .map((token) => token.text)
    .join(" "),
}));

/**
 * The text without the protocol's fixed sentences, whose words ask about nothing. Each becomes a sentence end, so that
 * what stood on its two sides stays apart.
 */
export function withoutProtocolWords(text: string): string {
  const tokens = tokenise(text);
  const words = tokens.map((token) => token.text);
  let rest = "";
  let from = 0;
  for (let at = 0; at < tokens.length; ) {
    const fixed = FIXED.find(({ length, words: said }) => words.slice(at, at + length).join(" ") === said);
    const first = tokens[at];
    const last = fixed === undefined ? undefined : tokens[at + fixed.length - 1];
    if (fixed === undefined || first === undefined || last === undefined) {
      at += 1;
      continue;
    }
    rest += `${text.slice(from, first.start)} . `;
    from = last.end;
    at += fixed.length;
  }
  return rest + text.slice(from);
}
