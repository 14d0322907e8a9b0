import type { Edit, Operator, OperatorInput } from "../edit.js";
import { columnInside, comparisonOf, findColumn } from "../lookup.js";
import { cue, wordsAround, wordsFor } from "../question.js";
import {
  type CallNode,
  type Expression,
  type OperationNode,
  operation,
  type Place,
  replaceAt,
} from "../tree/index.js";

const FULL_DATE = /^((?:1[6-9]|20)\d\d)-(\d\d)(?:-(\d\d))?/;
const YEAR = /^(?:1[6-9]|20)\d\d$/;
/** A day or a month in the question, so that "after 1990/1/1" read as a whole year is open. */
const SAYS_DAY =
  /\b\d{1,4}[/-]\d{1,2}[/-]\d{1,4}\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b/i;
const SAYS_AGE = /\b(?:years? old|aged?|younger|older|years?)\b/i;

const call = (name: string, ...args: Expression[]): CallNode => ({
  kind: "call",
  name,
  distinct: false,
  args,
});
const text = (value: string): Expression => ({ kind: "text", value });

function formatOf(node: Expression): string | null {
  if (node.kind === "cast") return formatOf(node.operand);
  if (node.kind !== "call" || node.name !== "STRFTIME") return null;
  const [format] = node.args;
  return format?.kind === "text" ? format.value : null;
}

function dateWords(node: Expression, place: Place, input: OperatorInput): string {
  const column = node.kind === "call" ? columnInside(node.args[1] ?? node) : columnInside(node);
  const found = column === null ? null : findColumn(column, place.scope, input.schema);
  return `the ${found?.column.words ?? "date"}`;
}

/** STRFTIME('%Y', d) > '1990': by whole years, or by the day. */
function byDay(place: Place, node: OperationNode, input: OperatorInput): Edit[] {
  const comparison = comparisonOf(node);
  if (comparison?.value.kind !== "text" || !YEAR.test(comparison.value.value)) return [];
  const { subject, operator } = comparison;
  if (
    formatOf(subject) !== "%Y" ||
    subject.kind !== "call" ||
    subject.args[1] === undefined ||
    subject.args.length > 2
  )
    return [];
  const year = comparison.value.value;
  if (operator !== ">" && operator !== "<=") return [];
  const words = dateWords(subject, place, input);
  const [reference, alternative] =
    operator === ">"
      ? [
          `${words} is in a year after ${year}`,
          `${words} is after 1 January ${year}, the rest of ${year} included`,
        ]
      : [`${words} is in ${year} or an earlier year`, `${words} is no later than 1 January ${year}`];
  const made = operation(operator, call("DATE", subject.args[1]), text(`${year}-01-01`));
  return [
    {
      operator: "date-granularity",
      form: "year or day",
      touches: [place.path],
      apply: (query) => replaceAt(query, place.path, made),
      reference,
      alternative,
      anchor: wordsAround(input.question, year, 2),
      signals: { open: cue(input.question, SAYS_DAY) !== null },
    },
  ];
}

/** d > '1990-05-01': by the day, or by whole years or months. */
function byYear(place: Place, node: OperationNode, input: OperatorInput): Edit[] {
  const comparison = comparisonOf(node);
  const parts = comparison?.value.kind === "text" ? FULL_DATE.exec(comparison.value.value) : null;
  if (comparison === null || parts === null || !["=", ">", "<", ">=", "<="].includes(comparison.operator))
    return [];
  const column = columnInside(comparison.subject);
  if (column === null || formatOf(comparison.subject) !== null) return [];
  // Nobody takes "on 24 August 2012" for the whole month.
  if (comparison.operator === "=" && cue(input.question, SAYS_DAY) !== null) return [];
  const [whole, year, month, day] = parts;
  if (year === undefined || month === undefined) return [];
  const coarse = day === undefined ? "%Y" : "%Y-%m";
  const value = day === undefined ? year : `${year}-${month}`;
  const words = dateWords(comparison.subject, place, input);
  const how: Readonly<Record<string, [string, string]>> = {
    "=": ["is in", "on"],
    ">": ["is later than all of", "after"],
    "<": ["is before the start of", "before"],
    ">=": ["is in or after", "on or after"],
    "<=": ["is in or before", "on or before"],
  };
  const [coarsely, finely] = how[comparison.operator] ?? ["is in", "on"];
  return [
    {
      operator: "date-granularity",
      form: day === undefined ? "month or year" : "day or month",
      touches: [place.path],
      apply: (query) =>
        replaceAt(
          query,
          place.path,
          operation(comparison.operator, call("STRFTIME", text(coarse), column), text(value)),
        ),
      reference: `${words} is ${finely} ${whole}`,
      alternative: `${words} ${coarsely} ${value}`,
      anchor: wordsAround(input.question, whole, 1) ?? wordsAround(input.question, year, 1),
      signals: { settled: cue(input.question, SAYS_DAY) !== null },
    },
  ];
}

const isNow = (node: Expression): boolean =>
  (node.kind === "opaque" && node.sql.startsWith("CURRENT_")) ||
  (node.kind === "text" && node.value === "now");

/** STRFTIME('%Y', a) - STRFTIME('%Y', b): the years between by the calendar's numbers, or as full years gone by. */
function fullYears(place: Place, node: OperationNode, input: OperatorInput): Edit[] {
  if (node.operator !== "-" || formatOf(node.left) !== "%Y" || formatOf(node.right) !== "%Y") return [];
  const dateOf = (side: Expression): Expression | undefined =>
    side.kind === "cast" ? dateOf(side.operand) : side.kind === "call" ? side.args[1] : undefined;
  const [later, earlier] = [dateOf(node.left), dateOf(node.right)];
  if (later === undefined || earlier === undefined || isNow(later) || isNow(earlier)) return [];
  const under = (date: Expression): Expression => call("STRFTIME", text("%m-%d"), date);
  const made = operation("-", node, operation("<", under(later), under(earlier)));
  return [
    {
      operator: "date-granularity",
      form: "calendar or full years",
      touches: [place.path],
      apply: (query) => replaceAt(query, place.path, made),
      reference: "the one year's number less the other's, whatever the day",
      alternative: "full years gone by, so that the last one counts only when its day has come",
      anchor: cue(input.question, SAYS_AGE) ?? wordsFor(input.question, "age years"),
      signals: { open: cue(input.question, SAYS_AGE) !== null },
    },
  ];
}

/** How finely a time is meant: the day, the month, the year; calendar years or full ones. */
export const dateGranularity: Operator = {
  name: "date-granularity",
  edits: (input) =>
    input.places.flatMap((place) => {
      const { node } = place;
      if (node.kind !== "operation") return [];
      return [...byDay(place, node, input), ...byYear(place, node, input), ...fullYears(place, node, input)];
    }),
};
