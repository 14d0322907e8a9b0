/**
 * Means over seeds with 95 % bootstrap intervals over clusters of tasks (spec 5; paper section A.4).
 *
 * @example
 * const { differences } = pairDifferences(underOracle, underReference);
 * const { mean, sd, interval, clusters } = estimate(differences);
 */
export { components } from "./components.js";
export { type Estimate, estimate, FEW_CLUSTERS, type Observation, RESAMPLES } from "./estimate.js";
export { levels, type Measured, type Pairs, pairDifferences } from "./paired.js";
