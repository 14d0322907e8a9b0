export type { AmbrosiaConcepts, LocatedConcepts } from "./concepts.js";
export { readConcepts } from "./concepts.js";
export type { LocatedAmbrosiaDatabase } from "./databases.js";
export { locateAmbrosiaDatabase } from "./databases.js";
export { AMBROSIA } from "./manifest.js";
export type {
  AmbiguityType,
  AmbrosiaItem,
  AmbrosiaQuestion,
  AmbrosiaQuestions,
  AmbrosiaReading,
  OfficialSplit,
} from "./questions.js";
export { AMBIGUITY_TYPES } from "./questions.js";
export { readAmbrosia } from "./rows.js";
