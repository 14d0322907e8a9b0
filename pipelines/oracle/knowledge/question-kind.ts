/** What a question is about, as far as its frame tells: a definition, or how the answer is to be shown. */
import type { Token } from "../normalise.js";

const MEANING = new RegExp(
  [
    "mean|means|meant|meaning|refer|refers|referring|define|defined|defines|definition|denote|denotes|stands? for",
    "represents?|represented|indicates?|corresponds?|qualif(?:y|ies)|counts? as|considered|classified|criteri(?:on|a)",
    "thresholds?|cutoff|limits?|range|bounds?|condition|formula|identif(?:y|ied)|recogni[sz]e|determined?|calculated?",
    "comput(?:e|ed)|measured|coded|encoded|stored|recorded|marked|interpret(?:ed)?|understood|judged",
    "(?:which|what) (?:values?|codes?|columns?|fields?)",
  ].join("|"),
);
const SHAPE =
  /sort(?:ed|ing)?|order(?:ed)? by|ascending|descending|duplicates?|distinct|round(?:ed)?|decimals?|format(?:ted)?|header|(?:should|do) (?:i|you|we) (?:also |want |need |to )*(?:show|list|display|return|include|output|print|see)|(?:result|results|output|list|answer)/;

const wholeWords = (pattern: RegExp): RegExp => new RegExp(`(?:^| )(?:${pattern.source})(?: |$)`);
const asks = (pattern: RegExp) => {
  const whole = wholeWords(pattern);
  return (tokens: readonly Token[]): boolean => whole.test(tokens.map(({ text }) => text).join(" "));
};

/** "Which value of outcome is meant?", "how is … stored?": it wants a definition. */
export const asksForMeaning = asks(MEANING);

/** "Should I sort by …?", "do you want to see …?": it is about rows, columns and digits of the answer. */
export const asksForShape = asks(SHAPE);
