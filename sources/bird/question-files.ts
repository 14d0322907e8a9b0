import { existsSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { SourceError, UserError } from "../../pipelines/errors.js";
import { digestFile, type FileDigest } from "../fetch/hash.js";
import { UNKNOWN_RELEASE } from "../manifest.js";
import { BIRD } from "./manifest.js";

/** BIRD's own parts: its train questions and its dev questions have disjoint databases. */
export type BirdSplit = "train" | "dev";

/** A file of questions. Paths are relative to the source's folder, with forward slashes. */
export interface QuestionFile extends FileDigest {
  split: BirdSplit;
  path: string;
  /** The published state that its hash is known as; `unknown` for any other. Train has no known states. */
  release: string;
  /** Folders of databases, best first: the one beside the questions, then those of other releases. */
  databases: string[];
}

export interface QuestionFiles {
  /** By split's name, which is the order in which a release, with a file a split, lists its records. */
  files: QuestionFile[];
  /** Question files that a whole copy of BIRD has and this one lacks. */
  absent: string[];
}

const TRAIN = "train/train.json";
/** One dev release each; a folder may hold several of them, with the same ids. */
const DEV = ["dev/dev.json", "dev_2023/dev.json", "mini_dev/mini_dev_sqlite.json"];
const DATABASES = ["dev/dev_databases", "train/train_databases"];

/** The places of an artefact: where it belongs, then where upstream's packages put it. */
function placesOf(path: string): string[] {
  const artefact = BIRD.artefacts.find((one) => one.path === path);
  if (artefact === undefined) throw new Error(`BIRD's manifest has no ${path}`);
  return [path, ...(artefact.alternatives ?? [])];
}

async function questionFile(root: string, path: string, split: BirdSplit): Promise<QuestionFile | undefined> {
  const place = placesOf(path).find((one) => existsSync(join(root, one)));
  if (place === undefined) return undefined;
  const digest = await digestFile(join(root, place));
  const releases = BIRD.artefacts.find((one) => one.path === path)?.releases ?? [];
  const release = releases.find(({ sha256 }) => sha256 === digest.sha256)?.name ?? UNKNOWN_RELEASE;
  const folder = `${split}_databases`;
  const beside = join(dirname(place), folder);
  const others = DATABASES.filter((one) => one.endsWith(folder)).flatMap(placesOf);
  return { split, path: place, release, ...digest, databases: [...new Set([beside, ...others])] };
}

const describe = ({ release, path }: QuestionFile): string => `${release} (${path})`;

/** Of several dev files, the one that `wanted` names by its release or by its path. */
function chooseRelease(found: readonly QuestionFile[], wanted: string | undefined): QuestionFile | undefined {
  const [first] = found;
  const here = found.map(describe).join(", ");
  if (wanted !== undefined) {
    const fitting = found.filter(({ release, path }) => release === wanted || path === wanted);
    const [chosen] = fitting;
    if (new Set(fitting.map(({ sha256 }) => sha256)).size > 1) {
      throw new UserError(
        `several dev files are the release "${wanted}": ${fitting.map(describe).join(", ")}`,
        {
          remedy: "give one's path to --source-release",
        },
      );
    }
    if (chosen !== undefined) return chosen;
    throw new UserError(`this copy of bird has no dev release "${wanted}"`, {
      remedy: found.length === 0 ? "it has no dev questions at all" : `it has: ${here}`,
    });
  }
  if (new Set(found.map(({ sha256 }) => sha256)).size > 1) {
    throw new UserError(`this copy of bird holds several releases of the dev questions: ${here}`, {
      remedy: `choose one, for instance with --source-release ${first?.release}`,
    });
  }
  return first;
}

/**
 * The question files of a BIRD folder (spec 2, "ew-bird", step 5): one release of dev's, and train's, where it is there.
 *
 * @param release the dev release to read, by name or path; needed where the folder holds several
 * @throws UserError when that choice is missing or cannot be met; SourceError when there are no questions at all
 */
export async function findQuestionFiles(
  root: string,
  { release }: { release?: string | undefined } = {},
): Promise<QuestionFiles> {
  const train = await questionFile(root, TRAIN, "train");
  const found = await Promise.all(DEV.map((path) => questionFile(root, path, "dev")));
  const dev = chooseRelease(
    found.filter((one) => one !== undefined),
    release,
  );
  const files = [dev, train].filter((one) => one !== undefined);
  if (files.length === 0) throw new SourceError({ file: "dev/dev.json" }, "expected BIRD's questions here");
  const absent = [...(train === undefined ? [TRAIN] : []), ...(dev === undefined ? ["dev/dev.json"] : [])];
  return { files, absent };
}
