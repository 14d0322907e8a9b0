/** A quotation, a name in backticks or a bracket: from its opening mark to just after its closing one. */
export interface Enclosure {
  start: number;
  end: number;
  open: string;
}

const BRACKETS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };
const OPENING = new Set(Object.values(BRACKETS));
const CURLY: Readonly<Record<string, string>> = { "“": "”", "‘": "’" };
const WORD = /[\p{L}\p{N}_]/u;
const isWord = (char: string | undefined): boolean => char !== undefined && WORD.test(char);
const isBlank = (char: string | undefined): boolean => char === undefined || /\s/.test(char);

/**
 * Where a straight quotation mark is closed; undefined where it is none: an apostrophe in or after a word ("players'"), or
 * a mark that never closes. A closing mark has no letter after it. Where text between the two holds a semicolon and ends
 * in a mark that may as well open a quotation of its own ("'Z; the name 'A'"), the first mark was never closed.
 */
function closingQuote(text: string, start: number): number | undefined {
  const mark = text[start] ?? "";
  if (isWord(text[start - 1])) return undefined;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] !== mark) continue;
    if (mark !== "`" && text[at + 1] === mark && isWord(text[at - 1]) && isWord(text[at + 2])) {
      at += 1; // SQL writes a quotation mark inside a literal twice.
      continue;
    }
    if (mark !== "`" && isWord(text[at + 1])) {
      const opens = isBlank(text[at - 1]) || /[=(<>,]/.test(text[at - 1] ?? "");
      if (opens && text.slice(start, at).includes(";")) return undefined;
      continue;
    }
    return at + 1;
  }
  return undefined;
}

/**
 * The outermost enclosures of a text, in order; with `quotesIn: "everywhere"` those quotations, too, that stand in
 * brackets, and no brackets. A mark without its partner is a plain character: evidence is written by
 * people, and one missing bracket must not swallow the hints after it.
 */
export function enclosures(text: string, options: { quotesIn?: "everywhere" } = {}): Enclosure[] {
  const found: Enclosure[] = [];
  const open: { bracket: string; at: number }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "'" || char === '"' || char === "`") {
      const end = closingQuote(text, at);
      if (end === undefined) continue;
      found.push({ start: at, end, open: char });
      at = end - 1;
    } else if (CURLY[char] !== undefined) {
      const end = text.indexOf(CURLY[char], at + 1);
      if (end === -1) continue;
      found.push({ start: at, end: end + 1, open: char });
      at = end;
    } else if (OPENING.has(char)) {
      open.push({ bracket: char, at });
    } else {
      const partner = open.findLastIndex(({ bracket }) => bracket === BRACKETS[char]);
      if (partner === -1) continue;
      const [first] = open.splice(partner);
      if (first !== undefined) found.push({ start: first.at, end: at + 1, open: first.bracket });
    }
  }
  if (options.quotesIn === "everywhere") return found.filter(({ open: mark }) => !OPENING.has(mark));
  const outer = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  return outer.filter(({ end }, at) => !outer.slice(0, at).some((other) => other.end >= end));
}
