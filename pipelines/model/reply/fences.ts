/** A fenced block of a reply. */
export interface Fence {
  /** The word behind the opening fence, in lower case; empty where there is none. */
  readonly language: string;
  readonly text: string;
  readonly start: number;
  /** Behind the closing fence; the text's end where it was left out. */
  readonly end: number;
}

/** A language stands alone on the opening line; before text on the same line only a known one is a language. */
const OPENING = /(`{3,}|~{3,})[ \t]*(?:([\w+-]*)[^\S\n]*\n|(sql|sqlite|postgres|postgresql|json)\b)?/gi;

/** The fenced blocks of a text, in order. The last one may have been left open. */
export function fences(text: string): Fence[] {
  const found: Fence[] = [];
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match !== null; match = OPENING.exec(text)) {
    const [opening, marks = "", ofLine, beside] = match;
    const language = ofLine ?? beside ?? "";
    const from = match.index + opening.length;
    const closing = text.indexOf(marks, from);
    const end = closing < 0 ? text.length : closing + marks.length;
    const inner = text.slice(from, closing < 0 ? text.length : closing).trim();
    found.push({ language: language.toLowerCase(), text: inner, start: match.index, end });
    OPENING.lastIndex = end;
  }
  return found;
}
