/** Pairs of two runs' values by record and seed (spec 5; paper section A.4, "Pairing and uncertainty"). */
import type { Observation } from "./estimate.js";

/** One record's value under one seed; null where the metric is not defined for the episode. */
export interface Measured {
  readonly record: string;
  /** What the record is resampled with: its AVT, or the component its AVT is in. */
  readonly cluster: string;
  readonly seed: number;
  readonly value: number | null;
}

/** Differences where both sides have a value, and how many values of either side have no partner. */
export interface Pairs {
  readonly differences: readonly Observation[];
  readonly alone: { readonly minuend: number; readonly subtrahend: number };
}

const nameOf = ({ record, seed }: Measured): string => `${seed}/${record}`;

/** The values that there are, as observations. */
export function levels(measured: readonly Measured[]): Observation[] {
  return measured.flatMap(({ cluster, seed, value }) => (value === null ? [] : [{ cluster, seed, value }]));
}

/**
 * `minuend − subtrahend`, record by record and seed by seed. A value that only one side has (a record the other did not
 * run, an episode that leaves the metric's denominator) is in neither mean, so that both sides are about the same tasks.
 */
export function pairDifferences(minuend: readonly Measured[], subtrahend: readonly Measured[]): Pairs {
  const others = new Map<string, number>();
  for (const one of subtrahend) if (one.value !== null) others.set(nameOf(one), one.value);
  const differences: Observation[] = [];
  let present = 0;
  for (const one of minuend) {
    if (one.value === null) continue;
    present += 1;
    const other = others.get(nameOf(one));
    if (other !== undefined)
      differences.push({ cluster: one.cluster, seed: one.seed, value: one.value - other });
  }
  const paired = differences.length;
  return { differences, alone: { minuend: present - paired, subtrahend: others.size - paired } };
}
