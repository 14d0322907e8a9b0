import {
  checkGuarantees,
  KNOWLEDGE_PROMISES,
  knowledgeMatcher,
  knowledgeResponder,
} from "../../../oracle/index.js";
import type { Writing } from "../items.js";

/**
 * Whether the deterministic oracle will know each term when it is asked about, and nothing for a question about nothing:
 * the guarantees that the record is proved on at the end, asked early enough for the rewriter to mend it.
 */
export async function matcherFault({ ambiguities }: Writing): Promise<string | null> {
  const view = {
    ambiguities: ambiguities.map(({ term, aliases, resolution, concepts }, at) => ({
      ambiguity_id: `reading-${at + 1}`,
      term,
      aliases,
      counts: true,
      resolution,
      concepts,
    })),
  };
  const [broken] = await checkGuarantees(view, knowledgeMatcher, knowledgeResponder, KNOWLEDGE_PROMISES);
  return broken === undefined
    ? null
    : `the oracle would not know the terms apart (${broken.code} when asked: ${broken.question})`;
}
