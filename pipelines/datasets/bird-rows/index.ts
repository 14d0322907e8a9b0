/** The stages that AmbiTab-Bird and EW-Bird share: from BIRD's rows to rows with hints, a database and a proved gold. */
export { describeColumns } from "./describe-columns.js";
export { type MaskedHint, readEvidence } from "./hints/index.js";
export type {
  BirdRow,
  DescribedRow,
  HintedRow,
  LocatedRow,
  Reference,
  ReferencedRow,
  SourceDatabase,
} from "./items.js";
export { locateDatabase } from "./locate-database.js";
export { readHints, readHintsIfAny } from "./read-hints.js";
export { runReference } from "./run-reference.js";
export { openBirdRows } from "./source.js";
