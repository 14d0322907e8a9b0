import type { Dataset } from "../../../schemas/types/record.js";
import { UserError } from "../../errors.js";
import {
  intentMatcher,
  intentResponder,
  knowledgeMatcher,
  knowledgeResponder,
  type Matcher,
  type Responder,
} from "../../oracle/index.js";
import { type OracleVariant, type OracleView, oracleVariantOf } from "../../record/views.js";

/** A simulated user: any matcher with any responder, and the view that both may read. */
export interface Oracle {
  readonly name: string;
  readonly variant: OracleVariant;
  readonly matcher: Matcher<OracleView>;
  readonly responder: Responder<OracleView>;
}

const DETERMINISTIC = {
  intent: { matcher: intentMatcher, responder: intentResponder },
  knowledge: { matcher: knowledgeMatcher, responder: knowledgeResponder },
} as const;

/** Names that `--oracle` knows. */
export const ORACLES = ["deterministic"] as const;

/** The oracle of that name for a dataset: `deterministic` is the intent oracle or the knowledge oracle, by dataset. */
export function oracleNamed(name: string, dataset: Dataset): Oracle {
  if (name !== "deterministic") {
    throw new UserError(`there is no oracle "${name}"`, { remedy: `oracles: ${ORACLES.join(", ")}` });
  }
  const variant = oracleVariantOf(dataset);
  return { name, variant, ...DETERMINISTIC[variant] };
}
