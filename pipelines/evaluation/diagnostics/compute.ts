/** The four diagnostics from the episodes of a campaign's runs (spec 5; paper Definitions 5 to 7, section A.4). */
import {
  components,
  type Estimate,
  estimate,
  levels,
  type Measured,
  pairDifferences,
} from "../bootstrap/index.js";
import type { ScoredEpisode } from "../run/read.js";
import type { DatasetDiagnostics, Diagnostic, Precondition, SqlAccess } from "./types.js";

/** Whose specification a record's asker was shown: the AVTs of both. */
export interface DonorLink {
  readonly avt: string;
  readonly donor: string;
}

/** One dataset's episodes, run by run; null where a run is not there (yet). */
export interface DiagnosticRuns {
  /** The asker under O and under the hybrid oracle. */
  readonly asker: readonly ScoredEpisode[] | null;
  readonly hybrid: readonly ScoredEpisode[] | null;
  /** The spec-randomized asker under the hybrid oracle, and whose specification it was shown. */
  readonly spec: {
    readonly episodes: readonly ScoredEpisode[];
    readonly donors: readonly DonorLink[];
  } | null;
  /** The adversarial askers under O and under the reference oracle. */
  readonly full: readonly ScoredEpisode[] | null;
  readonly fullReference: readonly ScoredEpisode[] | null;
  readonly none: readonly ScoredEpisode[] | null;
  readonly noneReference: readonly ScoredEpisode[] | null;
}

type Value = (episode: ScoredEpisode) => number | null;
export const SUCCESS: Value = ({ metrics }) => metrics.sr;
export const RECALL: Value = ({ metrics }) => metrics.recall;
const UNVOLUNTEERED: Value = ({ unvolunteeredRecall }) => unvolunteeredRecall;
export const ACTION_RECALL: Value = ({ actionRecall }) => actionRecall;

/** Values of a run, each resampled with its AVT unless told otherwise. */
export function valuesOf(
  episodes: readonly ScoredEpisode[],
  value: Value,
  clusterOf: (avt: string) => string = (avt) => avt,
): Measured[] {
  return episodes.map((one) => ({
    record: one.record,
    cluster: clusterOf(one.avt),
    seed: one.seed,
    value: value(one),
  }));
}

/** Mean of those values that the pairs are made of. */
function pairedMean(own: readonly Measured[], others: readonly Measured[]): number | null {
  const names = new Set(
    others.flatMap(({ seed, record, value }) => (value === null ? [] : [`${seed}/${record}`])),
  );
  const shared = own.filter(({ seed, record }) => names.has(`${seed}/${record}`));
  return estimate(levels(shared), 1).mean;
}

/** `minuend − subtrahend` over the records and seeds that both have. */
export function pairedDiagnostic(
  minuend: readonly Measured[],
  subtrahend: readonly Measured[],
  invalid: readonly string[] = [],
): Diagnostic {
  const { differences, alone } = pairDifferences(minuend, subtrahend);
  return {
    ...estimate(differences),
    levels: { minuend: pairedMean(minuend, subtrahend), subtrahend: pairedMean(subtrahend, minuend) },
    alone,
    volunteered: 0,
    by_definition: false,
    invalid,
  };
}

/** A difference of two runs, either of which may be missing. */
function between(
  minuend: readonly ScoredEpisode[] | null,
  subtrahend: readonly ScoredEpisode[] | null,
  value: Value,
  invalid: readonly string[] = [],
): Diagnostic | null {
  if (minuend === null || subtrahend === null) return null;
  return pairedDiagnostic(valuesOf(minuend, value), valuesOf(subtrahend, value), invalid);
}

/** ΔRec_none, and the part of it that the matcher did not earn. */
function noneLeakage(
  under: readonly ScoredEpisode[] | null,
  reference: readonly ScoredEpisode[] | null,
  invalid: readonly string[],
): Diagnostic | null {
  const all = between(under, reference, RECALL, invalid);
  const matched = between(under, reference, UNVOLUNTEERED);
  if (all === null || matched === null) return all;
  return { ...all, volunteered: (all.mean ?? 0) - (matched.mean ?? 0) };
}

/** Zero by definition: the reference against itself. */
export function zeroByDefinition(): Diagnostic {
  const zero: Estimate = {
    mean: 0,
    sd: null,
    per_seed: {},
    interval: { lo: 0, hi: 0 },
    n: 0,
    clusters: 0,
  };
  return {
    ...zero,
    levels: { minuend: null, subtrahend: null },
    alone: { minuend: 0, subtrahend: 0 },
    volunteered: 0,
    by_definition: true,
    invalid: [],
  };
}

/**
 * Which AVTs ΔRec_spec^Q resamples together: those that share a donor, and each with the AVT that gave its donor. Linking
 * every AVT with its donor's does both, because two that share a donor are linked over it.
 */
export function donorComponents(donors: readonly DonorLink[]): (avt: string) => string {
  const found = components(
    donors.map(({ avt }) => avt),
    donors.map(({ avt, donor }) => [avt, donor] as const),
  );
  return (avt) => found.get(avt) ?? avt;
}

/** Recall by routing action of the spec-randomized asker under (match, resp*): a level, nothing is taken from it. */
export function specRandomized(episodes: readonly ScoredEpisode[], donors: readonly DonorLink[]): Diagnostic {
  const measured = estimate(levels(valuesOf(episodes, ACTION_RECALL, donorComponents(donors))));
  return {
    ...measured,
    levels: { minuend: measured.mean, subtrahend: null },
    alone: { minuend: 0, subtrahend: 0 },
    volunteered: 0,
    by_definition: false,
    invalid: [],
  };
}

