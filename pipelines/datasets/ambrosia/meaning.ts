import type { AmbrosiaConcepts } from "../../../sources/ambrosia/index.js";
import type { RunReading } from "./items.js";
import { meaningOfAttachment } from "./meaning-of-attachment.js";
import { meaningOfScope } from "./meaning-of-scope.js";
import { meaningOfVague } from "./meaning-of-vague.js";

/** What a question's ambiguity is called, and what each reading decides of it. */
export interface Meaning {
  term: string;
  inRequest: boolean;
  aliases: string[];
  /** One sentence a reading, in the readings' order; undefined where annotation and SQL do not tell which it is. */
  decided: (string | undefined)[];
  /** Whether a reading's own sentence says the opposite of its SQL, which decides. */
  contradicted: boolean[];
  /** Names of readings that the request says itself. */
  namedInRequest: string[];
}

export type ConceptsOf<T extends AmbrosiaConcepts["type"]> = Extract<AmbrosiaConcepts, { type: T }>;
/** What the search for meaning reads of a reading. */
export type Said = Pick<RunReading, "sentence" | "sql">;

/** The term, its aliases and what each reading decides, by the question's type (spec 2, ambrosia, steps 3 and 4). */
export function meaningOf(request: string, concepts: AmbrosiaConcepts, readings: readonly Said[]): Meaning {
  switch (concepts.type) {
    case "scope":
      return meaningOfScope(request, concepts, readings);
    case "attachment":
      return meaningOfAttachment(request, concepts, readings);
    case "vague":
      return meaningOfVague(request, concepts, readings);
  }
}
