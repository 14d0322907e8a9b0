import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import type { Recipe } from "../../schemas/types/recipe.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { type GroundTruthLine, readGroundTruthFile } from "../../sources/bird-interact/index.js";
import { manifestOf } from "../../sources/index.js";
import { checksums, SUMS_FILE } from "../audit/checksums.js";
import { UserError } from "../errors.js";
import { schemaFaults } from "../record/check-schema.js";
import { readJsonl } from "../record/jsonl.js";
import { canonicalLine } from "../record/schema-order.js";
import type { DatasetFolder, Suite } from "../record/suite.js";
import { describeRelease } from "./documents/describe.js";
import type { ReleaseContents } from "./documents/index.js";
import { instanceOf, recipeOf, verifierOf } from "./ground-truth.js";

/** What came of one dataset. */
export interface Merged {
  dataset: string;
  /** Records whose verifier zone now holds a ground truth. */
  merged: number;
  /** Records whose ground truth the file does not have. */
  missing: string[];
}

type Verifier = TaskRecord["verifier"];

/** Decides whether records that were built without ground truth verify with it: `undefined` where they do. */
export type Judge = (record: TaskRecord, dataset: DatasetFolder) => Promise<string | undefined>;

const NOT_IN_FILE = "Its ground truth is not in the file that was merged.";

const isWithheld = (manifest: ReleaseManifest, dataset: string): boolean => {
  const source = manifestOf(manifest.datasets[dataset]?.source ?? "");
  return source?.redistribution === "withheld-ground-truth";
};

/** Ground truth by task; a file that gives one task two is refused. */
function readTruths(file: string): Map<string, GroundTruthLine> {
  if (!existsSync(file)) {
    throw new UserError(`there is no file ${file}`, {
      remedy: "name the ground-truth file that the authors mailed to you",
    });
  }
  const { lines, errors } = readGroundTruthFile(readFileSync(file, "utf8"), file);
  if (errors[0] !== undefined) throw errors[0];
  const truths = new Map<string, GroundTruthLine>();
  for (const line of lines) {
    const known = truths.get(line.instance_id);
    if (known !== undefined && known.sha256 !== line.sha256) {
      throw new UserError(
        `${file} gives ${line.instance_id} two ground truths, lines ${known.line} and ${line.line}`,
        {
          remedy: "keep one of the two",
        },
      );
    }
    truths.set(line.instance_id, line);
  }
  if (truths.size === 0) {
    throw new UserError(`${file} holds no ground truth`, {
      remedy: "it should have a JSON object a line with instance_id and sol_sql",
    });
  }
  return truths;
}

async function readRecipes(path: string): Promise<Map<string, Recipe>> {
  const recipes = new Map<string, Recipe>();
  for await (const { value, line } of readJsonl<Recipe>(path)) {
    const [fault] = schemaFaults("recipe", value);
    if (fault !== undefined)
      throw new UserError(`${path}, line ${line}: ${fault}`, { remedy: "take the release again" });
    recipes.set(value.record_id, value);
  }
  return recipes;
}

/** What an earlier merge has joined, where another file had only a part of it. */
async function readJoined(path: string): Promise<Map<string, Verifier>> {
  const joined = new Map<string, Verifier>();
  if (!existsSync(path)) return joined;
  for await (const { value } of readJsonl<Pick<TaskRecord, "record_id" | "verifier">>(path))
    joined.set(value.record_id, value.verifier);
  return joined;
}

/** A verifier zone's new lines, and what they came to. Nothing is written. */
class Merge {
  readonly lines: string[] = [];
  readonly missing: string[] = [];
  readonly foreign: string[] = [];
  merged = 0;

  add(record_id: string, verifier: Verifier): void {
    this.lines.push(`${canonicalLine("record", { record_id, verifier })}\n`);
  }

  /** The verifier zone of a record of a recipe: as it was built. */
  ofRecipe(
    recipe: Recipe,
    truths: ReadonlyMap<string, GroundTruthLine>,
    joined: Verifier | undefined,
  ): Verifier {
    const { record_id, instance_id, ground_truth_sha256: wanted } = recipe;
    const open = verifierOf(recipe, { sol_sql: [], test_cases: [], follow_up: null });
    if (wanted === null) return open;
    const truth = truths.get(instance_id);
    if (truth !== undefined) {
      if (truth.sha256 !== wanted) this.foreign.push(instance_id);
      this.merged += 1;
      return verifierOf(recipe, truth);
    }
    if (joined !== undefined && joined.reference_sql.length > 0) return joined;
    this.missing.push(record_id);
    return { ...open, verifiable: false, not_verifiable: NOT_IN_FILE };
  }

  /** The verifier zone of a record that was built without its ground truth. */
  async ofRecord(
    record: TaskRecord,
    truths: ReadonlyMap<string, GroundTruthLine>,
    judge: (record: TaskRecord) => Promise<string | undefined>,
  ): Promise<Verifier> {
    const { record_id, verifier } = record;
    if (verifier.reference_sql.length > 0) return verifier;
    const truth = truths.get(instanceOf(record));
    if (truth === undefined) {
      this.missing.push(record_id);
      return verifier;
    }
    this.merged += 1;
    const { not_verifiable: _n, ...whole } = verifierOf(recipeOf(record), truth);
    const why = await judge({ ...record, verifier: { ...whole, verifiable: true } });
    return {
      ...whole,
      verifiable: why === undefined,
      ...(why === undefined ? {} : { not_verifiable: why }),
    };
  }
}

