import { drawsFor } from "../../engine/random.js";

/** How often each of `clusters` clusters stands in each of `resamples` resamples. */
export interface Resamples {
  readonly clusters: number;
  readonly resamples: number;
  /**
   * Cluster by cluster, so that adding a cluster to all resamples runs through memory: cluster `c` stands
   * `counts[c * resamples + r]` times in resample `r`, and every resample sums to `clusters`.
   */
  readonly counts: Uint16Array;
}

const known = new Map<string, Resamples>();

/** Counts of this many cells are kept; a suite's datasets fit in. */
const KEPT_CELLS = 24_000_000;

/**
 * Draws with replacement, seeded with the number of clusters alone: the same data give the same interval everywhere, in
 * any order, and measures over the same clusters are resampled together, as the paper's paired runs are.
 */
export function resamplesOf(clusters: number, resamples: number): Resamples {
  const key = `${clusters}/${resamples}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const counts = new Uint16Array(clusters * resamples);
  const draws = drawsFor(0, "bootstrap/clusters", key);
  for (let resample = 0; resample < resamples; resample += 1) {
    for (let draw = 0; draw < clusters; draw += 1) counts[draws.below(clusters) * resamples + resample]! += 1;
  }
  const made = { clusters, resamples, counts };
  known.set(key, made);
  let cells = [...known.values()].reduce((sum, one) => sum + one.counts.length, 0);
  for (const [oldest, one] of known) {
    if (cells <= KEPT_CELLS || oldest === key) break;
    known.delete(oldest);
    cells -= one.counts.length;
  }
  return made;
}
