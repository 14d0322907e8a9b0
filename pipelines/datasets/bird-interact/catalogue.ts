import { rowSha256 } from "../../../sources/index.js";
import type { RegisteredAmbiguity, WithheldKnowledge } from "./items.js";

/**
 * What a response was written for: when the request, the term, its fragments or the withheld definition change, a frozen
 * response is out of date and is not used.
 */
export function annotationSha256(
  request: string,
  { term, kind, fragments, deleted_knowledge }: RegisteredAmbiguity,
  { withheld }: WithheldKnowledge,
): string {
  const definitions = withheld
    .filter(({ id }) => deleted_knowledge.includes(id))
    .map(({ name, description, definition }) => ({ name, description, definition }));
  return rowSha256({ request, term, kind, fragments, definitions });
}
