/**
 * Success, precision, recall, F1, gains and gaps (spec 4): pure functions of finished episodes.
 *
 * @example
 * const summary = { ambiqt: { none: summarise(none), asker: summarise(asker), full: summarise(full) } };
 * const gain = askingGain(summary.ambiqt).mean;
 */
export { type LeftOut, leftOut, type Measure, type Summary, summarise } from "./aggregate.js";
export {
  askingGain,
  type Conditions,
  completeSeeds,
  difference,
  type FamilyMember,
  familyMean,
  gapToFull,
  type SeedSeries,
} from "./compare.js";
export { type Episode, type EpisodeMetrics, episodeMetrics, METRICS, type Metric } from "./episode.js";
export { questionF1Reward } from "./reward.js";
export { leavesSuccessRate, VERDICTS, type Verdict } from "./verdict.js";
