/** The metrics of one episode (spec 4; paper Definition 2 and section C.3). */
import { leavesDialogueMetrics, leavesSuccessRate, type Verdict } from "./verdict.js";

/** What a finished episode says to the metrics. */
export interface Episode {
  /** The record's own name in the run; it appears in lists of what was left out. */
  readonly record: string;
  readonly seed: number;
  /** The ids credited to each question, in order: its length is n. Counted ambiguities only. */
  readonly credits: readonly (readonly string[])[];
  /** |Amb|: how many counted ambiguities the record has. */
  readonly ambiguities: number;
  /** The asker's reply could not be read after repair and retry, which ended the asking. */
  readonly fallback_stop: boolean;
  readonly verdict: Verdict;
}

export const METRICS = ["sr", "precision", "recall", "f1"] as const;
export type Metric = (typeof METRICS)[number];

/** Each a fraction of 1, or null where the metric is not defined for the episode. */
export type EpisodeMetrics = Readonly<Record<Metric, number | null>>;

/** Precision and recall terms of a dialogue (paper, Equation 1), before any rule on when they count. */
export interface Coverage {
  /** |{i : cred_i ⊄ cred_≤i−1}|: the questions that earned a credit not earned before. */
  readonly productive: number;
  readonly questions: number;
  /** |cred_≤n| */
  readonly credited: number;
  readonly ambiguities: number;
}

/** Counts a dialogue's productive questions and credited ambiguities; more credits than |Amb| are a bug of ours. */
export function coverage(credits: readonly (readonly string[])[], ambiguities: number): Coverage {
  const seen = new Set<string>();
  let productive = 0;
  for (const credit of credits) {
    const before = seen.size;
    for (const id of credit) seen.add(id);
    if (seen.size > before) productive += 1;
  }
  if (seen.size > ambiguities) {
    throw new Error(`${seen.size} ambiguities are credited in an episode that has ${ambiguities}`);
  }
  return { productive, questions: credits.length, credited: seen.size, ambiguities };
}

/** 2pr / (p + r) in whole numbers; 0 when no question is productive. */
export function harmonicMean({ productive, questions, credited, ambiguities }: Coverage): number {
  const p = productive * ambiguities;
  const r = credited * questions;
  return p + r === 0 ? 0 : (2 * productive * credited) / (p + r);
}

/**
 * SR, precision (n ≥ 1), recall and F1 (|Amb| ≥ 1; not after a fallback stop). A `context_overflow` is a failure with
 * zero recall, whatever was asked before it; precision then is as asked, and undefined when nothing was.
 */
export function episodeMetrics(episode: Episode): EpisodeMetrics {
  const { verdict } = episode;
  const sr = leavesSuccessRate(verdict) ? null : Number(verdict === "match");
  if (leavesDialogueMetrics(verdict)) return { sr, precision: null, recall: null, f1: null };
  const asked = coverage(episode.credits, episode.ambiguities);
  const precision = asked.questions === 0 ? null : asked.productive / asked.questions;
  if (asked.ambiguities === 0 || episode.fallback_stop) return { sr, precision, recall: null, f1: null };
  if (verdict === "context_overflow") return { sr, precision, recall: 0, f1: 0 };
  return { sr, precision, recall: asked.credited / asked.ambiguities, f1: harmonicMean(asked) };
}
