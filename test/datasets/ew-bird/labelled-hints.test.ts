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
const labels = (
  JSON.parse(readFileSync(fileURLToPath(new URL("labelled-hints.json", import.meta.url)), "utf8")) as {
    labels: Label[];
  }
).labels;

describe.skipIf(root === undefined)("the labelled hints", () => {
  const drawn = root === undefined ? [] : drawHints(root);

  it("are the 150 that the seed draws", () => {
    expect(
      drawn.map(({ file, row, hint, question, text }) => [file, row, hint, sha(`${question}\n${text}`)]),
    ).toEqual(labels.map((label) => [label.file, label.row, label.hint, label.sha]));
    expect(labels).toHaveLength(150);
  });

  it("have the term that a person chose, in at least 95 of 100", () => {
    const wrong = drawn.flatMap(({ text, question }, at) => {
      const { term } = readHint(text, question);
      const wanted = labels[at]?.terms ?? [];
      return wanted.some((one) => normalKey(one) === normalKey(term)) ? [] : [{ text, term, wanted }];
    });
    console.log(`terms right: ${150 - wrong.length} of 150`);
    expect(wrong.length / 150, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(0.05);
  });

  it("are answered as a person would say it, in at least 95 of 100", () => {
    const judged = drawn.map(({ text, question }, at) => {
      const { response } = readHint(text, question);
      const label = labels[at];
      return { response, known: label?.response === sha(response), well: label?.reads_well === true };
    });
    // Whoever changes how hints are said reads the changed ones and labels them again.
    expect(judged.filter(({ known }) => !known).map(({ response }) => response)).toEqual([]);
    const well = judged.filter((one) => one.well).length;
    console.log(`responses that read well: ${well} of 150`);
    expect(well / 150).toBeGreaterThanOrEqual(0.95);
  });
});
