/** What all parts of a sentence are said with; the parts call each other through it. */
import type { ColumnNames } from "./column-names.js";
import type { Concept, Words } from "./lexicon.js";
import type { Expression } from "./query.js";

/** `whole` can stand beside anything; what is not is put in parentheses there. */
export interface Said {
  text: string;
  whole: boolean;
  plural?: boolean;
}

export interface Speaker {
  readonly columns: ColumnNames;
  readonly words: Words;
  value(expression: Expression): Said;
  /** @param nested whether it stands inside another condition or phrase */
  condition(expression: Expression, nested: boolean): string;
}

export const say = (speaker: Speaker, concept: Concept): string => speaker.words.say(concept);

/** A value beside others: in parentheses unless it is whole. */
export function operand(speaker: Speaker, expression: Expression): string {
  const { text, whole } = speaker.value(expression);
  return whole ? text : `(${text})`;
}

/**
 * A value where nothing follows that could be taken for a part of it: parentheses only around what holds a comma, an "and"
 * or the like of its own.
 */
export function standing(speaker: Speaker, expression: Expression): string {
  const { text, whole } = speaker.value(expression);
  return whole || !/,| (?:and|or|if) /.test(text) ? text : `(${text})`;
}

/** "a", "a and b", "a, b and c". */
export function series(parts: readonly string[], last = "and"): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`;
}
