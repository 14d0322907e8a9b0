/** The prompts as they are sent: golden texts of a row of the sample, hashes of one of BIRD's own, and the judge's blindness. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { controlsFor } from "../../../pipelines/datasets/bird/choose-controls.js";
import type { OpenReading, Writing } from "../../../pipelines/datasets/bird/items.js";
import { blindTerms } from "../../../pipelines/datasets/bird/judge-necessity.js";
import { JUDGE_TEMPLATE, judgeMessages } from "../../../pipelines/datasets/bird/prompts/judge.js";
import { PROBE_TEMPLATE, probeMessages } from "../../../pipelines/datasets/bird/prompts/probe.js";
import { REWRITER_TEMPLATE, rewriterMessages } from "../../../pipelines/datasets/bird/prompts/rewriter.js";
import { drawsFor } from "../../../pipelines/engine/random.js";
import type { ModelMessage } from "../../../pipelines/model/index.js";
import { schemaText } from "../../../pipelines/record/schema-text.js";
import { schemaOf } from "../../../pipelines/record/sqlite-schema.js";
import { SAMPLE } from "./building.js";
import { hasBird, rowsOf, SUPERHERO } from "./readings/real-rows.js";

const READINGS: OpenReading[] = [
  {
    operator: "other-column",
    form: "linked",
    reference: "the to port of the sailings",
    alternative: "the from port of the sailings",
    anchor: null,
    sql: "",
    telling: { reference: "", alternative: "" },
  },
  {
    operator: "ratio-or-percentage",
    form: "ratio or percentage",
    reference: "a plain ratio, not multiplied by 100",
    alternative: "a percentage, from 0 to 100",
    anchor: "share",
    sql: "",
    telling: { reference: "", alternative: "" },
  },
];
const QUESTION = "What share of the sailings to Grønvik was cancelled?";
const EVIDENCE = "cancelled refers to status = 'X'";
const REQUEST = "What share of the Grønvik sailings was cancelled?";
const WRITING: Writing = {
  request: REQUEST,
  ambiguities: ["Grønvik sailings", "share"].map((term) => ({
    term,
    aliases: [],
    resolution: "r",
    response: "r",
    concepts: [],
  })),
};

const rendered = (template: string, messages: readonly ModelMessage[]): string =>
  `${template}\n${messages.map(({ role, content }) => `\n[${role}]\n${content}\n`).join("")}`;
const sample = (): string =>
  schemaText(schemaOf(`${SAMPLE}/dev/dev_databases/harbour_ferries/harbour_ferries.sqlite`)).text;

describe("the prompts of AmbiTab-Bird", () => {
  it("are these, of a row of the sample", async () => {
    const rewriter = rewriterMessages(QUESTION, EVIDENCE, READINGS, {
      reply: "{}",
      complaint: "point 1 has no term",
    });
    await expect(rendered(REWRITER_TEMPLATE, rewriter)).toMatchFileSnapshot("fixtures/rewriter-prompt.txt");
    const probe = probeMessages(sample(), REQUEST, [{ term: "share", response: "As a plain ratio." }]);
    await expect(rendered(PROBE_TEMPLATE, probe)).toMatchFileSnapshot("fixtures/probe-prompt.txt");
    const judge = judgeMessages(
      sample(),
      REQUEST,
      blindTerms(WRITING, READINGS, (at) => at === 0),
    );
    await expect(rendered(JUDGE_TEMPLATE, judge)).toMatchFileSnapshot("fixtures/judge-prompt.txt");
  });

  // Upstream's text is not ours to keep: the test holds hashes, and `--update` of nothing changes them.
  it.skipIf(!hasBird)("are the same to the letter of a row of BIRD's", () => {
    const row = rowsOf("dev/dev.json").find(({ question_id }) => question_id === 788);
    if (row === undefined) throw new Error("row 788 is not there");
    const schema = schemaText(schemaOf(SUPERHERO)).text;
    const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
    const prompts = [
      rendered(REWRITER_TEMPLATE, rewriterMessages(row.question, row.evidence, READINGS)),
      rendered(PROBE_TEMPLATE, probeMessages(schema, row.question, [])),
      rendered(
        JUDGE_TEMPLATE,
        judgeMessages(
          schema,
          row.question,
          blindTerms(WRITING, READINGS, () => true),
        ),
      ),
    ];
    for (const prompt of prompts) expect(prompt).not.toMatch(/undefined|\[object|NaN/);
    expect(prompts.map(hash)).toMatchInlineSnapshot(`
      [
        "52ef176eccf3120c",
        "9b1475b520bf6cc7",
        "a235378ce62e9fae",
      ]
    `);
  });
});

describe("the judge's blindness", () => {
  const swapped = READINGS.map((one) => ({ ...one, reference: one.alternative, alternative: one.reference }));

  it("is sent the same whichever reading is the reference, but for the order", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 2 }), (coins) => {
        const shown = judgeMessages(
          "schema",
          REQUEST,
          blindTerms(WRITING, READINGS, (at) => coins[at] === true),
        );
        const other = judgeMessages(
          "schema",
          REQUEST,
          blindTerms(WRITING, swapped, (at) => coins[at] !== true),
        );
        expect(other).toEqual(shown);
        const turned = judgeMessages(
          "schema",
          REQUEST,
          blindTerms(WRITING, swapped, (at) => coins[at] === true),
        );
        const lines = (messages: readonly ModelMessage[]): string[] =>
          messages
            .map(({ content }) => content)
            .join("\n")
            .replaceAll(/reading [AB]: /g, "reading: ")
            .split("\n")
            .sort();
        expect(lines(turned)).toEqual(lines(shown));
      }),
    );
  });

  it("is by a fair coin of the row's own", () => {
    const first = Array.from({ length: 2000 }, (_, at) =>
      drawsFor(1, "bird/judge-order", `bird/dev/${at}: request`).coin(),
    );
    const share = first.filter(Boolean).length / first.length;
    expect(share).toBeGreaterThan(0.45);
    expect(share).toBeLessThan(0.55);
  });
});

describe("the number of controls", () => {
  it.each([
    ["train", 496, 41],
    ["dev", 119, 8],
    ["dev", 1, 1],
    ["dev", 0, 0],
  ] as const)("%s: beside %d records with ambiguities %d", (split, others, controls) => {
    expect(controlsFor(split, others)).toBe(controls);
  });
});
