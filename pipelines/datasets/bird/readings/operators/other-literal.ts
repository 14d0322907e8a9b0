import { tokenise } from "../../../../oracle/index.js";
import type { Edit, Operator, OperatorInput } from "../edit.js";
import { columnInside, comparisonOf, type FoundColumn, findColumn } from "../lookup.js";
import { contentKeys, wordsFor } from "../question.js";
import { type OperationNode, type Place, replaceAt } from "../tree/index.js";

const MOST_CANDIDATES = 2;
/** A column with more values is no list of states to choose from. */
const FEW_VALUES = 6;

/**
 * Values that the question's words would name as well: they hold each word of the value that the question says, or, where
 * it says none, share a word with it. Of a value that is said whole there is none: "blue" is no Black/Blue.
 */
function similar(value: string, values: readonly string[], input: OperatorInput): string[] {
  if (isSaid(value, input)) return [];
  const keys = contentKeys(value);
  const said = keys.filter((key) => input.question.tokens.some((token) => token.key === key));
  const shared = (other: string): number => contentKeys(other).filter((key) => keys.includes(key)).length;
  const fits = (other: string): boolean => said.every((key) => contentKeys(other).includes(key));
  return values
    .filter((other) => other !== value && other.trim() !== "" && shared(other) > 0 && fits(other))
    .sort((a, b) => shared(b) - shared(a) || a.length - b.length)
    .slice(0, MOST_CANDIDATES);
}

/** The question says the value word by word. */
function isSaid(value: string, input: OperatorInput): boolean {
  const keys = tokenise(value).map(({ key }) => key);
  const { tokens } = input.question;
  return (
    keys.length > 0 && tokens.some((_, from) => keys.every((key, step) => tokens[from + step]?.key === key))
  );
}

function editsOf(
  place: Place,
  node: OperationNode,
  value: string,
  found: FoundColumn,
  input: OperatorInput,
): Edit[] {
  const values = input.values(found.table.name, found.column.name);
  const exact = isSaid(value, input);
  const subject = `the ${found.column.words}`;
  const isOnRight = node.right.kind === "text";
  const own = (one: string, another: string): string => {
    const others = contentKeys(another);
    return contentKeys(one)
      .filter((key) => !others.includes(key))
      .join(" ");
  };
  const make = (form: string, other: string, alternative: string, more: Partial<Edit["signals"]>): Edit => ({
    operator: "other-literal",
    form,
    touches: [place.path],
    apply: (query) =>
      replaceAt(query, place.path, {
        ...node,
        ...(form === "containing" ? { operator: "LIKE" } : {}),
        [isOnRight ? "right" : "left"]: { kind: "text", value: other },
      }),
    reference: `${subject} is exactly "${value}"`,
    alternative,
    anchor: wordsFor(input.question, value) ?? wordsFor(input.question, found.column.words),
    signals: { settled: exact, ...more },
    ...(form === "containing"
      ? {}
      : { telling: { reference: own(value, other), alternative: own(other, value) } }),
  });
  const edits: Edit[] = [];
  if (values === undefined) return edits;
  const longer = values.some((other) => other !== value && other.includes(value));
  if (longer && isOnRight && /\p{L}{2}/u.test(value) && !/[%_]/.test(value)) {
    edits.push(make("containing", `%${value}%`, `${subject} has "${value}" anywhere in it`, {}));
  }
  for (const other of similar(value, values, input)) {
    edits.push(make("similar", other, `${subject} is "${other}"`, { contradicted: isSaid(other, input) }));
  }
  if (values.length <= FEW_VALUES && !exact) {
    const rest = values.filter(
      (other) => other !== value && other.trim() !== "" && similar(value, [other], input).length === 0,
    );
    for (const other of rest.slice(0, MOST_CANDIDATES)) {
      edits.push(make("state", other, `${subject} is "${other}"`, { contradicted: isSaid(other, input) }));
    }
  }
  return edits;
}

/** Another value of the same column, or the value as a part of a longer one. */
export const otherLiteral: Operator = {
  name: "other-literal",
  edits: (input) =>
    input.places.flatMap((place) => {
      const { node } = place;
      const comparison = comparisonOf(node);
      if (node.kind !== "operation" || comparison?.operator !== "=" || comparison.value.kind !== "text")
        return [];
      const column = columnInside(comparison.subject);
      if (column === null || column !== comparison.subject) return [];
      const found = findColumn(column, place.scope, input.schema);
      if (found === null || found.column.kind !== "text") return [];
      return editsOf(place, node, comparison.value.value, found, input);
    }),
};
