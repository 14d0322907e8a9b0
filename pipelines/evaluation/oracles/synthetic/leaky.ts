/**
 * Oracles of known leakage, which test the diagnostics (spec 5; ours). They are deterministic but for chance of a stated
 * rate, so that what the diagnostics must find is known beforehand. A run that uses one is marked synthetic.
 */
import { drawsFor } from "../../../engine/random.js";
import { UserError } from "../../../errors.js";
import { intentMatcher, REFUSAL } from "../../../oracle/index.js";
import type { MatcherView, ResponderView } from "../../../record/views.js";
import type { ModelMatcher, ModelResponder } from "../types.js";

/** How often each fault happens, as shares of 1. */
export interface LeakRates {
  /** A response ends with the reference SQL. */
  readonly leak: number;
  /** A question that asks about nothing registered is credited with one of the record's ambiguities. */
  readonly credit: number;
}

const STEPS = 1_000_000;

/** A coin that comes up with the given rate, the same for the same question of a task in every run of a campaign. */
function happens(rate: number, purpose: string, unit: unknown): boolean {
  return drawsFor(0, `synthetic-oracle/${purpose}`, JSON.stringify(unit)).below(STEPS) < rate * STEPS;
}

/**
 * Routes by terms and aliases, as the deterministic matcher does, and credits one of the ambiguities at the given rate
 * where that finds none. It reads the question and not the dialogue, as model matchers do.
 */
export function inaccurateMatcher(rate: number): ModelMatcher {
  return {
    reads: "routing",
    name: `synthetic, credits ${rate} of what names nothing`,
    match(question, view: MatcherView, { record, sample }) {
      const ambiguities = view.ambiguities.map((one) => ({ ...one, counts: true }));
      const found = intentMatcher.match(question, [], { ambiguities });
      const unit = [record, question, sample];
      if (found.credits.length > 0 || ambiguities.length === 0 || !happens(rate, "credit", unit))
        return Promise.resolve(found);
      const place = drawsFor(0, "synthetic-oracle/which", JSON.stringify(unit)).below(ambiguities.length);
      const { ambiguity_id, term } = ambiguities[place]!;
      return Promise.resolve({
        credits: [ambiguity_id],
        action: { kind: "labeled", term },
        why: "credited by chance, which tests the diagnostics",
      });
    },
  };
}

/** What the reference responder says: the stored text of each credited ambiguity, or the refusal. */
function referenceText({ scope, ambiguities }: ResponderView, credits: readonly string[]): string {
  const said = ambiguities.filter(({ ambiguity_id }) => credits.includes(ambiguity_id));
  if (said.length === 0) return REFUSAL;
  return said.map(({ response, resolution }) => (scope === "scoped" ? response : resolution)).join("\n");
}

/** Answers as the reference responder does, and adds the reference SQL at the given rate. */
export function leakyResponder(rate: number): ModelResponder {
  return {
    reads: "annotations",
    name: `synthetic, leaks the SQL in ${rate} of its responses`,
    sql: "shown",
    respond(question, { credits }, view, { record, sample }) {
      const text = referenceText(view, credits);
      const [reference] = view.sql?.reference_sql ?? [];
      const leaks = reference !== undefined && happens(rate, "leak", [record, question, sample]);
      return Promise.resolve({ text: leaks ? `${text} The SQL is: ${reference}` : text });
    },
  };
}

/** What the synthetic oracles' names begin with: `synthetic:leak=0.3,credit=0.1`. */
export const SYNTHETIC_ORACLE = "synthetic:";

/** The rates that a synthetic oracle's name states; a fault that is not named never happens. */
export function leakRatesOf(name: string): LeakRates {
  const rates = { leak: 0, credit: 0 };
  for (const part of name.slice(SYNTHETIC_ORACLE.length).split(",")) {
    const [, key, value] = /^(leak|credit)=(\d(?:\.\d+)?)$/.exec(part) ?? [];
    const rate = Number(value);
    if ((key !== "leak" && key !== "credit") || !(rate >= 0 && rate <= 1)) {
      throw new UserError(`"${name}" is no synthetic oracle`, {
        remedy: "name its rates from 0 to 1, such as synthetic:leak=0.3,credit=0.1",
      });
    }
    rates[key] = rate;
  }
  return rates;
}

/** The oracle with the same matcher and the reference responder. */
export const withReferenceResponder = (name: string): string =>
  `${SYNTHETIC_ORACLE}leak=0,credit=${leakRatesOf(name).credit}`;
