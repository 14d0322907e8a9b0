import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hintTexts } from "../../../pipelines/datasets/bird-rows/hints/index.js";
import { drawsFor } from "../../../pipelines/engine/random.js";

/** A hint of a real row, by its coordinates. */
export interface DrawnHint {
  file: string;
  /** Position in the file, from 0. */
  row: number;
  /** Position among the row's hints, from 0. */
  hint: number;
  text: string;
  question: string;
}

const FILES = ["dev_2023/dev.json", "dev/dev.json", "train/mini_train.json"];
const SEED = 20231;
const SIZE = 150;
/** Drawn after the code was settled, and never looked at while it was written. */
const UNSEEN = 60;

const textSha = (text: string): string => createHash("sha256").update(text).digest("hex");

/** What tells a hint's copy in another release from a hint of its own. */
export const hintSha = ({ text, question }: DrawnHint): string => textSha(`${question}\n${text}`);

/** All hints of the three real files, in order; a row that two releases share is taken once. */
export function allHints(root: string): DrawnHint[] {
  const seen = new Set<string>();
  const hints: DrawnHint[] = [];
  for (const file of FILES) {
    const rows = JSON.parse(readFileSync(join(root, file), "utf8")) as {
      question: string;
      evidence: string;
    }[];
    for (const [row, { question, evidence }] of rows.entries()) {
      for (const [hint, text] of hintTexts(evidence).entries()) {
        const drawn = { file, row, hint, text, question };
        const sha = hintSha(drawn);
        if (!seen.has(sha)) hints.push(drawn);
        seen.add(sha);
      }
    }
  }
  return hints;
}

/**
 * The hints that were labelled, drawn without replacement from all of them: 150 by which the code was bettered, then 60 that
 * were drawn when it was done.
 */
export function drawHints(root: string): { seen: DrawnHint[]; unseen: DrawnHint[] } {
  const hints = allHints(root);
  const order = drawsFor(SEED, "ew-bird/labelled-hints", "bird").permutation(hints.length);
  const drawn = order.slice(0, SIZE + UNSEEN).flatMap((at) => hints[at] ?? []);
  return { seen: drawn.slice(0, SIZE), unseen: drawn.slice(SIZE) };
}
