/**
 * Frames of questions about meaning: what lets an everyday word count without quotation marks (spec 3).
 *
 * A bare word such as "name" stands in questions about anything, so a mention of it says nothing. It is what a question
 * asks about only where a frame points at it ("what do you mean by name?", "does name refer to …", "which name …") and
 * the word is the whole target: an article or "your" may come before it, but no noun ("mean by song name") and nothing
 * that goes on with the noun phrase may follow ("mean by name of the stadium", "clarify the date format").
 */
import { isGrammatical, isRequestVerb, type Strength } from "./everyday-words.js";
import type { Token } from "./normalise.js";
import { beginsPhrase, DETERMINERS, endsPhrase } from "./noun-phrase.js";

const SOFT = "(?:(?:here|exactly|specifically|precisely|actually|really|also|just) )*";
const SENSE = "(?:mean|refer|stand for|represent|denote|signify|indicate|include|cover|entail|consist|imply)";
const MEANT = "(?:mean|meant|refer|referring|intend)";
const YOU_MEAN = `(?:(?:do|did|are|would) )?(?:you|we) ${SOFT}${MEANT}`;
/** What may stand between a frame and its target. */
const LEAD =
  "(?:(?:the|a|an|your|this|that|these|those|their|its|his|her|my|our|each|every|any|some|word|words|term|terms|phrase|expression) )*";

const before = (pattern: string): RegExp => new RegExp(`(?:^|[ ,.])(?:${pattern}) ${LEAD}$`);
const after = (pattern: string): RegExp => new RegExp(`^${SOFT}(?:${pattern})(?: |$)`);
/** The frame says nothing of what follows; the noun phrase must end there all the same. */
const ANYTHING = "any";
/** Nothing but a grammatical word, a pause or the beginning, then perhaps an article. */
const OPEN_LEFT = "standing";

interface Frame {
  readonly left: RegExp | typeof OPEN_LEFT;
  readonly right: RegExp | typeof ANYTHING;
  /** Points at things ("which name"), not at words: no frame for words of grammar ("which you"). */
  readonly ofThings?: true;
}

