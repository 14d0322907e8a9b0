import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readEvidence } from "../../../pipelines/datasets/bird-rows/hints/index.js";
import {
  checkGuarantees,
  KNOWLEDGE_PROMISES,
  type KnowledgeView,
  knowledgeMatcher,
  knowledgeResponder,
} from "../../../pipelines/oracle/index.js";
import { PACKAGE_ROOT } from "../../../pipelines/package-root.js";

const FOLDER = join(process.env.AMBITAB_DATA ?? join(PACKAGE_ROOT, "..", "shared", "data"), "bird");
const FILES = ["dev/dev.json", "train/mini_train.json"].map((name) => join(FOLDER, name));
const present = FILES.every((file) => existsSync(file));
if (!present)
  console.warn(`skipped: BIRD is not in ${FOLDER} (set AMBITAB_DATA to the folder that holds bird/)`);

interface Row {
  readonly question: string;
  readonly evidence?: string;
}

/** A view of each row whose evidence holds a hint. */
function views(): KnowledgeView[] {
  const rows = FILES.flatMap((file) => JSON.parse(readFileSync(file, "utf8")) as Row[]);
  return rows.flatMap(({ question, evidence = "" }) => {
    const { masked } = readEvidence(evidence, question);
    const ambiguities = masked.map(({ term, resolution, concepts }, at) => ({
      ambiguity_id: `hint-${at + 1}`,
      term,
      aliases: [],
      counts: true,
      concepts,
      resolution,
    }));
    // Frozen as a record's views are, so that a view is prepared once.
    return ambiguities.length === 0 ? [] : [{ ambiguities: Object.freeze(ambiguities) }];
  });
}

/** Questions about the answer's shape or about nothing in particular: hardly a hint is about them. */
const OFF_TOPIC = [
  "How many rows should I return?",
  "Should the results be sorted in ascending or descending order?",
  "Should I remove duplicates from the list?",
  "Should I round the percentage to two decimal places?",
  "Which tables should I use?",
  "What kind of output do you need?",
];

describe.skipIf(!present)("the hints of BIRD", () => {
  const all = present ? views() : [];

  it("keep every guarantee", async () => {
    expect(all.length).toBeGreaterThan(2300);
    for (const view of all) {
      const broken = await checkGuarantees(view, knowledgeMatcher, knowledgeResponder, KNOWLEDGE_PROMISES);
      expect(broken).toEqual([]);
    }
  });

  it("are left alone by questions about the answer's shape", () => {
    for (const question of OFF_TOPIC) {
      const credited = all.filter((view) => knowledgeMatcher.match(question, [], view).credits.length > 0);
      expect(credited.length, question).toBeLessThanOrEqual(2);
    }
  });
});
