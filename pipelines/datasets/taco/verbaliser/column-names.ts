import { isGrammatical, tokenise } from "../../../oracle/index.js";
import { foldName } from "../schema.js";
import { OWN_WORDS } from "./lexicon.js";
import { NoSentence } from "./no-sentence.js";

/** How a column is called in a sentence, without an article. */
export interface ColumnPhrase {
  text: string;
  /** It reads as a plural ("the acres are"). */
  plural: boolean;
}

/** Names of letters and digits with the usual separators read as words; others only as they are written. */
const WORDS_ONLY = /^[A-Za-z][A-Za-z0-9]*(?:[ _-]+[A-Za-z0-9]+)*[ _-]*$/;

/** `SITE_NAME` → `site name`, `FacilityType` → `facility type`, `OBJECTID` → `object ID`; undefined where it is no words. */
export function columnWords(name: string): string | undefined {
  if (!WORDS_ONLY.test(name)) return undefined;
  const words = tokenise(name).flatMap(({ text, start, end }) => {
    const written = name.slice(start, end);
    if (/^ids?$/.test(text)) return [text === "id" ? "ID" : "IDs"];
    if (text.length > 6 && /[A-Z]ID$/.test(written)) return [text.slice(0, -2), "ID"];
    return [isAbbreviation(written) ? written : text];
  });
  return words.length === 0 ? undefined : words.join(" ");
}

const SHORT_WORDS = new Set(
  "age area bus car day due fax fee fir ft in job key kg km lat lb lon lot lng map max mi min name no oak off on per row sex sum tax tip url use way yr year zip".split(
    " ",
  ),
);
/** Consonants that English words begin with; HNAME and WBID do not, so they are letters. */
const ONSET =
  /^(?:[bcdfghjklmnpqrstvwxyz]|bl|br|ch|chr|cl|cr|dr|dw|fl|fr|gh|gl|gn|gr|kn|ph|phr|pl|pr|ps|qu|rh|sc|sch|scr|sh|shr|sk|sl|sm|sn|sp|spl|spr|squ|st|str|sw|th|thr|tr|tw|wh|wr)?[aeiouy]/;

/** Capitals that are said letter by letter: no vowel, no beginning of an English word, or very short. */
function isAbbreviation(written: string): boolean {
  if (!/^[A-Z]+$/.test(written)) return false;
  const text = written.toLowerCase();
  if (SHORT_WORDS.has(text)) return false;
  return text.length < 4 || !ONSET.test(text) || !/[aeiouy]/.test(text);
}

/** The name as it is written, in quotation marks. @throws NoSentence where it has nothing that could be read out */
function quoted(name: string): string {
  const text = name.replace(/\s+/g, " ").trim();
  if (text === "" || /[\p{C}\ufffd"]/u.test(text)) {
    throw new NoSentence("no_sentence", `the column ${JSON.stringify(name)} has no readable name`);
  }
  return `"${text}"`;
}

const keysOf = (text: string): string[] => tokenise(text).map(({ key }) => key);

/**
 * Words that cannot be taken for anything but the column: none of grammar ("num of students", "over and under") and none
 * that the verbaliser itself uses ("total enrolment" beside the total of the enrolment).
 */
function isDistinct(words: string): boolean {
  return !tokenise(words).some(({ key }) => isGrammatical(key) || OWN_WORDS.has(key));
}

/** The phrase without the avoided words, where what is left names this column and no other of the table. */
function withoutAvoided(words: string, avoided: ReadonlySet<string>, others: readonly string[][]): string {
  const kept = words.split(" ").filter((word) => !keysOf(word).some((key) => avoided.has(key)));
  const keys = keysOf(kept.join(" "));
  if (kept.length === words.split(" ").length || keys.length === 0) return words;
  // "ID" or a lone number says nothing without the word before it.
  if (!keys.some((key) => key.length > 2 && /\p{L}/u.test(key))) return words;
  return others.some((other) => keys.every((key) => other.includes(key))) ? words : kept.join(" ");
}

/** "The planted is …" wants a noun; no phrase ends in "value" by itself, since that is a word of the verbaliser's. */
function withNoun(words: string, avoided: ReadonlySet<string>): string {
  return !avoided.has("value") && /[a-z]{4}ed$/.test(words) && !/(?:shed|bleed|speed|breed)$/.test(words)
    ? `${words} value`
    : words;
}

function isPlural(words: string): boolean {
  const last = tokenise(words).at(-1);
  return last?.text.endsWith("s") === true && last.key !== last.text;
}

/**
 * The phrases of a table's columns: in words where these are distinct from all that the verbaliser says and from each
 * other, else as written in quotation marks. Two columns never share a phrase.
 *
 * @param columns of one table, as the database writes them
 * @param avoided words of table names, left out of a phrase where it can do without them
 */
export class ColumnNames {
  readonly #phrases = new Map<string, ColumnPhrase>();
  readonly #unreadable = new Map<string, NoSentence>();

  constructor(columns: readonly string[], avoided: ReadonlySet<string>) {
    const words = columns.map((column) => ({ column, words: columnWords(column) }));
    const times = new Map<string, number>();
    const keyOf = (text: string): string => keysOf(text).join("");
    for (const one of words) {
      if (one.words !== undefined) times.set(keyOf(one.words), (times.get(keyOf(one.words)) ?? 0) + 1);
    }
    const all = columns.map((column) => ({ column, keys: keysOf(columnWords(column) ?? column) }));
    for (const one of words) {
      const others = all.filter(({ column }) => column !== one.column).map(({ keys }) => keys);
      const unique = one.words !== undefined && times.get(keyOf(one.words)) === 1 && isDistinct(one.words);
      const text = unique ? withoutAvoided(one.words ?? "", avoided, others) : undefined;
      this.#set(one.column, text, avoided);
    }
  }

  #set(column: string, text: string | undefined, avoided: ReadonlySet<string>): void {
    try {
      const phrase =
        text === undefined
          ? { text: quoted(column), plural: false }
          : { text: withNoun(text, avoided), plural: isPlural(text) };
      this.#phrases.set(foldName(column), phrase);
    } catch (error) {
      if (!(error instanceof NoSentence)) throw error;
      this.#unreadable.set(foldName(column), error);
    }
  }

  /** @throws NoSentence where the column has no readable name */
  of(column: string): ColumnPhrase {
    const phrase = this.#phrases.get(foldName(column));
    if (phrase !== undefined) return phrase;
    throw this.#unreadable.get(foldName(column)) ?? new NoSentence("no_sentence", `no column ${column}`);
  }

  /** Every phrase there is. */
  all(): string[] {
    return [...this.#phrases.values()].map(({ text }) => text);
  }
}
