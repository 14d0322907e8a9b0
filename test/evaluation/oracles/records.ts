import type { Ambiguity, TaskRecord } from "../../../schemas/types/record.js";
import { ambiguity, harbourRecord } from "../tasks.js";

/** A record of a scoped oracle: two ambiguities of a request, one with aliases and a piece of SQL. */
export const SCOPED: TaskRecord = harbourRecord([
  ambiguity("length", { aliases: ["hull_length", "overall_length"], sql_snippet: "overall_length" }),
  ambiguity("name", { kind: "intent" }),
]);

const hint = (term: string, rule: string): Ambiguity =>
  ambiguity(term, {
    kind: "knowledge",
    resolution: `${term} refers to ${rule}`,
    response: `By ${term} I mean that ${rule}.`,
    concepts: term.split(" "),
  });

/** A record of an unfiltered oracle: masked hints, with all that its task may hold. */
export const UNFILTERED: TaskRecord = {
  ...harbourRecord(
    [hint("long boats", "overall_length > 10"), hint("local boats", "home = 'Kiel'")],
    {
      reference_sql: [
        "SELECT T1.name\nFROM boats AS T1\nWHERE T1.overall_length > 10 AND T1.home = 'Kiel'\nORDER BY T1.name",
      ],
      alternative_sql: [],
    },
    { record_id: "ew-bird/dev/7#1", avt_id: "ew-bird/dev/7", dataset: "ew-bird", split: "dev" },
  ),
  public: {
    request: "Name the long local boats.",
    database: { engine: "sqlite", database_id: "harbour", path: "harbour/harbour.sqlite" },
    column_meanings: { "boats.home": "where the boat is registered" },
    external_knowledge: [
      { id: "1", name: "knot", description: "a measure of speed", definition: "1.852 km/h" },
    ],
  },
};
UNFILTERED.oracle.withheld_evidence =
  "long boats refers to overall_length > 10; local boats refers to home = 'Kiel'";
UNFILTERED.oracle.clear_request = "Name the boats of more than 10 m overall that are registered in Kiel.";
