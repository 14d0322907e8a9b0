/** Where a text mentions a phrase, on token boundaries (spec 3): never "age" inside "average". */

import { runTogether, type Token } from "./normalise.js";
import { beginsPhrase, DETERMINERS, endsCompound } from "./noun-phrase.js";
import type { Phrase, PhraseBook } from "./phrases.js";

/** Tokens `from` (included) to `to` (excluded) name `phrase`; `exact` when even the plural endings agree. */
export interface Mention {
  readonly phrase: Phrase;
  readonly from: number;
  readonly to: number;
  readonly exact: boolean;
}

const runsOverPause = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens.slice(from + 1, to).some((token) => token.pause !== "");

/** Tokens run together, with the token that begins or ends at each place of the string. */
function layOut(tokens: readonly Token[]) {
  let text = "";
  const beginsAt = new Map<number, number>();
  const endsAt = new Map<number, number>();
  for (const [index, { key }] of tokens.entries()) {
    if (/\d$/.test(text) && /^\d/.test(key)) text += " ";
    beginsAt.set(text.length, index);
    text += key;
    endsAt.set(text.length, index + 1);
  }
  return { text, beginsAt, endsAt };
}

function plainMentions(tokens: readonly Token[], book: PhraseBook): Mention[] {
  const { text, beginsAt, endsAt } = layOut(tokens);
  const found: Mention[] = [];
  for (const [key, phrases] of book.byKey) {
    for (let place = text.indexOf(key); place >= 0; place = text.indexOf(key, place + 1)) {
      const from = beginsAt.get(place);
      const to = endsAt.get(place + key.length);
      if (from === undefined || to === undefined) continue;
      const said = runTogether(tokens.slice(from, to).map((token) => token.text));
      const broken = runsOverPause(tokens, from, to);
      for (const phrase of phrases) {
        if (broken && !phrase.hasPause) continue;
        found.push({ phrase, from, to, exact: said === phrase.joined });
      }
    }
  }
  return found;
}

/** Longest head and noun, in tokens, that are tried around an "of". */
const REACH = 5;
/** "number of singers" counts singers; it is not the singers' number. */
const COUNTING = new Set(["number", "count", "total", "amount", "quantity"]);

/** The token after the preposition at `at` and its determiners, where the preposition ties a head to its noun. */
function nounAfter(tokens: readonly Token[], at: number): number | undefined {
  if (!["of", "for", "in"].includes(tokens[at]?.text ?? "")) return undefined;
  let noun = at + 1;
  while (DETERMINERS.has(tokens[noun]?.text ?? "")) noun += 1;
  return noun;
}

/**
 * "name of the singer", "name for each singer" and "name in the singer table" mention "singer name": this is how a bare
 * word is named together with its noun. "song name of the singer" and "name of the singer's song" do not.
 */
function turnedMentions(tokens: readonly Token[], book: PhraseBook): Mention[] {
  const found: Mention[] = [];
  for (let at = 1; at < tokens.length; at += 1) {
    const noun = nounAfter(tokens, at);
    if (noun === undefined) continue;
    for (let from = at - 1; from >= Math.max(0, at - REACH); from -= 1) {
      for (let to = noun + 1; to <= Math.min(tokens.length, noun + REACH); to += 1) {
        const head = tokens.slice(from, at);
        const owner = tokens.slice(noun, to);
        if (runsOverPause(tokens, from, to)) break;
        if (!beginsPhrase(tokens, from) || !endsCompound(tokens, to)) continue;
        if (tokens[at]?.text === "in" && tokens[to]?.key !== "table") continue;
        const last = owner.at(-1);
        if (COUNTING.has(head.at(-1)?.key ?? "") && last !== undefined && last.key !== last.text) continue;
        const turned = [...owner, ...head];
        const phrases = book.byKey.get(runTogether(turned.map((token) => token.key))) ?? [];
        const said = runTogether(turned.map((token) => token.text));
        for (const phrase of phrases) found.push({ phrase, from, to, exact: said === phrase.joined });
      }
    }
  }
  return found;
}

/** Every mention of every phrase, everyday words included, in the order: earliest, then longest, then exact. */
export function findMentions(tokens: readonly Token[], book: PhraseBook): readonly Mention[] {
  return [...plainMentions(tokens, book), ...turnedMentions(tokens, book)].sort(
    (a, b) => a.from - b.from || b.to - a.to || Number(b.exact) - Number(a.exact),
  );
}
