/** Where a modifier begins in English, as far as closed lists, capitals and endings can tell. */
import { isGrammatical, type Token } from "../../oracle/index.js";

/** Words that begin a modifier after its noun. */
const OPENERS = new Set(
  `that which who whom whose where when with without from in at on of for by about during under over between above below
   near within having to than open available worth older younger aged located set using due against into through inside
   taking lasting costing playing starring featuring belonging running weighing starting made priced fluent eligible
   suitable capable compatible responsible`.split(/\s+/),
);
/** Openers after which a clause with its own verb follows. */
export const RELATIVE = new Set("that which who whom whose where when".split(" "));
/** Participles without an ending of their own. */
const IRREGULAR = new Set(
  "run held made built sold paid written given won taught sung shot drawn driven born bred known worn grown found seen shown cast led".split(
    " ",
  ),
);

/** A request with its tokens. */
export interface Text {
  request: string;
  tokens: readonly Token[];
}

const isCapital = ({ request }: Text, token: Token | undefined): boolean =>
  token !== undefined && /\p{Lu}/u.test(request[token.start] ?? "");

/** A word of grammar; "IT" in capitals is a noun. */
export const isGrammar = ({ request }: Text, token: Token | undefined): boolean =>
  token !== undefined &&
  isGrammatical(token.key) &&
  !/^\p{Lu}{2,}$/u.test(request.slice(token.start, token.end));

/** "filmed in", "studying Law": a participle with what follows it. Nouns in -ing ("meeting rooms") have a noun after them. */
function isParticiple(text: Text, at: number): boolean {
  const [word, next] = [text.tokens[at], text.tokens[at + 1]];
  if (word === undefined || at === 0 || isCapital(text, word)) return false;
  if (!/.{2}(?:ed|ing)$/.test(word.text) && !IRREGULAR.has(word.text)) return false;
  if (next === undefined || next.pause !== "" || isGrammatical(next.key)) return true;
  return OPENERS.has(next.text) || /^\d/.test(next.text) || isCapital(text, next);
}

/** A modifier may begin at this token. */
export const opens = (text: Text, at: number): boolean =>
  OPENERS.has(text.tokens[at]?.text ?? "") || isParticiple(text, at);
