import { html, type Markup } from "./markup.js";

interface Mark {
  readonly from: number;
  readonly to: number;
  /** Position among the ambiguities. */
  readonly at: number;
}

const isWord = (text: string | undefined): boolean => text !== undefined && /[\p{L}\p{N}_]/u.test(text);

/** Where a term stands in a request, word for word but for case. */
function placesOf(request: string, term: string, at: number): Mark[] {
  const [within, sought] = [request.toLowerCase(), term.toLowerCase()];
  // Lower case can be longer than upper case; then offsets would not fit.
  if (sought === "" || within.length !== request.length) return [];
  const found: Mark[] = [];
  for (let from = within.indexOf(sought); from >= 0; from = within.indexOf(sought, from + sought.length)) {
    const to = from + sought.length;
    const inside =
      (isWord(within[from - 1]) && isWord(sought[0])) || (isWord(within[to]) && isWord(sought.at(-1)));
    if (!inside) found.push({ from, to, at });
  }
  return found;
}

/** A request with the terms of its ambiguities marked; of two that overlap the longer is. */
export function markedRequest(
  request: string,
  terms: readonly string[],
): { markup: Markup; marked: Set<number> } {
  const all = terms
    .flatMap((term, at) => placesOf(request, term, at))
    .sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from || a.at - b.at);
  const taken: Mark[] = [];
  for (const one of all) if (taken.every(({ from, to }) => one.to <= from || one.from >= to)) taken.push(one);
  taken.sort((a, b) => a.from - b.from);
  let end = 0;
  const parts: (string | Markup)[] = [];
  for (const { from, to, at } of taken) {
    parts.push(request.slice(end, from));
    parts.push(html`<mark><a href="#ambiguity-${at + 1}">${request.slice(from, to)}</a></mark>`);
    end = to;
  }
  parts.push(request.slice(end));
  return { markup: html`${parts}`, marked: new Set(taken.map(({ at }) => at)) };
}
