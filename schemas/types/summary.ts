// Generated from schemas/summary.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * Metrics of a run: per dataset and condition, as fractions of 1.
 */
export interface RunSummary {
  run: string;
  synthetic: boolean;
  suite_hash: string;
  datasets: {
    [k: string]: DatasetSummary;
  };
  /**
   * Role → what its calls come to, whether the answers came from the store or from a server.
   */
  usage?: {
    [k: string]: UsageSummary;
  };
}
export interface DatasetSummary {
  none: ConditionSummary;
  asker: ConditionSummary;
  full: ConditionSummary;
  asking_gain: SeriesSummary;
  gap_to_full: SeriesSummary1;
  episodes: number;
  /**
   * Condition → verdict → episodes.
   */
  verdicts: {
    [k: string]: {
      [k: string]: number;
    };
  };
  /**
   * Episodes that are in no denominator of SR.
   */
  left_out: {
    record: string;
    condition: string;
    seed: number;
    verdict: string;
  }[];
  /**
   * Flag of a verdict → episodes that have it, such as tests_not_run: a comparison decided in place of the task's own tests.
   */
  flags?: {
    [k: string]: number;
  };
  fallback_stops: number;
  /**
   * Turns whose model matcher or responder gave no reply that could be read, even on retry.
   */
  oracle_fallbacks?: number;
  /**
   * Synthetic solvers only: condition → SR known in closed form, and the SD of its sampling error.
   */
  expected_sr?: {
    [k: string]: {
      mean: number;
      sd: number;
    };
  };
}
export interface ConditionSummary {
  sr: MeasureSummary;
  precision: MeasureSummary;
  recall: MeasureSummary;
  f1: MeasureSummary;
}
export interface MeasureSummary {
  mean: number | null;
  sd: number | null;
  per_seed: {
    [k: string]: number | null;
  };
  /**
   * Episodes that define the metric, over all seeds.
   */
  n: number;
}
/**
 * SR(asker) − SR(none), seed by seed.
 */
export interface SeriesSummary {
  mean: number | null;
  sd: number | null;
  per_seed: {
    [k: string]: number | null;
  };
}
/**
 * SR(full) − SR(asker), seed by seed.
 */
export interface SeriesSummary1 {
  mean: number | null;
  sd: number | null;
  per_seed: {
    [k: string]: number | null;
  };
}
export interface UsageSummary {
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  /**
   * At the run's prices, in the currency that they count; null where there are none.
   */
  cost: number | null;
}
