/**
 * Cutting BIRD's evidence into hints (spec 2, ew-bird, step 1; paper Table 5: "split BIRD evidence on semicolons").
 */
import { enclosures } from "./enclosures.js";

/** A span of the evidence, in UTF-16 units; all spans, in order, are the evidence. */
export interface EvidencePiece {
  start: number;
  end: number;
  /**
   * `hint`: kept, exactly as written. `separator`: the semicolon. `space`: white space around a hint. `dropped`: text that
   * is no hint, and why.
   */
  kind: "hint" | "separator" | "space" | "dropped";
  why?: "truth_word" | "no_word";
}

const SEPARATOR = /[;\uff1b]/;
/** White space of every kind: what JavaScript calls so, and the marks that have no width at all. */
const BLANK = "[\\s\\u0085\\u180e\\u200b-\\u200d\\u2060]";
const LEADING = new RegExp(`^${BLANK}+`, "u");
const TRAILING = new RegExp(`${BLANK}+$`, "u");
/** Annotation tools left these behind where a hint was to stand. */
const TRUTH_WORD = /^(?:true|false)[.,]?$/i;

/** Why a text is no hint; undefined for one. */
function noHint(text: string): "truth_word" | "no_word" | undefined {
  if (TRUTH_WORD.test(text)) return "truth_word";
  return /[\p{L}\p{N}]/u.test(text) ? undefined : "no_word";
}

/** White space, the text between it, white space. */
function* piecesOf(evidence: string, start: number, end: number): Generator<EvidencePiece> {
  const text = evidence.slice(start, end);
  const from = start + (LEADING.exec(text)?.[0].length ?? 0);
  if (from > start) yield { start, end: from, kind: "space" };
  if (from === end) return;
  const to = end - (TRAILING.exec(text)?.[0].length ?? 0);
  const why = noHint(evidence.slice(from, to));
  yield why === undefined
    ? { start: from, end: to, kind: "hint" }
    : { start: from, end: to, kind: "dropped", why };
  if (to < end) yield { start: to, end, kind: "space" };
}

/**
 * Cuts evidence at each `;` or `；` that stands outside quotation marks, backticks and brackets. The pieces follow on each
 * other without a gap, what is dropped included, so that they give the evidence back letter for letter.
 *
 * @example
 * splitEvidence("a is 'x;y'; False;").filter(({ kind }) => kind === "hint") // one: "a is 'x;y'"
 */
export function splitEvidence(evidence: string): EvidencePiece[] {
  const closed = enclosures(evidence);
  const pieces: EvidencePiece[] = [];
  let from = 0;
  for (let at = 0; at < evidence.length; at += 1) {
    const around = closed.find(({ start, end }) => start < at && at < end);
    if (around !== undefined) {
      at = around.end - 1;
    } else if (SEPARATOR.test(evidence[at] ?? "")) {
      pieces.push(...piecesOf(evidence, from, at), { start: at, end: at + 1, kind: "separator" });
      from = at + 1;
    }
  }
  return [...pieces, ...piecesOf(evidence, from, evidence.length)];
}

/** The hints of an evidence, as written. */
export function hintTexts(evidence: string): string[] {
  return splitEvidence(evidence)
    .filter(({ kind }) => kind === "hint")
    .map(({ start, end }) => evidence.slice(start, end));
}
