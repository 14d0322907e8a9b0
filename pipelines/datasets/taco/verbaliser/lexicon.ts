import { isGrammatical, tokenise } from "../../../oracle/index.js";
import { NoSentence } from "./no-sentence.js";

/**
 * The verbaliser's own words, each with others that say the same: where a table's name has one ("purchase_orders",
 * "traffic_count"), the next is taken, because no word of the table's name may stand in the request. No two entries share
 * a wording, so which statement is meant does not depend on which wording was taken.
 */
export const LEXICON = {
  show: ["show", "list", "give", "display"],
  tally: ["count", "tally"],
  records: ["records", "entries", "rows", "items"],
  details: ["details", "fields"],
  count: ["count", "number of them"],
  number: ["number", "quantity"],
  average: ["average", "mean"],
  total: ["total", "sum"],
  floatTotal: ["grand total as a decimal number", "overall sum as a decimal number"],
  maximum: ["maximum", "highest", "largest"],
  minimum: ["minimum", "lowest", "smallest"],
  different: ["different", "distinct"],
  combination: ["combination", "pairing"],
  values: ["values", "contents"],
  value: ["value", "content"],
  nonMissing: ["non-missing", "known"],
  repeats: ["without repeats", "without duplicates"],
  sorted: ["sorted", "ordered", "arranged"],
  descending: ["in descending order", "from high to low"],
  keep: ["keeping", "taking"],
  first: ["first", "top"],
  next: ["next", "following"],
  skip: ["skipping", "leaving out"],
  greater: ["greater than", "more than", "above"],
  less: ["less than", "below"],
  atLeast: ["at least", "no less than"],
  atMost: ["at most", "no more than"],
  missing: ["missing", "blank"],
  contains: ["contain", "include"],
  starts: ["start with", "begin with"],
  ends: ["end with", "finish with"],
  pattern: ["match the pattern", "fit the template"],
  globPattern: ["match the case-sensitive pattern", "fit the case-sensitive template"],
  plus: ["plus"],
  minus: ["minus"],
  times: ["times", "multiplied by"],
  divided: ["divided by"],
  remainder: ["remainder", "rest"],
  followed: ["followed by"],
  group: ["groups", "sets"],
} as const satisfies Record<string, readonly [string, ...string[]]>;

export type Concept = keyof typeof LEXICON;

/** Words of content as they are compared; articles, prepositions and the like name nothing. */
export function contentKeys(text: string): string[] {
  return tokenise(text)
    .map(({ key }) => key)
    .filter((key) => !isGrammatical(key));
}

/** First words of wordings: a column that begins with one must be told apart from what the verbaliser says. */
export const OWN_WORDS: ReadonlySet<string> = new Set(
  Object.values(LEXICON).flatMap((wordings) => wordings.flatMap((wording) => contentKeys(wording))),
);

export class Words {
  readonly #avoided: ReadonlySet<string>;

  /** @param avoided keys that the sentence must not hold where it can be said without them */
  constructor(avoided: ReadonlySet<string>) {
    this.#avoided = avoided;
  }

  /** Whether a phrase holds no avoided word. */
  free(phrase: string): boolean {
    return !contentKeys(phrase).some((key) => this.#avoided.has(key));
  }

  /** The first wording that holds no avoided word. @throws NoSentence (`names_table`) where each does */
  say(concept: Concept): string {
    const wordings: readonly string[] = LEXICON[concept];
    const free = wordings.find((wording) => this.free(wording));
    if (free !== undefined) return free;
    const shown = wordings.map((wording) => `"${wording}"`).join(", ");
    throw new NoSentence(
      "names_table",
      `tables on which the statement runs have each of ${shown} in their names`,
    );
  }
}
