/**
 * BIRD's evidence as ambiguities (spec 2, ew-bird, steps 1 and 2): cut into hints, each with the phrase that it defines,
 * the concepts that it is recognised by and the words in which a person would say it.
 */
import { normalKey } from "../../../oracle/index.js";
import { conceptsOf } from "./concepts.js";
import { type HintShape, readDefinition } from "./definition.js";
import { responseOf } from "./response.js";
import { type EvidencePiece, splitEvidence } from "./split-evidence.js";
import { termOf } from "./term.js";

export { conceptsOf } from "./concepts.js";
export { HINT_SHAPES, type HintShape, readDefinition } from "./definition.js";
export { type Enclosure, enclosures } from "./enclosures.js";
export { responseOf } from "./response.js";
export { type EvidencePiece, hintTexts, splitEvidence } from "./split-evidence.js";
export { termOf } from "./term.js";

/** One hint of an evidence, read. */
export interface Hint {
  /** Exactly as written. */
  text: string;
  shape: HintShape;
  term: string;
  concepts: string[];
  response: string;
}

/** One or several hints that define the same phrase. */
export interface MaskedHint {
  term: string;
  /** The hints as written, joined by "; " where there are several. */
  resolution: string;
  response: string;
  concepts: string[];
  /** Positions of its hints among those of the evidence. */
  hints: number[];
}

export interface ReadEvidence {
  pieces: EvidencePiece[];
  hints: Hint[];
  /** In the hints' order; terms differ after normalisation and are not empty. */
  masked: MaskedHint[];
}

/** Reads one hint; `question` is the row's, which tells what a person asked about. */
export function readHint(text: string, question: string): Hint {
  const definition = readDefinition(text);
  const term = termOf(definition, text, question);
  return {
    text,
    shape: definition.shape,
    term,
    concepts: conceptsOf(text),
    response: responseOf(text, definition),
  };
}

function merge(hints: readonly Hint[]): MaskedHint[] {
  const byTerm = new Map<string, MaskedHint>();
  for (const [at, hint] of hints.entries()) {
    const key = normalKey(hint.term);
    const known = byTerm.get(key);
    if (known === undefined) {
      const { term, text, response, concepts } = hint;
      byTerm.set(key, { term, resolution: text, response, concepts: [...concepts], hints: [at] });
      continue;
    }
    known.hints.push(at);
    known.resolution += `; ${hint.text}`;
    if (known.response !== hint.response) known.response += ` ${hint.response}`;
    const have = new Set(known.concepts.map(normalKey));
    known.concepts.push(...hint.concepts.filter((concept) => !have.has(normalKey(concept))));
  }
  return [...byTerm.values()];
}

/**
 * Reads a row's evidence. Without hints `masked` is empty.
 *
 * @example
 * readEvidence("female refers to gender = 'F'", "How many women …?").masked[0]?.term // "female"
 */
export function readEvidence(evidence: string, question: string): ReadEvidence {
  const pieces = splitEvidence(evidence);
  const hints = pieces
    .filter(({ kind }) => kind === "hint")
    .map(({ start, end }) => readHint(evidence.slice(start, end), question));
  return { pieces, hints, masked: merge(hints) };
}
