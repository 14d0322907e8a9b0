import type { DatasetFolder } from "../record/suite.js";
import type { Checks } from "./checks.js";
import { error, type Finding } from "./finding.js";
import { type GuessRate, guessRates } from "./guess.js";
import { guessableRecords } from "./guessable.js";

/** How often an honest release may be told a fault by this check, all its guessers together. */
export const FALSE_ALARM = 0.001;

/** Fewer guesses prove nothing at that level, even if all of them are right: two-sided, over so many guessers. */
const leastGuesses = (guessers: number): number => Math.ceil(Math.log2((2 * guessers) / FALSE_ALARM));

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const said = ({ guesser, n, right, chance, rate, p }: GuessRate, guessers: number): string =>
  `guessing by "${guesser}" is right ${right} times of ${n} (${percent(rate)}, chance ${percent(chance)}; p ${p.toExponential(1)}, one of ${guessers} guessers)`;

/** An id whose suffix is no number of its own among the AVT's readings. */
async function spelledOut(dataset: DatasetFolder): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const { record } of dataset.publicRecords()) {
    const { record_id, avt_id } = record;
    if (record_id.startsWith(`${avt_id}#`) && /^\d+$/.test(record_id.slice(avt_id.length + 1))) continue;
    const message = `the id is not that of its AVT (${avt_id}), a "#" and a number`;
    findings.push(error("reading_in_id", record_id, message));
  }
  return findings;
}

/**
 * Whether ids, file order, lengths or positions in the schema tell the hidden reading. Guessers that look at one feature
 * each are held against chance; the level is divided by their number (Bonferroni), so that a clean dataset is told a fault
 * once in a thousand audits.
 */
export async function checkGuesses(dataset: DatasetFolder, checks: Checks): Promise<Finding[]> {
  const findings = await spelledOut(dataset);
  if (!dataset.whole) {
    checks.leftOut(
      "guessers of the hidden reading",
      `${dataset.dataset}: not all private zones that say it are here`,
    );
    return findings;
  }
  const rates = guessRates(await guessableRecords(dataset)).filter(({ n }) => n > 0);
  checks.add("guessers of the hidden reading", rates.length);
  if (rates.length === 0)
    checks.leftOut(
      "guessers of the hidden reading",
      `${dataset.dataset}: no request has several readings to guess among`,
    );
  const least = leastGuesses(rates.length);
  if (rates.some(({ n }) => n < least)) {
    const why = `${dataset.dataset}: some have fewer than ${least} guesses to make, too few to tell anything at this level`;
    checks.leftOut("guessers of the hidden reading", why);
  }
  for (const rate of rates) {
    if (rate.p * rates.length >= FALSE_ALARM) continue;
    findings.push(error("guessable", dataset.dataset, said(rate, rates.length)));
  }
  return findings;
}
