/**
 * The simulated users that `--oracle` names (spec 3): `deterministic` (intent or knowledge, by dataset), `llm` (scoped or
 * unfiltered, by dataset), and `hybrid`, the model's matcher with the deterministic responder.
 */
import type { Dataset } from "../../../schemas/types/record.js";
import { UserError } from "../../errors.js";
import { type ModelClient, NO_MODEL } from "../../model/index.js";
import { intentMatcher, intentResponder, knowledgeMatcher, knowledgeResponder } from "../../oracle/index.js";
import { describedDatasets } from "../../record/datasets.js";
import { type OracleSql, oracleVariantOf } from "../../record/views.js";
import { modelMatcher } from "./model-matcher.js";
import { modelResponder } from "./model-responder.js";
import { inaccurateMatcher, leakRatesOf, leakyResponder, SYNTHETIC_ORACLE } from "./synthetic/leaky.js";
import type { Oracle, RegistryMatcher, RegistryResponder } from "./types.js";

export { SYNTHETIC_ORACLE, withReferenceResponder } from "./synthetic/leaky.js";
export type * from "./types.js";
export { hasFailed } from "./types.js";

/** Names that `--oracle` knows. */
export const ORACLES = ["deterministic", "llm", "hybrid"] as const;
type OracleName = (typeof ORACLES)[number];

/** What an oracle is made with; only the model ones need any of it. */
export interface OracleOptions {
  readonly model?: ModelClient;
  /** Whether an `llm` oracle's responder is shown the reference SQL; the dataset's default unless given. */
  readonly sql?: OracleSql;
}

/** Shown on Bird and EW-Bird; hidden elsewhere (paper E.1; BIRD-Interact was not run there, so hidden is ours). */
export function defaultOracleSql(dataset: Dataset): OracleSql {
  return oracleVariantOf(dataset) === "knowledge" ? "shown" : "hidden";
}

/** The datasets on which the reference SQL is shown by default, for help. */
export const sqlShownOn = (): string =>
  describedDatasets()
    .filter((dataset) => defaultOracleSql(dataset) === "shown")
    .join(" and ");

/** Whether an oracle of that name calls a model. */
export const callsModel = (name: string): boolean => name === "llm" || name === "hybrid";

const DETERMINISTIC = {
  intent: {
    matcher: { reads: "registry", ...intentMatcher },
    responder: { reads: "registry", ...intentResponder },
  },
  knowledge: {
    matcher: { reads: "registry", ...knowledgeMatcher },
    responder: { reads: "registry", ...knowledgeResponder },
  },
} satisfies Record<string, { matcher: RegistryMatcher; responder: RegistryResponder }>;

const isOracle = (name: string): name is OracleName => ORACLES.some((one) => one === name);

/** Of known leakage, to test the diagnostics; without a leak the responder is the dataset's deterministic one. */
function syntheticOracle(name: string, dataset: Dataset): Oracle {
  const { leak, credit } = leakRatesOf(name);
  const variant = oracleVariantOf(dataset);
  const responder = leak === 0 ? DETERMINISTIC[variant].responder : leakyResponder(leak);
  return { name, variant, matcher: inaccurateMatcher(credit), responder };
}

/** The oracle of that name for a dataset. */
export function oracleNamed(name: string, dataset: Dataset, options: OracleOptions = {}): Oracle {
  if (name.startsWith(SYNTHETIC_ORACLE)) return syntheticOracle(name, dataset);
  if (!isOracle(name)) {
    throw new UserError(`there is no oracle "${name}"`, {
      remedy: /^https?:/.test(name)
        ? "an answering service answers for ambitab predict alone"
        : `oracles: ${ORACLES.join(", ")}`,
    });
  }
  const { model = NO_MODEL, sql = defaultOracleSql(dataset) } = options;
  const variant = oracleVariantOf(dataset);
  const { matcher, responder } = DETERMINISTIC[variant];
  switch (name) {
    case "deterministic":
      return { name, variant, matcher, responder };
    case "hybrid":
      return { name, variant, matcher: modelMatcher(model), responder };
    case "llm":
      return { name, variant, matcher: modelMatcher(model), responder: modelResponder(model, sql) };
  }
}
