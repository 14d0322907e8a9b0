import { rowSha256 } from "../../../sources/index.js";

/** What a response answers, as the record has it. */
export interface Annotated {
  term: string;
  kind: string;
  resolution: string;
  sql_snippet?: string | undefined;
}

/**
 * What a response was written for: when the request, the term, its fragments or the withheld definition change, a frozen
 * response is out of date and is not used.
 */
export function annotationSha256(
  request: string,
  { term, kind, resolution, sql_snippet = "" }: Annotated,
): string {
  return rowSha256({ request, term, kind, resolution, sql_snippet });
}
