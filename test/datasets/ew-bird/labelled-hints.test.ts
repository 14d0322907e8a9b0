import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readHint } from "../../../pipelines/datasets/bird-rows/hints/index.js";
import { normalKey } from "../../../pipelines/oracle/index.js";
import { realData } from "../../sources/temporary.js";
import { drawHints } from "./drawn-hints.js";

interface Label {
  file: string;
  row: number;
  hint: number;
  sha: string;
  terms: string[];
  response: string;
  reads_well: boolean;
}

const root = realData("bird");
const sha = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
const labelled = JSON.parse(
  readFileSync(fileURLToPath(new URL("labelled-hints.json", import.meta.url)), "utf8"),
) as Record<"seen" | "unseen", Label[]>;

describe.skipIf(root === undefined)("the labelled hints", () => {
  const drawn = root === undefined ? { seen: [], unseen: [] } : drawHints(root);

  it("are those that the seed draws", () => {
    for (const part of ["seen", "unseen"] as const) {
      expect(
        drawn[part].map(({ file, row, hint, question, text }) => [
          file,
          row,
          hint,
          sha(`${question}\n${text}`),
        ]),
      ).toEqual(labelled[part].map((label) => [label.file, label.row, label.hint, label.sha]));
    }
    expect([labelled.seen.length, labelled.unseen.length]).toEqual([150, 60]);
  });

  it.each(["seen", "unseen"] as const)(
    "%s: have the term that a person chose, in at least 95 of 100",
    (part) => {
      const wrong = drawn[part].flatMap(({ text, question }, at) => {
        const { term } = readHint(text, question);
        const wanted = labelled[part][at]?.terms ?? [];
        return wanted.some((one) => normalKey(one) === normalKey(term)) ? [] : [{ text, term, wanted }];
      });
      const all = labelled[part].length;
      console.log(`terms right: ${all - wrong.length} of ${all}`);
      expect(wrong.length / all, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(0.05);
    },
  );

  it.each(["seen", "unseen"] as const)(
    "%s: are answered as a person would say it, in at least 95 of 100",
    (part) => {
      const judged = drawn[part].map(({ text, question }, at) => {
        const { response } = readHint(text, question);
        const label = labelled[part][at];
        return { response, known: label?.response === sha(response), well: label?.reads_well === true };
      });
      // Whoever changes how hints are said reads the changed ones and labels them again.
      expect(judged.filter(({ known }) => !known).map(({ response }) => response)).toEqual([]);
      const well = judged.filter((one) => one.well).length;
      console.log(`responses that read well: ${well} of ${judged.length}`);
      expect(well / judged.length).toBeGreaterThanOrEqual(0.95);
    },
  );
});
