/**
 * How much a person would doubt which of two readings is meant. The weights were set on 109 labelled proposals of the real
 * questions (test/datasets/bird/readings/labelled-proposals.json, whose test holds the rates): a reading was labelled
 * doubtful where the question as it stands, or with only the words for this point made vaguer, would leave a careful
 * person unsure between just these two. Points are tenths; only their order matters.
 */
import type { Edit } from "./edit.js";

/** What each operator's form is worth before anything is known of the question. */
const FORMS: Readonly<Record<Edit["operator"], Readonly<Record<string, number>>>> = {
  "other-column": { linked: 6, shown: 2, filtered: 1, ordered: 2, measured: 1 },
  "other-aggregate": { "AVG or SUM": -2, "SUM or AVG": -1, "single or summed": 1, "summed or single": 5 },
  "inclusive-bound": { number: 0, between: 7, date: 6 },
  "top-k-or-direction": { direction: 1, "how many": 4, extreme: -3 },
  ties: { "one or all": 5, "cut or all": -3, "all or one": 6 },
  "other-literal": { containing: 6, similar: 7, state: 0 },
  "distinct-or-all": { count: 6, "count in a condition": 1, rows: 2 },
  "date-granularity": {
    "year or day": 7,
    "day or month": 1,
    "month or year": 1,
    "calendar or full years": 7,
  },
  "null-treatment": {
    unequal: 6,
    empty: 5,
    nought: 9,
    average: -5,
    count: 2,
    "nought in the aggregate": 6,
    order: 7,
  },
  "ratio-or-percentage": { "percentage or ratio": 5, "ratio or percentage": 1 },
  scope: { "share of": 6, "compared with": 4, "and, or": 2, join: 3 },
};

/** A threshold that the question does not name ("normal", "abnormal") leaves its own bound open, too. */
function ofAnchor({ operator, anchor, signals }: Edit): number {
  if (anchor !== null) return 0;
  return operator === "inclusive-bound" ? (signals.settled === true ? 5 : 6) : -3;
}

function ofLikeness({ operator, form, signals }: Edit): number {
  if (operator !== "other-column" || form === "linked") return 0;
  const alike = signals.alike ?? 0;
  return alike === 0 ? -5 : Math.round(8 * alike);
}

/** Points; higher is more doubtful. */
export function doubtOf(edit: Edit): number {
  const { operator, form, signals } = edit;
  const base = FORMS[operator][form];
  if (base === undefined) throw new Error(`the form "${form}" of ${operator} has no weight`);
  // "over 200" is open in a way that nobody minds.
  const open = signals.open === true && !(operator === "inclusive-bound" && form === "number") ? 2 : 0;
  const settled = signals.settled === true ? -2 : 0;
  const contradicted = signals.contradicted === true ? -6 : 0;
  return base + open + settled + contradicted + ofAnchor(edit) + ofLikeness(edit);
}
