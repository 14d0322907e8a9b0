/** Quoted spans of a question (spec 3: '…', "…", “…”, `…`), told apart from apostrophes. */

/** Offsets, in code units of the original text, of what stands between two quotation marks. */
export interface QuotedSpan {
  readonly start: number;
  readonly end: number;
}

/** Doubled marks (``…'' as in Spider's questions) count as one; a curly closing mark is no apostrophe in a word. */
const STYLES: readonly RegExp[] = [
  /"([^"]+)"/g,
  /“([^“”]+)”/g,
  /„([^„“”]+)[“”]/g,
  /«([^«»]+)»/g,
  /(?:``|'')(?=\S)((?:(?!``|'').)+)(?:''|``)/gs,
  /(?<!`)`(?!`)([^`]+)`(?!`)/g,
  // A straight mark opens only where no word precedes it and closes only where none follows: don't, singers', '90s.
  /(?<![\p{L}\p{N}'])'(?=[^\s'])((?:[^']|(?<=[\p{L}\p{N}])'(?=[\p{L}\p{N}]))*[^\s'])'(?![\p{L}\p{N}'])/gu,
  /(?<![\p{L}\p{N}])‘(?=\S)((?:[^‘’]|(?<=[\p{L}\p{N}])’(?=[\p{L}\p{N}]))+)’(?![\p{L}\p{N}])/gu,
];

/** All spans, by where they open; one may lie within another. */
export function quotedSpans(text: string): readonly QuotedSpan[] {
  const spans = STYLES.flatMap((style) =>
    [...text.matchAll(style)].map((match) => {
      const inner = match[1] ?? "";
      const start = match.index + match[0].indexOf(inner, 1);
      return { start, end: start + inner.length };
    }),
  );
  return spans.sort((a, b) => a.start - b.start || b.end - a.end);
}