/** Holds a run against a condition of Definition 7 and names every record that breaks it. */
export function checkPrecondition(
  asker: string,
  episodes: readonly ScoredEpisode[],
  metric: "recall" | "precision",
  wanted: 0 | 1,
): Precondition {
  const broken = new Map<string, number>();
  let counted = 0;
  for (const { record, metrics } of episodes) {
    const value = metrics[metric];
    if (value === null) continue;
    counted += 1;
    if (value === wanted) continue;
    const before = broken.get(record);
    const worse = wanted === 1 ? Math.min : Math.max;
    broken.set(record, before === undefined ? value : worse(before, value));
  }
  return {
    asker,
    metric,
    wanted,
    episodes: counted,
    broken: [...broken].sort(([a], [b]) => (a < b ? -1 : 1)).map(([record, value]) => ({ record, value })),
  };
}

/** Recall = precision = 1 for full-adversarial and recall = 0 for none-adversarial, under the reference oracle. */
export function preconditionsOf({ fullReference, noneReference }: DiagnosticRuns): Precondition[] {
  return [
    ...(fullReference === null
      ? []
      : [
          checkPrecondition("full-adversarial", fullReference, "recall", 1),
          checkPrecondition("full-adversarial", fullReference, "precision", 1),
        ]),
    ...(noneReference === null ? [] : [checkPrecondition("none-adversarial", noneReference, "recall", 0)]),
  ];
}

/** Why a diagnostic that rests on an asker's reference run must not be used. */
function violations(preconditions: readonly Precondition[], asker: string): string[] {
  return preconditions
    .filter((one) => one.asker === asker && one.broken.length > 0)
    .map(
      ({ metric, wanted, broken }) =>
        `${metric} is not ${wanted} on the reference run of ${asker} for ${broken.length} ${broken.length === 1 ? "record" : "records"}, such as ${broken[0]!.record} (${broken[0]!.value.toFixed(2)})`,
    );
}

/** Names of a result beside its numbers. */
export type DiagnosticNames = Pick<DatasetDiagnostics, "dataset" | "oracle" | "sql">;

/**
 * The diagnostics of an asker under an oracle on one dataset.
 *
 * @param isReference the oracle is the reference: its three differences are zero by definition, and its ΔRec_spec^Q is
 *   the reference recall
 */
export function diagnose(
  names: DiagnosticNames,
  runs: DiagnosticRuns,
  isReference: boolean,
): DatasetDiagnostics {
  const preconditions = preconditionsOf(runs);
  const all = [
    runs.asker,
    runs.hybrid,
    runs.spec?.episodes ?? null,
    runs.fullReference,
    runs.noneReference,
  ].find((one) => one !== null && one.length > 0);
  const records = new Map((all ?? []).map(({ record, ambiguities }) => [record, ambiguities]));
  const seeds = [...new Set((all ?? []).map(({ seed }) => seed))].sort((a, b) => a - b);
  return {
    ...names,
    records: records.size,
    with_ambiguities: [...records.values()].filter((count) => count > 0).length,
    seeds,
    diagnostics: {
      dj_resp: isReference ? zeroByDefinition() : between(runs.asker, runs.hybrid, SUCCESS),
      drec_spec_q: runs.spec === null ? null : specRandomized(runs.spec.episodes, runs.spec.donors),
      dj_full: isReference
        ? zeroByDefinition()
        : between(runs.full, runs.fullReference, SUCCESS, violations(preconditions, "full-adversarial")),
      drec_none: isReference
        ? zeroByDefinition()
        : noneLeakage(runs.none, runs.noneReference, violations(preconditions, "none-adversarial")),
    },
    preconditions,
  };
}

/** Shown minus hidden for one policy each: SR of the asker and of full-adversarial, recall of none-adversarial. */
export function sqlAccess(
  dataset: string,
  oracle: string,
  shown: Pick<DiagnosticRuns, "asker" | "full" | "none">,
  hidden: Pick<DiagnosticRuns, "asker" | "full" | "none">,
): SqlAccess {
  return {
    dataset,
    oracle,
    differences: {
      dj_resp: between(shown.asker, hidden.asker, SUCCESS),
      dj_full: between(shown.full, hidden.full, SUCCESS),
      drec_none: between(shown.none, hidden.none, RECALL),
    },
  };
}

/** The responder-leakage difference of every record and seed, as a value of its own. */
function responderLeakage({ asker, hybrid }: DiagnosticRuns): Measured[] | null {
  if (asker === null || hybrid === null) return null;
  const others = new Map(
    valuesOf(hybrid, SUCCESS).map(({ seed, record, value }) => [`${seed}/${record}`, value] as const),
  );
  return valuesOf(asker, SUCCESS).map((one) => {
    const other = others.get(`${one.seed}/${one.record}`) ?? null;
    return { ...one, value: one.value === null || other === null ? null : one.value - other };
  });
}

/** One policy's diagnostics minus another's, paired by record and seed (paper E.2, Table 17). */
export function policyDifference(
  a: DiagnosticRuns,
  b: DiagnosticRuns,
): { dj_resp: Diagnostic | null; drec_spec_q: Diagnostic | null } {
  const [ofA, ofB] = [responderLeakage(a), responderLeakage(b)];
  const spec = (): Diagnostic | null => {
    if (a.spec === null || b.spec === null) return null;
    // Donors are the same for both policies, unless the suites differ; then both maps tie AVTs together.
    const clusterOf = donorComponents([...a.spec.donors, ...b.spec.donors]);
    return pairedDiagnostic(
      valuesOf(a.spec.episodes, ACTION_RECALL, clusterOf),
      valuesOf(b.spec.episodes, ACTION_RECALL, clusterOf),
    );
  };
  return {
    dj_resp: ofA === null || ofB === null ? null : pairedDiagnostic(ofA, ofB),
    drec_spec_q: spec(),
  };
}
