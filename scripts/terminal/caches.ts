import { PIPELINES } from "../../pipelines/datasets/index.js";
import {
  CACHE_NAMES,
  type CacheName,
  cachesOf,
  type Emptied,
  emptyCaches,
  FREE_CACHES,
} from "../../pipelines/engine/caches.js";
import { UserError } from "../../pipelines/errors.js";
import type { StoredTotals } from "../../pipelines/model/stored-answers.js";

/** Every dataset that this version builds: none of their builds may begin while caches are emptied. */
export const DATASETS: readonly string[] = PIPELINES.map(({ dataset }) => dataset);

const count = (value: number, word: string): string =>
  `${value.toLocaleString("en-US")} ${word}${value === 1 ? "" : "s"}`;

/** `0 bytes`, `12.3 KiB`, `4.0 GiB`. */
function sizeText(bytes: number): string {
  if (bytes < 1024) return count(bytes, "byte");
  const power = Math.min(3, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${["", "KiB", "MiB", "GiB"][power]}`;
}

/** `a, b and c`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const answersText = ({ answers, prompt_tokens, completion_tokens }: StoredTotals): string =>
  `${count(answers, "model answer")}, ${count(prompt_tokens, "prompt token")} and ${count(completion_tokens, "completion token")}`;

/** A cache's size; of model answers also what they came to. */
export function cacheText({ bytes, answers }: { bytes: number; answers?: StoredTotals | undefined }): string {
  return answers === undefined || answers.answers === 0
    ? sizeText(bytes)
    : `${sizeText(bytes)}: ${answersText(answers)}`;
}

function cachesNamed(words: true | readonly string[]): readonly CacheName[] {
  if (words === true) return FREE_CACHES;
  if (words.includes("all")) return CACHE_NAMES;
  return words.map((word) => {
    const name = CACHE_NAMES.find((one) => one === word);
    if (name !== undefined) return name;
    throw new UserError(`there is no cache "${word}"`, {
      remedy: `choose from ${CACHE_NAMES.join(", ")}, all`,
    });
  });
}

const emptiedText = ({ name, bytes, answers, in_use }: Emptied): string =>
  in_use === undefined
    ? `emptied ${name}, ${cacheText({ bytes, answers })}`
    : `left ${name} as it is: ${in_use}${bytes > 0 ? ` (${sizeText(bytes)} of it are gone)` : ""}`;

/** What `doctor --clean` did, or would do. */
export interface Cleaned {
  readonly text: string;
  readonly json: object;
  /** Whether something stayed that was to be emptied, because a running command uses it. */
  readonly stayed: boolean;
}

/**
 * Empties caches, or with `dryRun` only says which, and says what goes, what stays and why.
 *
 * @param words the caches' names or `all`; `true`: those that can be made again for nothing
 * @throws UserError where there is no cache of a name
 */
export function cleanCaches(out: string, words: true | readonly string[], dryRun: boolean): Cleaned {
  const names = cachesNamed(words);
  const before = cachesOf(out, DATASETS).filter(({ bytes }) => bytes > 0);
  const kept = before.filter(({ name }) => !names.includes(name));
  const keptText = kept.map((one) => `kept ${one.name}, ${cacheText(one)}: --clean ${one.name} empties it`);
  const asText = (lines: readonly string[]): string =>
    [...lines, ...keptText].join("\n") || `nothing to empty in ${out}`;
  if (dryRun) {
    const meant = before.filter(({ name }) => names.includes(name));
    const text = asText(meant.map((one) => `would empty ${one.name}, ${cacheText(one)}`));
    return { text, json: { would_empty: meant, kept }, stayed: false };
  }
  const emptied = emptyCaches(out, names, DATASETS);
  const stayed = emptied.some(({ in_use }) => in_use !== undefined);
  return { text: asText(emptied.map(emptiedText)), json: { emptied, kept }, stayed };
}
