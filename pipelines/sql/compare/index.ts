export {
  cleanForBirdInteract,
  removeComments,
  removeDistinct,
  removeRound,
} from "./bird-interact-cleaning.js";
export { compareExecutions } from "./executions.js";
export type { ComparisonFlags, ComparisonResult, SqlVerdict } from "./verdict.js";
