/**
 * The ground truth of a source that withholds it (spec 2, "Redistribution"): what of a record it is, the record's recipe
 * without it, and the way back. A published release holds the recipe; whoever has the ground truth makes the verifier zone
 * of it, to the byte.
 */
import type { Recipe } from "../../schemas/types/recipe.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import {
  type BirdInteractGroundTruth,
  groundTruthSha256,
  secondPhase,
} from "../../sources/bird-interact/index.js";
import type { Redistribution } from "../../sources/manifest.js";
import { bared } from "../record/bared.js";
import { ZONES, type Zone } from "../record/zones.js";

type Verifier = TaskRecord["verifier"];

/** Which zones a published release may carry, by what the source's authors ask; null: not the dataset at all. */
export function publishableZones(policy: Redistribution): readonly Zone[] | null {
  if (policy === "recipe-only") return null;
  return policy === "withheld-ground-truth" ? ZONES.filter((zone) => zone !== "verifier") : ZONES;
}

/** The parts of a verifier zone that are ground truth. */
export function groundTruthOf({ reference_sql, test_cases, follow_up }: Verifier) {
  return { sol_sql: reference_sql, test_cases: test_cases ?? [], follow_up: secondPhase(follow_up) };
}

/** The source's name of a record's task: the last part of its coordinates. */
export const instanceOf = ({ avt_id }: Pick<TaskRecord, "avt_id">): string => avt_id.split("/").at(-1) ?? "";

/** A second phase without what is withheld of it. */
function openFollowUp(followUp: Verifier["follow_up"]): Verifier["follow_up"] {
  if (followUp === null || followUp === undefined) return followUp;
  const withheld = new Set(Object.keys(secondPhase(followUp) ?? {}));
  const open = Object.entries(followUp).filter(([name]) => !withheld.has(name));
  return open.length === 0 ? null : Object.fromEntries(open);
}

/** The record's verifier zone without the ground truth, and the ground truth's hash. */
export function recipeOf(record: TaskRecord): Recipe {
  const truth = groundTruthOf(record.verifier);
  const { reference_sql: _r, alternative_sql: _a, test_cases: _t, follow_up, ...open } = record.verifier;
  return {
    record_id: record.record_id,
    instance_id: instanceOf(record),
    ground_truth_sha256: truth.sol_sql.length === 0 ? null : groundTruthSha256(truth),
    verifier: { ...open, ...(follow_up === undefined ? {} : { follow_up: openFollowUp(follow_up) }) },
  } as Recipe;
}

/** The verifier zone that a recipe and a ground truth make. */
export function verifierOf(
  { verifier }: Recipe,
  truth: Pick<BirdInteractGroundTruth, "sol_sql" | "test_cases" | "follow_up">,
): Verifier {
  const { follow_up, ...open } = verifier as Omit<Verifier, "reference_sql">;
  const whole =
    (follow_up === null || follow_up === undefined) && truth.follow_up === null
      ? null
      : { ...follow_up, ...truth.follow_up };
  return { ...open, reference_sql: truth.sol_sql, test_cases: truth.test_cases, follow_up: whole };
}

/** Shorter pieces ("SELECT 1") may stand anywhere by chance. */
const SHORTEST = 24;

/** What is looked for of a record's withheld texts, bared. */
export function withheldTexts(verifier: Verifier): string[] {
  const { sol_sql, test_cases, follow_up } = groundTruthOf(verifier);
  const later = Object.values(follow_up ?? {}).flat();
  return [...sol_sql, ...test_cases, ...later]
    .filter((one): one is string => typeof one === "string")
    .map((text) => bared(text.replaceAll("\\", "")))
    .filter((needle) => needle.length >= SHORTEST);
}

/** Whether one of some withheld texts (`withheldTexts`) stands in a line of JSON that is to be published. */
export function holdsWithheld(line: string, texts: Iterable<string>): boolean {
  // In JSON a line feed and a quote are written with a backslash; neither hides a text.
  const hay = bared(line.replace(/\\[nrt]/g, " ").replaceAll('\\"', '"')).replaceAll("\\", "");
  for (const text of texts) if (hay.includes(text)) return true;
  return false;
}

/** Whether a record's withheld texts stand in a line that is to be published. */
export const withheldIn = (line: string, verifier: Verifier): boolean =>
  holdsWithheld(line, withheldTexts(verifier));
