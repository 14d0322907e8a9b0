/**
 * Words that name no ambiguity by themselves (spec 3: "a bare everyday word … would credit any question that contains
 * it"). The lists are closed, and a word is in one only because questions about *other* things of the same schema use it:
 *
 * - attribute words: a property that things of every kind have. "citizenship" or "age" is not one, for it says whose
 *   property it is; "name" is, for stadiums, singers and songs all have one.
 * - query words: what people call the parts of an answer and of SQL ("sort the results", "how many rows"), and verbs of
 *   requests that are also names of things ("show", "like").
 * - calculation words: what formulas yield ("percentage = …"), which questions about their digits and order name as well.
 * - asking words and function words: what any question is made of.
 */
import { singularKey } from "./plural.js";

const keysOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).map(singularKey));

const ATTRIBUTE = keysOf(
  `name title label id identifier identity key code number no num nr index type kind category date time year month day
   description desc detail info information note comment remark text value amount quantity status`,
);

const REQUEST_VERB = keysOf(
  `count display filter find get group help include like limit list make need order rank return see select show sort use
   want`,
);

const QUERY_NOUN = keysOf(
  `answer attribute column data database dataset distinct duplicate entry field format item output query question record request
   result row sentence sql statement table total unique`,
);

const CALCULATION = keysOf(`average calculation difference percent percentage proportion ratio`);

const ASKING = keysOf(
  `ask asking clarify clarification could define elaborate exact exactly explain give intend know like mean
   meaning means meant please precisely really refer referring refers say should specifically specify tell understand
   want would`,
);

const FUNCTION = keysOf(
  `a about across actually after all also among an and any are as at be been before being between both but by can did do
   does doing each either every for from had has have having he her here his how i if in into is it its just many may me
   might more most much must my no nor not of on one only or other our out over own per same shall she so some such than
   that the their them then there these they this those through to too under until up us versus very vs was we were what
   when where whether which while who whom whose why will with within without you your yours`,
);

/** How much a mention of a phrase says: see `strengthOf`. */
export type Strength = "specific" | "compound" | "bare";

/**
 * `specific`: has a word that is in none of the lists; a plain mention counts.
 * `compound`: everyday words only, but two or more of them attribute or query words ("type description", "record id"),
 * which together name something; it counts where it stands as a noun phrase of its own, not inside a longer one
 * ("property type description") and not as a verb with its object ("show names").
 * `bare`: any other phrase of everyday words; it counts when quoted or as the target of a question about meaning.
 */
export function strengthOf(keys: readonly string[]): Strength {
  if (!keys.every(isEveryday)) return "specific";
  return keys.filter((key) => isAttributeWord(key) || isQueryWord(key)).length >= 2 ? "compound" : "bare";
}

/** A word of the asking itself or of grammar: it can be no part of the noun phrase beside it. */
export const isGrammatical = (key: string): boolean => FUNCTION.has(key) || ASKING.has(key);
export const isRequestVerb = (key: string): boolean => REQUEST_VERB.has(key);
export const isQueryWord = (key: string): boolean => QUERY_NOUN.has(key) || REQUEST_VERB.has(key);
export const isAttributeWord = (key: string): boolean => ATTRIBUTE.has(key);
export const isCalculationWord = (key: string): boolean => CALCULATION.has(key);
const isEveryday = (key: string): boolean =>
  isGrammatical(key) || isQueryWord(key) || isAttributeWord(key) || isCalculationWord(key);
