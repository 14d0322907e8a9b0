/** How much a person would doubt which of two readings is meant. */
import type { Edit } from "./edit.js";

const FORMS: Readonly<Record<string, number>> = {};
const OPERATORS: Readonly<Record<Edit["operator"], number>> = {
  "other-column": 0,
  "other-aggregate": 0,
  "inclusive-bound": 0,
  "top-k-or-direction": 0,
  ties: 0,
  "other-literal": 0,
  "distinct-or-all": 0,
  "date-granularity": 0,
  "null-treatment": 0,
  "ratio-or-percentage": 0,
  scope: 0,
};

export function doubtOf({ operator, form, anchor, signals }: Edit): number {
  return (
    (FORMS[`${operator}: ${form}`] ?? OPERATORS[operator]) +
    (signals.open === true ? 1 : 0) -
    (signals.settled === true ? 2 : 0) -
    (signals.contradicted === true ? 4 : 0) +
    (signals.alike ?? 0) +
    (anchor === null ? -2 : 0)
  );
}
