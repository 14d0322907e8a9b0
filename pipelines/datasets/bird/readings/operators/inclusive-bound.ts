import type { Edit, Operator, OperatorInput } from "../edit.js";
import { comparisonOf, said, subjectOf } from "../lookup.js";
import { cue, wordsAround } from "../question.js";
import {
  type BetweenNode,
  type Expression,
  type OperationNode,
  operation,
  type Place,
  replaceAt,
} from "../tree/index.js";

const OTHER: ReadonlyMap<string, string> = new Map([
  [">", ">="],
  [">=", ">"],
  ["<", "<="],
  ["<=", "<"],
]);

/** Words after which it is open whether the bound itself belongs to it. */
const OPEN =
  /\b(?:between|from|to|after|before|since|until|till|within|under|over|above|below|through|by)\b/i;
const SETTLED =
  /\b(?:at least|at most|no (?:more|less|fewer|later|earlier) than|more than|less than|greater than|fewer than|larger than|higher than|lower than|exceed(?:s|ed|ing)?|or (?:more|less|above|below|over|under|older|younger)|not (?:more|less) than|inclusive|exclusive|equal to)\b/i;

const isTime = (value: string): boolean => /^(?:1[6-9]|20)\d\d(?:\b|[-/])/.test(value);

/** "more than 200", "200 or more"; of a time: "after 1990", "from 1990 on". */
function bound(operator: string, value: Expression): string {
  const text = said(value);
  if (value.kind === "text" && isTime(text)) {
    return (
      { ">": `after ${text}`, ">=": `from ${text} on`, "<": `before ${text}`, "<=": `up to ${text}` }[
        operator
      ] ?? text
    );
  }
  const phrases: Record<string, string> = {
    ">": `more than ${text}`,
    ">=": `${text} or more`,
    "<": `less than ${text}`,
    "<=": `${text} or less`,
  };
  return phrases[operator] ?? text;
}

function anchorOf(values: readonly Expression[], input: OperatorInput): string | null {
  for (const value of values) {
    const words = wordsAround(input.question, said(value), 2);
    if (words !== null) return words;
  }
  return null;
}

function ofComparison(place: Place, node: OperationNode, input: OperatorInput): Edit[] {
  const comparison = comparisonOf(node);
  const other = OTHER.get(comparison?.operator ?? "");
  const written = OTHER.get(node.operator);
  if (comparison === null || other === undefined || written === undefined) return [];
  const anchor = anchorOf([comparison.value], input);
  const subject = subjectOf(comparison.subject, place.scope, input);
  return [
    {
      operator: "inclusive-bound",
      form: comparison.value.kind === "text" ? "date" : "number",
      touches: [place.path],
      apply: (query) => replaceAt(query, place.path, { ...node, operator: written }),
      reference: `${subject} is ${bound(comparison.operator, comparison.value)}`,
      alternative: `${subject} is ${bound(other, comparison.value)}`,
      anchor,
      signals: {
        open: anchor !== null && OPEN.test(anchor),
        settled: cue(input.question, SETTLED) !== null,
      },
    },
  ];
}

/** BETWEEN takes both bounds in; "between" may not. */
function ofBetween(place: Place, node: BetweenNode, input: OperatorInput): Edit[] {
  const [low, high] = [said(node.low), said(node.high)];
  const isLiteral = ({ kind }: Expression): boolean => kind === "number" || kind === "text";
  if (!isLiteral(node.low) || !isLiteral(node.high) || node.negated) return [];
  const subject = subjectOf(node.operand, place.scope, input);
  const without = operation(
    "AND",
    operation(">", node.operand, node.low),
    operation("<", node.operand, node.high),
  );
  return [
    {
      operator: "inclusive-bound",
      form: "between",
      touches: [place.path],
      apply: (query) => replaceAt(query, place.path, without),
      reference: `${subject} is from ${low} to ${high}, with both of these included`,
      alternative: `${subject} is between ${low} and ${high}, with neither of these included`,
      anchor:
        cue(input.question, /\bbetween\b[^,?.]*?\b(?:and|to)\b\s+[\w'/-]+/i) ??
        anchorOf([node.low, node.high], input),
      signals: {
        open: cue(input.question, /\bbetween\b/i) !== null,
        settled: cue(input.question, /\binclusive|\bfrom\b.*\bto\b/i) !== null,
      },
    },
  ];
}

/** Whether a bound belongs to what it bounds. */
export const inclusiveBound: Operator = {
  name: "inclusive-bound",
  edits: (input) =>
    input.places.flatMap((place) => {
      if (place.node.kind === "between") return ofBetween(place, place.node, input);
      return place.node.kind === "operation" ? ofComparison(place, place.node, input) : [];
    }),
};
