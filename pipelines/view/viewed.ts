import type { SqlEngines } from "../sql/engines.js";
import type { Catalogue } from "./read/catalogue.js";
import type { Lineage } from "./read/lineage.js";
import type { OpenRun } from "./read/runs.js";

/** What is viewed, and what runs its SQL. */
export interface Viewed {
  readonly catalogue: Catalogue;
  readonly lineage: Lineage;
  readonly runs: readonly OpenRun[];
  readonly engines: SqlEngines;
}
