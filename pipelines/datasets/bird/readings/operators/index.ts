import type { Operator } from "../edit.js";
import { dateGranularity } from "./date-granularity.js";
import { distinctOrAll } from "./distinct-or-all.js";
import { inclusiveBound } from "./inclusive-bound.js";
import { nullTreatment } from "./null-treatment.js";
import { otherAggregate } from "./other-aggregate.js";
import { otherColumn } from "./other-column.js";
import { otherLiteral } from "./other-literal.js";
import { ratioOrPercentage } from "./ratio-or-percentage.js";
import { scope } from "./scope.js";
import { ties } from "./ties.js";
import { topKOrDirection } from "./top-k-or-direction.js";

/** In the order of spec 2. */
export const OPERATORS: readonly Operator[] = [
  otherColumn,
  otherAggregate,
  inclusiveBound,
  topKOrDirection,
  ties,
  otherLiteral,
  distinctOrAll,
  dateGranularity,
  nullTreatment,
  ratioOrPercentage,
  scope,
];
