/** How a release that is yet to be made differs from those it follows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { error, type Finding } from "../../audit/finding.js";
import type { DatasetFolder, Suite } from "../../record/suite.js";
import { type DatasetDiff, diffDatasets } from "../diff/suites.js";
import { type Followed, openReleased, type Released } from "./previous.js";
import { coreOf, type Version, versionText } from "./semver.js";
import {
  addsFields,
  largest,
  leastVersion,
  type Reason,
  reasonsOf,
  type Step,
  stepsFarEnough,
} from "./steps.js";

/** A release that is followed, and how the new one differs. */
export interface Difference {
  readonly from: Released;
  readonly manifest: ReleaseManifest;
  readonly datasets: readonly DatasetDiff[];
  readonly reasons: readonly Reason[];
  readonly step: Step;
}

export interface History {
  readonly version: Version;
  /** Against what the changelog is written; none for a first release. */
  readonly previous: Difference | undefined;
  /** Against what the version is judged; none while there is no lower full release. */
  readonly base: Difference | undefined;
}

/** Names of all fields of a value, without positions, as `fieldName` gives them. */
function addFields(value: unknown, path: string, names: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) addFields(one, `${path}[]`, names);
  else if (value !== null && typeof value === "object") {
    for (const [key, one] of Object.entries(value)) {
      const own = path === "" ? key : `${path}.${key}`;
      names.add(own);
      addFields(one, own, names);
    }
  }
}

async function fieldsOf(dataset: DatasetFolder | undefined): Promise<Set<string>> {
  const names = new Set<string>();
  if (dataset === undefined) return names;
  for await (const { record } of dataset.partialRecords()) addFields(record, "", names);
  return names;
}

async function differenceFrom(from: Released, datasets: readonly DatasetFolder[]): Promise<Difference> {
  const suite: Suite = openReleased(from);
  const manifest = JSON.parse(readFileSync(join(from.folder, "manifest.json"), "utf8")) as ReleaseManifest;
  const diffs = await diffDatasets(suite.datasets, datasets);
  const reasons: Reason[] = [];
  for (const diff of diffs) {
    const old = suite.datasets.find(({ dataset }) => dataset === diff.dataset);
    const sides = {
      before: old !== undefined,
      after: datasets.some(({ dataset }) => dataset === diff.dataset),
    };
    const known = addsFields(diff) ? await fieldsOf(old) : new Set<string>();
    reasons.push(...reasonsOf(diff, sides, known));
  }
  return { from, manifest, datasets: diffs, reasons, step: largest(reasons.map(({ step }) => step)) };
}

/**
 * Compares datasets with those of the releases that a new one follows.
 *
 * @throws UserError where an earlier release cannot be read; SourceError where one of its lines cannot
 */
export async function historyOf(
  version: Version,
  { previous, base }: Followed,
  datasets: readonly DatasetFolder[],
): Promise<History> {
  const before = previous === undefined ? undefined : await differenceFrom(previous, datasets);
  if (base === undefined || base.folder === previous?.folder)
    return { version, previous: before, base: base === undefined ? undefined : before };
  return { version, previous: before, base: await differenceFrom(base, datasets) };
}

/** How many places a message names. */
const NAMED = 5;

/** `3 records removed: a, b, c`. */
function reasonText({ what: [one, became], places }: Reason): string {
  const rest = places.length > NAMED ? `, and ${places.length - NAMED} more` : "";
  return `${places.length} ${one}${places.length === 1 ? "" : "s"} ${became}: ${places.slice(0, NAMED).join(", ")}${rest}`;
}

/** The step's name, and what it comes to below 1.0.0. */
function stepText(step: Step, { major }: Version): string {
  if (major > 0n || step === "patch") return `a ${step} step`;
  return `a ${step} step (below 1.0.0 a ${step === "major" ? "minor" : "patch"} one)`;
}

/** Why the version does not step far enough from the full release before it: an error for each reason. */
export function versionFindings({ version, base }: History): Finding[] {
  if (base === undefined || stepsFarEnough(version, base.from.version, base.step)) return [];
  const { version: from } = base.from;
  const [least, before] = [leastVersion(from, base.step), from].map(versionText);
  const led =
    version.pre.length === 0 ? "" : `; ${versionText(version)} leads to ${versionText(coreOf(version))} only`;
  const remedy = `name ${least} or a higher version, or release what was released before`;
  return base.reasons
    .filter((reason) => !stepsFarEnough(version, from, reason.step))
    .map((reason) => {
      const rule = `by semantic versioning ${stepText(reason.step, from)}`;
      const message = `${reasonText(reason)}: ${rule}, and the least version after ${before} that would do is ${least}${led}`;
      return error("version", reason.dataset, message, remedy);
    });
}
