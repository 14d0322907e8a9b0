import type { Edit, Operator, OperatorInput } from "../edit.js";
import { comparisonOf, type FoundColumn, findColumn, sameColumn, samePlace } from "../lookup.js";
import { contentKeys, cue, wordsFor } from "../question.js";
import { columnPhrase, type ReadingColumn, subjectKeys, withoutId } from "../schema.js";
import { type ColumnNode, isAggregate, type Place, replaceAt } from "../tree/index.js";

/** What the column does there. A `linked` one holds the key of another table: eye colour, hair colour. */
type Role = "shown" | "measured" | "filtered" | "ordered" | "linked";

/** Words under which a person may mean one measure or another. */
const VAGUE_MEASURE =
  /\b(?:biggest|largest|big|large|greatest|best|worst|strongest|top|popular|popularity|successful|important|high(?:est|er)?|low(?:est|er)?|most|least|size|level|score|rating|value|amount|cost|expensive|active|influential)\b/i;
/** As many candidates a column has; more would bury the good ones. */
const MOST_CANDIDATES = 3;

function roleOf({ clause, around }: Place, found: FoundColumn): Role | null {
  if (clause === "on") return found.column.refers === null || found.column.primary ? null : "linked";
  if (found.column.kind === "key") return null;
  if (around.some((node) => node.kind === "call" && node.name === "COUNT")) return null;
  if (clause === "orders") return "ordered";
  if (clause === "where")
    return around.some((node) => comparisonOf(node) !== null || node.kind === "between") ? "filtered" : null;
  if (clause !== "items") return null;
  return around.some(isAggregate) ? "measured" : "shown";
}

/** The share of words that two columns have in common. */
function likeness(a: ReadingColumn, b: ReadingColumn): number {
  const [first, second] = [subjectKeys(a), subjectKeys(b)];
  const shared = first.filter((key) => second.includes(key)).length;
  return shared === 0 ? 0 : shared / Math.max(first.length, second.length);
}

/** Words that the one has and the other has not; the table's own noun tells nothing. */
function onlyIn(a: ReadingColumn, b: ReadingColumn, { table }: FoundColumn): string {
  const others = [...subjectKeys(b), ...contentKeys(table.words)];
  return subjectKeys(a)
    .filter((key) => !others.includes(key))
    .join(" ");
}

function candidates(
  found: FoundColumn,
  role: Role,
  place: Place,
  input: OperatorInput,
): [ReadingColumn, number][] {
  const used = input.places
    .filter((other) => samePlace(other, place) && other.node.kind === "column")
    .map(({ node }) => (node as ColumnNode).name.toLowerCase());
  const vague =
    role !== "shown" && found.column.kind === "number" && cue(input.question, VAGUE_MEASURE) !== null;
  const fits = (other: ReadingColumn): boolean => {
    if (used.includes(other.name.toLowerCase()) || other.primary) return false;
    if (role === "linked") return other.refers !== null && other.refers === found.column.refers;
    return other.kind === found.column.kind && other.refers === null;
  };
  return found.table.columns
    .filter(fits)
    .map((other): [ReadingColumn, number] => [other, likeness(found.column, other)])
    .filter(([, alike]) => alike > 0 || vague || role === "linked")
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_CANDIDATES);
}

/** Everything that has to change with it: the same column in the clauses that show, group and order, or in the filter. */
function together(place: Place, role: Role, input: OperatorInput): Place[] {
  const node = place.node as ColumnNode;
  const clauses = role === "filtered" ? ["where"] : ["items", "groups", "having", "orders"];
  const isTest = ({ clause, around }: Place): boolean =>
    clause === "where" && around.some((outer) => outer.kind === "operation" && /^IS/.test(outer.operator));
  return input.places.filter(
    (other) =>
      samePlace(other, place) &&
      other.node.kind === "column" &&
      sameColumn(other.node, node) &&
      (role === "linked" ? other === place : clauses.includes(other.clause) || isTest(other)),
  );
}

function editOf(
  place: Place,
  found: FoundColumn,
  role: Role,
  other: ReadingColumn,
  alike: number,
  input: OperatorInput,
): Edit {
  const node = place.node as ColumnNode;
  const touches = together(place, role, input).map(({ path }) => path);
  const [own, theirs] = [onlyIn(found.column, other, found), onlyIn(other, found.column, found)];
  const has = (words: string): boolean => words !== "" && wordsFor(input.question, words) !== null;
  const words = (column: ReadingColumn): string => columnPhrase(column, found.table);
  return {
    operator: "other-column",
    form: role,
    touches,
    apply: (query) =>
      touches.reduce((made, path) => replaceAt(made, path, { ...node, name: other.name }), query),
    reference: words(found.column),
    alternative: words(other),
    anchor: wordsFor(input.question, withoutId(found.column.words)),
    telling: { reference: own, alternative: theirs },
    signals: {
      settled: has(own),
      contradicted: has(theirs),
      alike,
      open: cue(input.question, VAGUE_MEASURE) !== null,
    },
  };
}

/** Another column of the same table and kind: the full name or the hero's name, the eyes or the hair. */
export const otherColumn: Operator = {
  name: "other-column",
  edits(input) {
    const done: ColumnNode[] = [];
    const edits: Edit[] = [];
    // What orders or filters says more of the column's part than that it is shown as well.
    const weight = ({ clause }: Place): number =>
      ["on", "orders", "where", "having", "items", "groups"].indexOf(clause);
    for (const place of [...input.places].sort((a, b) => weight(a) - weight(b))) {
      const { node } = place;
      if (node.kind !== "column") continue;
      const found = findColumn(node, place.scope, input.schema);
      const role = found === null ? null : roleOf(place, found);
      if (found === null || role === null || done.some((one) => sameColumn(one, node))) continue;
      // One and the same change would be proposed again for each place that it holds together.
      done.push(node);
      for (const [other, alike] of candidates(found, role, place, input)) {
        edits.push(editOf(place, found, role, other, alike, input));
      }
    }
    return edits;
  },
};