const FRAMES: readonly Frame[] = [
  // what do you mean by X · what is meant by X
  {
    left: before(`(?:mean|meant|intend|intended|understand|understood|imply|implied) ${SOFT}(?:by|with)`),
    right: ANYTHING,
  },
  // clarify X · define X · the meaning of X
  {
    left: before(
      `(?:clarify|define|defining|explain|disambiguate|interpret|interpreting|specify|understand|elaborate on|clarification (?:on|of|about|for|regarding)|more (?:specific|precise|explicit) (?:about|on|regarding)|(?:definition|meaning|interpretation|sense|notion) (?:of|for)|ambiguity (?:of|in|about))(?: (?:exactly )?(?:what|which)| exactly)?`,
    ),
    right: ANYTHING,
  },
  // do you mean X · you are referring to X · when you say X · the word X
  {
    left: before(
      `you ${SOFT}(?:mean|intend|say|said|write|wrote|mention|mentioned)|refer(?:s|red|ring)? to|word|words|term|terms|phrase|expression`,
    ),
    right: ANYTHING,
  },
  // which column should I use for X
  {
    left: before(
      "(?:which|what) (?:column|field|attribute)s?(?: [^ .,]+){0,5} (?:for|as|holds?|contains?|represents?|stores?|means?|gives?)",
    ),
    right: ANYTHING,
  },
  // which X · what kind of X; "in which a X" asks about no X
  {
    left: before(
      "(?:which(?! an? )|what|whose)(?: (?:one|ones|kind|kinds|type|types|sort|sorts|form|forms|notion|definition|version))?(?: of)?",
    ),
    right: ANYTHING,
    ofThings: true,
  },
  // what does X mean · should X include …
  {
    left: before("does|do|did|would|should|could|can|will|might|may"),
    right: after(`${SENSE}|be (?:read|taken|understood|interpreted|treated)`),
  },
  // how do I calculate X · the formula for X · which formula should I use for X
  {
    left: before(
      "how (?:do|should|can|would|could) (?:i|we|you) (?:calculate|compute|determine|derive|work out)|(?:formula|calculation|computation|basis|base|numerator|denominator)(?: [^ .,]+){0,4} (?:of|for|behind|gives|yields)",
    ),
    right: ANYTHING,
  },
  // should X be calculated as … · is X taken over all …
  {
    left: before("is|are|should|would|must|can|could|does|do"),
    right: after(
      "(?:to be |be )?(?:calculated|computed|derived|based|relative|taken|measured|defined|determined|reckoned|weighted)|over|out of|per|among",
    ),
  },
  // is X the … · what is X exactly · how is X defined
  {
    left: before("is|are|was|were"),
    right: after(
      "the(?! (?:only|first|last|main))|meant|supposed|intended|referring|defined|understood|ambiguous",
    ),
  },
  {
    left: before(`what (?:${SOFT})?(?:is|are)`),
    right: /^(?:exactly|here|meant|supposed|in (?:this|your) )/,
  },
  { left: before("what (?:exactly|precisely|specifically|actually) (?:is|are)"), right: ANYTHING },
  {
    left: before("how (?:is|are|was|should|would|do|does|can)"),
    right: after("(?:to be |be )?(?:defined|interpreted|understood|determined|measured|computed|calculated)"),
  },
  // by X, do you mean … · for X, which column do you mean
  {
    left: before(
      "(?<!(?:sort|order|group|rank|arrange)(?:ed|ing|s)? )by|with|for|as|regarding|concerning|about|saying",
    ),
    right: new RegExp(
      `^(?:, )?(?:(?:what|which)(?: [^ .,]+){0,4} |i (?:assume|believe|guess|suppose|think) )?${YOU_MEAN}(?: |$)`,
    ),
  },
  // X refers to … · X could mean … · X is ambiguous
  {
    left: OPEN_LEFT,
    right: after(
      "refers?(?: to)?|referring|means|stands for|(?:could|can|may|might) (?:also )?(?:mean|refer|be read)|(?:is|are|seems?|looks?|sounds?) (?:[a-z]+ )?(?:ambiguous|unclear|vague|not clear)|as in",
    ),
  },
];

/** "list", "table" and the like may be nouns as well as verbs, so what stands after one may be the end of a compound. */
function afterQueryWord(tokens: readonly Token[], from: number): boolean {
  const previous = tokens[from - 1];
  return previous !== undefined && tokens[from]?.pause === "" && !isGrammatical(previous.key);
}

/** Words with their pauses, as the patterns read them. */
function spell(tokens: readonly Token[]): string {
  return tokens.map(({ text, pause }) => (pause === "" ? text : `${pause} ${text}`)).join(" ");
}

/** A compound that begins here is a noun phrase of its own: "show name" is one only after an article. */
function standsAlone(tokens: readonly Token[], from: number): boolean {
  if (!isRequestVerb(tokens[from]?.key ?? "")) return beginsPhrase(tokens, from);
  return DETERMINERS.has(tokens[from - 1]?.text ?? "") && tokens[from]?.pause === "";
}

/** How many tokens of context the patterns see on each side. */
const CONTEXT = 12;

/** Whether the phrase at tokens `from` to `to` stands where a phrase of this strength counts. */
export function countsHere(strength: Strength, tokens: readonly Token[], from: number, to: number): boolean {
  if (strength === "specific") return true;
  const ends = endsPhrase(tokens, to);
  if (strength === "compound" && ends && standsAlone(tokens, from)) return true;
  const start = tokens[from];
  const left = `${spell(tokens.slice(Math.max(0, from - CONTEXT), from))} ${start?.pause ?? ""}`.trimStart();
  const right = spell(tokens.slice(to, to + CONTEXT));
  const grammatical = tokens.slice(from, to).every((token) => isGrammatical(token.key));
  return FRAMES.some(
    (frame) =>
      (frame.left === OPEN_LEFT
        ? beginsPhrase(tokens, from) && !afterQueryWord(tokens, from)
        : frame.left.test(left)) &&
      (frame.right === ANYTHING ? ends : frame.right.test(right)) &&
      !(frame.ofThings && grammatical),
  );
}
