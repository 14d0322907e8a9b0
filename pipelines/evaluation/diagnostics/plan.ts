/** Which runs a leakage campaign needs (spec 5; paper section A.4, "Diagnostic runs"). */
import { traitsOf } from "../../record/datasets.js";
import { SPEC_RANDOMIZED } from "../askers/index.js";
import { SYNTHETIC_ORACLE, withReferenceResponder } from "../oracles/index.js";

export type RunRole = "asker" | "hybrid" | "spec" | "full" | "none";
export type SqlCondition = "shown" | "hidden";

/** An oracle as a command line names it, with parts of the user's own. */
export interface OracleChoice {
  readonly oracle: string;
  readonly oracleSql?: SqlCondition;
  readonly matcher?: string;
  readonly responder?: string;
}

/** One run of a campaign: one policy under one oracle. */
export interface PlannedRun {
  readonly role: RunRole;
  /** Whether it is a run under the reference oracle O*. */
  readonly reference: boolean;
  readonly asker: string;
  readonly choice: OracleChoice;
}

const REFERENCE: OracleChoice = { oracle: "deterministic" };

/** O is O* itself: nothing can leak against it. */
export const isReference = ({ oracle, matcher, responder }: OracleChoice): boolean =>
  oracle === "deterministic" && matcher === undefined && responder === undefined;

/** The hybrid oracle: O's matcher with the reference responder. */
export function hybridOf({ oracle, matcher }: OracleChoice): OracleChoice {
  const own = matcher === undefined ? {} : { matcher };
  if (oracle.startsWith(SYNTHETIC_ORACLE)) return { oracle: withReferenceResponder(oracle), ...own };
  return { oracle: oracle === "llm" ? "hybrid" : oracle, ...own };
}

/** The reference runs, which every oracle of a campaign shares. A script reads no specification to randomize. */
function referenceRuns(asker: string, randomizable: boolean): PlannedRun[] {
  const run = (role: RunRole, name: string): PlannedRun => ({
    role,
    reference: true,
    asker: name,
    choice: REFERENCE,
  });
  return [
    ...(randomizable ? [run("spec", `${SPEC_RANDOMIZED}${asker}`)] : []),
    run("full", "full-adversarial"),
    run("none", "none-adversarial"),
  ];
}

/**
 * The runs of an asker under an oracle. With the reference oracle its three differences are zero by definition, so only
 * the reference runs are made. None-adversarial is run under O alone, which is valid because its questions ignore the
 * responses and model matchers ignore the dialogue; a matcher of the user's own may read it, so its run has resp*.
 *
 * @param otherSql the other condition of the responder's access to the reference SQL, where it is to be compared
 */
export function planRuns(
  asker: string,
  choice: OracleChoice,
  randomizable: boolean,
  otherSql?: SqlCondition,
): PlannedRun[] {
  const reference = referenceRuns(asker, randomizable);
  if (isReference(choice)) return reference;
  const hybrid = hybridOf(choice);
  const run = (role: RunRole, name: string, under: OracleChoice): PlannedRun => ({
    role,
    reference: false,
    asker: name,
    choice: under,
  });
  const underO = (under: OracleChoice): PlannedRun[] => [
    run("asker", asker, under),
    run("full", "full-adversarial", under),
    run("none", "none-adversarial", under.matcher === undefined ? under : hybrid),
  ];
  return [
    ...reference,
    ...underO(choice),
    run("hybrid", asker, hybrid),
    ...(randomizable ? [run("spec", `${SPEC_RANDOMIZED}${asker}`, hybrid)] : []),
    ...(otherSql === undefined ? [] : underO({ ...choice, oracleSql: otherSql })),
  ];
}

/** Which records of a dataset the paper's campaign is on: Bird and EW-Bird dev, Ambrosia's local test slice, others whole. */
export function campaignScope(dataset: string): { readonly split?: string; readonly slice?: string } {
  return traitsOf(dataset).campaign ?? {};
}
