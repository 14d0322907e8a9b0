/**
 * How far a release's version must step from the one before it. Who holds a release has results that depend on its
 * records, so what makes old results no longer comparable is a breaking change:
 *
 * - **major**: a record, a dataset or a database is gone; a record's content (public, oracle or verifier zone, AVT, split,
 *   slices) has changed; a database's tables have changed; the record schema has a new major version.
 * - **minor**: records, datasets or databases were added; records have a field that the schema names and that no record
 *   of their dataset had before; the record schema has a new minor version.
 * - **patch**: anything else: provenance, drops, ledger, documents, a database's bytes where its tables are the same.
 *
 * Compared are the zones that both releases hold: leaving zones out is a way of handing a version out and no change of it.
 *
 * Below 1.0.0 (semver 2.0.0, item 4, as package managers read `^0.y.z`) what would be a major step is a minor one, and
 * what would be a minor one is a patch. A pre-release is held to the rules with the version that it leads to; between
 * pre-releases of one version anything may change.
 */
import { fieldIsDeclared } from "../../record/schema-order.js";
import { type FieldChange, fieldName } from "../diff/fields.js";
import type { DatasetDiff } from "../diff/suites.js";
import { compareVersions, coreOf, parseVersion, type Version } from "./semver.js";

export type Step = "patch" | "minor" | "major";
const STEPS: readonly Step[] = ["patch", "minor", "major"];

/** One reason for a step, how often it holds, and where: record ids, database paths. */
export interface Reason {
  readonly step: Step;
  readonly dataset: string;
  /** What is counted, and what became of it: `["record", "removed"]`. */
  readonly what: readonly [one: string, became: string];
  readonly places: readonly string[];
}

/** The largest of some steps; a patch where there are none. */
export const largest = (steps: Iterable<Step>): Step =>
  STEPS[Math.max(0, ...[...steps].map((step) => STEPS.indexOf(step)))] ?? "patch";

const SCHEMA_VERSION = "schema_version";

function schemaStep({ before, after }: FieldChange): Step {
  const [old, now] = [before, after].map((one) => parseVersion(String(one)));
  if (old === undefined || now === undefined || old.major !== now.major) return "major";
  if (compareVersions(old, now) > 0) return "major";
  return old.minor === now.minor ? "patch" : "minor";
}

/** The step that one changed field of a record asks for. */
function fieldStep(change: FieldChange, known: ReadonlySet<string>): Step {
  const { path, before } = change;
  if (path === SCHEMA_VERSION) return schemaStep(change);
  if (/^provenance\b/.test(path)) return "patch";
  const isNew = before === undefined && fieldIsDeclared("record", path) && !known.has(fieldName(path));
  return isNew ? "minor" : "major";
}

/** Whether a diff has fields that were not there before, so that `known` of `reasonsOf` is asked for at all. */
export const addsFields = ({ records }: DatasetDiff): boolean =>
  records.changed.some(({ fields }) => fields.some(({ before }) => before === undefined));

const RECORDS: Readonly<Record<Step, string>> = {
  major: "changed in content",
  minor: "given a new field",
  patch: "changed in provenance",
};

/**
 * Why the version must step, for one dataset.
 *
 * @param sides which of the two releases has the dataset
 * @param known names of the fields (`fieldName`) that records of the older release's dataset have
 */
export function reasonsOf(
  { dataset, records, databases }: DatasetDiff,
  sides: { before: boolean; after: boolean },
  known: ReadonlySet<string>,
): Reason[] {
  if (!sides.after) return [{ step: "major", dataset, what: ["dataset", "removed"], places: [dataset] }];
  if (!sides.before) return [{ step: "minor", dataset, what: ["dataset", "added"], places: [dataset] }];
  const changed = new Map<Step, string[]>(STEPS.map((step) => [step, []]));
  for (const { key, fields } of records.changed)
    changed.get(largest(fields.map((field) => fieldStep(field, known))))?.push(key);
  const [contents, bytes]: [string[], string[]] = [[], []];
  for (const { path, tables, problem } of databases.changed)
    (tables.length > 0 || problem !== undefined ? contents : bytes).push(path);
  const all: Reason[] = [
    { step: "major", dataset, what: ["record", "removed"], places: records.removed },
    { step: "minor", dataset, what: ["record", "added"], places: records.added },
    ...[...changed].map(
      ([step, places]): Reason => ({ step, dataset, what: ["record", RECORDS[step]], places }),
    ),
    { step: "major", dataset, what: ["database", "removed"], places: databases.removed },
    { step: "minor", dataset, what: ["database", "added"], places: databases.added },
    { step: "major", dataset, what: ["database", "changed in content"], places: contents },
    {
      step: "patch",
      dataset,
      what: ["database", "written otherwise, with the same contents"],
      places: bytes,
    },
  ];
  return all.filter(({ places }) => places.length > 0);
}

/** The least version after `base`, a full release, that a step leads to. */
export function leastVersion({ major, minor, patch }: Version, step: Step): Version {
  const early = major === 0n;
  if (step === "major" && !early) return { major: major + 1n, minor: 0n, patch: 0n, pre: [] };
  if (step === "patch" || (step === "minor" && early)) return { major, minor, patch: patch + 1n, pre: [] };
  return { major, minor: minor + 1n, patch: 0n, pre: [] };
}

/** Whether a version steps far enough from the full release before it. */
export const stepsFarEnough = (version: Version, base: Version, step: Step): boolean =>
  compareVersions(coreOf(version), leastVersion(base, step)) >= 0;
