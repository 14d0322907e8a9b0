import { normalKey } from "../../oracle/index.js";
import { conceptsOf } from "../bird-rows/hints/index.js";
import { matterOf, matterWords } from "./checks/words.js";
import type { OpenReading, WrittenAmbiguity } from "./items.js";

/**
 * What an ambiguity is recognised by beside its term (spec 2: "concepts default to columns, literals and content words of
 * the evidence and both readings"): the rewriter's where it gave any, else the words of both readings and those hints of
 * the evidence that share a word with them.
 */
export function conceptsFor(
  written: readonly string[],
  reading: OpenReading,
  evidence: string,
): WrittenAmbiguity["concepts"] {
  const both = `${reading.reference} ${reading.alternative}`;
  const matter = [...new Set(matterOf(both))];
  const hints = evidence
    .split(/[;；]/)
    .filter((hint) => matterOf(hint).some((key) => matter.includes(key)))
    .flatMap((hint) => conceptsOf(hint));
  const all = written.length > 0 ? written : [...matterWords(both), ...hints];
  const seen = new Set([""]);
  return all.filter((concept) => {
    const key = normalKey(concept);
    const fresh = !seen.has(key);
    seen.add(key);
    return fresh;
  });
}