/** The verifier zone of one split. */
async function mergeSplit(
  release: string,
  dataset: DatasetFolder,
  split: string,
  truths: ReadonlyMap<string, GroundTruthLine>,
  judge: Judge,
): Promise<Merge> {
  const merge = new Merge();
  const recipe = join(release, "recipe", dataset.dataset, `${split}.jsonl`);
  if (existsSync(recipe)) {
    const recipes = await readRecipes(recipe);
    const joined = await readJoined(join(release, "verifier", dataset.dataset, `${split}.jsonl`));
    // In the order of the public zone, in which all zones stand.
    for await (const { record } of dataset.publicRecords()) {
      const own = recipes.get(record.record_id);
      if (record.split !== split || own === undefined) continue;
      merge.add(record.record_id, merge.ofRecipe(own, truths, joined.get(record.record_id)));
    }
    return merge;
  }
  for await (const { record } of dataset.records()) {
    if (record.split !== split) continue;
    merge.add(record.record_id, await merge.ofRecord(record, truths, (one) => judge(one, dataset)));
  }
  return merge;
}

/** Takes away folders that hold nothing any more. */
function removeEmpty(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** What a release that is there holds, for those who describe it anew. Only releases with private zones have a lock. */
function contentsOf(path: string, manifest: ReleaseManifest): ReleaseContents {
  const read = <T>(name: string): Record<string, T> =>
    JSON.parse(readFileSync(join(path, name), "utf8")) as Record<string, T>;
  return {
    manifest,
    funnels: read<Funnel>("funnel.json"),
    locks: read<BuildLock>("lock.json"),
    zones: manifest.zones,
    publicOnly: false,
    publishable: Object.values(manifest.datasets).some(({ zones }) => zones !== undefined),
  };
}

/** Writes beside and renames, so that a file is old or new and never half. */
function replace(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.partial`, text);
  renameSync(`${path}.partial`, path);
}

/**
 * Joins a user's own copy of a withheld ground truth into a local release (spec 2, "Redistribution"): of a published
 * release, whose recipes name each ground truth by its hash, it makes the verifier zone that was built; of one that was
 * built without, it makes records verifiable where they verify. Nothing is written before all of it is known to fit.
 *
 * @param judge runs the references of records that were built without
 * @throws UserError when the path is no release, holds nothing that is withheld, or the file is another ground truth
 */
export async function mergePrivate(suite: Suite, file: string, judge: Judge): Promise<Merged[]> {
  const { path, kind, datasets } = suite;
  if (kind !== "release") {
    throw new UserError(`${path} is a build, no release`, {
      remedy: "put the ground truth into the source's folder ground-truth/ and build again",
    });
  }
  const manifest = JSON.parse(readFileSync(join(path, "manifest.json"), "utf8")) as ReleaseManifest;
  const wanting = datasets.filter(({ dataset }) => isWithheld(manifest, dataset));
  if (wanting.length === 0) {
    throw new UserError(`${path} holds no dataset whose ground truth is withheld`, {
      remedy: `it holds ${datasets.map(({ dataset }) => dataset).join(", ")}`,
    });
  }
  if (!manifest.zones.includes("oracle")) {
    throw new UserError(`${path} is a public-only release, which has no recipe`, {
      remedy: "take the whole release of the same version",
    });
  }
  const truths = readTruths(file);
  const results: Merged[] = [];
  const zones: { path: string; recipe: string; merge: Merge }[] = [];
  for (const dataset of wanting) {
    const entry = manifest.datasets[dataset.dataset];
    const done: Merged = { dataset: dataset.dataset, merged: 0, missing: [] };
    for (const split of Object.keys(entry?.splits ?? {})) {
      const merge = await mergeSplit(path, dataset, split, truths, judge);
      const [foreign] = merge.foreign;
      if (foreign !== undefined) {
        throw new UserError(
          `${file} gives ${foreign} another ground truth than the one that this release was built with (${merge.foreign.length} such)`,
          { remedy: "use the file of the same release of the source, or build the dataset anew" },
        );
      }
      done.merged += merge.merged;
      done.missing.push(...merge.missing);
      const name = `${dataset.dataset}/${split}.jsonl`;
      zones.push({ path: join(path, "verifier", name), recipe: join(path, "recipe", name), merge });
    }
    results.push(done);
  }
  for (const zone of zones) replace(zone.path, zone.merge.lines.join(""));
  const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
  for (const { dataset, merged } of results) {
    const entry = manifest.datasets[dataset];
    if (entry === undefined || merged === 0) continue;
    entry.merged_ground_truth = sha256;
    delete entry.zones;
  }
  replace(
    join(path, "manifest.json"),
    `${JSON.stringify(JSON.parse(canonicalLine("manifest", manifest)), null, 2)}\n`,
  );
  // The recipe stays as long as a ground truth is missing, so that another file can supply it.
  for (const { recipe, merge } of zones) if (merge.missing.length === 0) rmSync(recipe, { force: true });
  removeEmpty(join(path, "recipe"));
  await describeRelease(path, contentsOf(path, manifest));
  replace(join(path, SUMS_FILE), await checksums(path));
  return results;
}
