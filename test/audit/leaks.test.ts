import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { publicLeaks } from "../../pipelines/audit/leaks.js";
import { TextIndex, WINDOW } from "../../pipelines/audit/text-index.js";
import { bared } from "../../pipelines/record/bared.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { spentMs } from "../held-up.js";

type Leaky = Pick<TaskRecord, "record_id" | "public" | "oracle" | "verifier">;

function record(over: Partial<TaskRecord["public"]> = {}): Leaky {
  return {
    record_id: "ambiqt/validation/1.boats.length#1",
    public: {
      request: "Show the name and length of every boat.",
      database: { engine: "sqlite", database_id: "harbour", path: "harbour/harbour.sqlite" },
      column_meanings: { "boats.overall_length": "length over all, in metres" },
      external_knowledge: [
        { id: "1", name: "berth", description: "a place for a boat", definition: "one a boat" },
      ],
      ...over,
    },
    oracle: {
      clear_request: "Show the name and the overall length of every boat.",
      withheld_evidence: "length refers to overall_length",
      ambiguities: [
        {
          ambiguity_id: "column",
          term: "length",
          aliases: ["overall length", "hull length"],
          kind: "column_choice",
          counts: true,
          resolution: '"length" is the column "overall_length" of the table "boats".',
          response: 'By "length" I mean the overall length of the boats.',
          response_status: "template",
        },
      ],
    },
    verifier: {
      reference_sql: ["SELECT name, overall_length FROM boats"],
      alternative_sql: ["SELECT name, hull_length FROM boats"],
      comparison: { policy: "multiset", ordered: false },
      verifiable: true,
      success: "comparison",
      category: "query",
    },
  };
}

const secrets: [string, string][] = [
  ["response", 'By "length" I mean the overall length of the boats.'],
  ["resolution", '"length" is the column "overall_length" of the table "boats".'],
  ["clear request", "Show the name and the overall length of every boat."],
  ["withheld evidence", "length refers to overall_length"],
  ["reference SQL", "SELECT name, overall_length FROM boats"],
  ["alternative SQL", "SELECT name, hull_length FROM boats"],
];
const disguises: [string, (text: string) => string][] = [
  ["exactly", (text) => text],
  ["in another case", (text) => text.toUpperCase()],
  ["with other white space", (text) => text.replaceAll(" ", "\n\t ").replaceAll(",", " , ")],
  ["without white space", (text) => text.replaceAll(" ", "")],
  ["in full-width letters", (text) => text.replaceAll("l", "ｌ")],
];
const places: [string, (text: string) => Partial<TaskRecord["public"]>][] = [
  ["request", (text) => ({ request: `Please do this: ${text} Thanks!` })],
  ["column_meanings boats.name", (text) => ({ column_meanings: { "boats.name": `name (${text})` } })],
  [
    "external_knowledge 9",
    (text) => ({
      external_knowledge: [{ id: "9", name: "x", description: `see ${text}`, definition: "y" }],
    }),
  ],
];

describe("private text in a record's public zone", () => {
  it("is not there in a clean record, whose request names terms and aliases by right", () => {
    expect(publicLeaks(record())).toEqual([]);
    expect(publicLeaks(record({ request: "Show the length, overall length or hull length." }))).toEqual([]);
  });

  for (const [place, planted] of places) {
    for (const [how, disguise] of disguises) {
      it.each(secrets)(`is found in ${place} ${how}: %s`, (kind, text) => {
        expect(publicLeaks(record(planted(disguise(text))))).toMatchObject([
          {
            severity: "error",
            code: "public_leak",
            place: "ambiqt/validation/1.boats.length#1",
            message: `the ${kind} stands in the public zone (${place})`,
            remedy: expect.stringMatching(/./),
          },
        ]);
      });
    }
  }

  it("is no leak where a request without ambiguities is its own clear request", () => {
    const clear = record();
    clear.oracle.ambiguities = [];
    clear.oracle.clear_request = clear.public.request;
    expect(publicLeaks(clear)).toEqual([]);
  });

  it("is not looked for where it is so short that it stands there by chance", () => {
    const short = record();
    short.oracle.ambiguities[0]!.resolution = "length";
    expect(publicLeaks(short)).toEqual([]);
  });
});

describe("the search for many texts at once", () => {
  const text = fc.string({
    minLength: WINDOW,
    maxLength: 40,
    unit: fc.constantFrom("a", "b", " ", "é", "😀"),
  });
  it("finds exactly what a plain search finds, whatever overlaps, repeats or holds another", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), fc.array(text, { maxLength: 8 }), (wanted, pieces) => {
        const hay = [...pieces, ...wanted.filter((_, index) => index % 2 === 0)].join("");
        const plain = wanted.flatMap((one, index) => (hay.includes(one) ? [index] : []));
        expect([...new TextIndex(wanted).find(hay)].sort((a, b) => a - b)).toEqual(plain);
      }),
      { numRuns: 500 },
    );
  });

  it("finds texts at the very beginning and end, and the whole", () => {
    const index = new TextIndex(["abcdefghijkl", "ghijklmnopqrstuv", "abcdefghijklmnopqrstuv"]);
    expect([...index.find("abcdefghijklmnopqrstuv")].sort()).toEqual([0, 1, 2]);
    expect(index.find("abcdefghijk").size).toBe(0);
    expect(index.find("").size).toBe(0);
  });

  it("takes a second or so for 2,000 prompts and 40,000 texts of one template", () => {
    const texts = Array.from({ length: 40_000 }, (_, at) =>
      bared(`By "name" I mean the title no. ${at} of the singer.`),
    );
    const prompt = bared(
      "When you say name, do you mean the title of the singer? By name I mean nothing. ".repeat(40),
    );
    const started = spentMs();
    const index = new TextIndex(texts);
    let found = 0;
    for (let at = 0; at < 2_000; at += 1)
      found += index.find(at % 100 === 0 ? prompt + texts[at]! : prompt).size;
    expect(found).toBe(20);
    expect(spentMs() - started).toBeLessThan(15_000);
  });
});
