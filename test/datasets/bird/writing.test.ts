/** What the rewriter may and may not write, over HTTP: each reply is checked, complained about once, and then given up. */
import { describe, expect, it } from "vitest";
import type { ModelInput, OpenReading } from "../../../pipelines/datasets/bird/items.js";
import { writeRequest } from "../../../pipelines/datasets/bird/write-request.js";
import type { Answer } from "../../model/model-server.mjs";
import { client, server } from "../../model/open-client.js";

const ROW: ModelInput = {
  file: { sha256: "0".repeat(64), bytes: 0 },
  question: "What is the eye colour of the customers in Lund who spent over 100 kroner?",
  evidence: "in Lund refers to city_name = 'Lund'; spent over 100 kroner refers to SUM(cost) > 100",
  column_meanings: {},
  reference: {
    sql: "SELECT T3.colour FROM customer AS T1 JOIN city AS T2 ON T1.city_id = T2.id JOIN colour AS T3 ON T1.eye_colour_id = T3.id WHERE T2.city_name = 'Lund' GROUP BY T1.id HAVING SUM(T1.cost) > 100",
    changes: [],
  },
};

const EYES: OpenReading = {
  operator: "other-column",
  form: "linked",
  reference: "the eye colour of the customer",
  alternative: "the hair colour of the customer",
  anchor: "eye colour",
  sql: "SELECT 1",
  telling: { reference: "eye", alternative: "hair" },
};
const BOUND: OpenReading = {
  operator: "inclusive-bound",
  form: "number",
  reference: "the total cost is more than 100",
  alternative: "the total cost is 100 or more",
  anchor: "over 100",
  sql: "SELECT 2",
  telling: { reference: "", alternative: "" },
};

const COLOUR = {
  term: "colour",
  aliases: ["colouring"],
  resolution: "The colour of their eyes is meant.",
  response: "I mean their eyes.",
  concepts: ["eye", "hair", "colour"],
};
const SPENT = {
  term: "from 100 kroner",
  aliases: [],
  resolution: "They spent more than 100 kroner; exactly 100 does not count.",
  response: "More than 100, so 100 itself is out.",
  concepts: ["limit", "kroner"],
};
const GOOD = {
  request: "What is the colour of the customers in Lund who spent over 100 kroner?",
  ambiguities: [COLOUR],
};

const say = (value: unknown): string => JSON.stringify(value);

async function written(answers: Answer[], readings: readonly OpenReading[] = [EYES]) {
  const { url, requests } = await server({ rules: [{ role: "rewriter", answer: answers }] });
  const outcome = await writeRequest(ROW, readings, { model: await client(url) });
  return { outcome, prompts: requests.map(({ prompt }) => prompt) };
}

const BAD: [string, string, RegExp][] = [
  [
    "one that decides the point",
    say({ ...GOOD, request: GOOD.request.replace("colour", "eye colour") }),
    /says "eye", which decides point 1/,
  ],
  [
    "one that points the wrong way",
    say({ ...GOOD, request: GOOD.request.replace("colour", "hair colour") }),
    /says "hair", which points to the wrong reading/,
  ],
  [
    "one without its term",
    say({ ...GOOD, ambiguities: [{ ...COLOUR, term: "complexion" }] }),
    /"complexion" does not stand in the request/,
  ],
  ["an empty term", say({ ...GOOD, ambiguities: [{ ...COLOUR, term: "?" }] }), /point 1 has no term/],
  [
    "a term that is half the request",
    say({
      ...GOOD,
      ambiguities: [{ ...COLOUR, term: "the colour of the customers in Lund who spent over" }],
    }),
    /has 10 words/,
  ],
  ["one that is no JSON", "I would ask for the colour.", /holds no JSON object/],
  ["half an object", say(GOOD).slice(0, 60), /ends in the middle/],
  ["an object of another shape", say({ question: "Which colour?" }), /not of the shape asked for/],
  ["no ambiguity", say({ ...GOOD, ambiguities: [] }), /0 ambiguities for 1 open points/],
  ["ambiguities that are no objects", say({ ...GOOD, ambiguities: ["colour"] }), /is no object/],
  [
    "a resolution that states the other reading",
    say({ ...GOOD, ambiguities: [{ ...COLOUR, resolution: "The colour of their hair is meant." }] }),
    /resolution of point 1 states the other reading/,
  ],
  [
    "a response that states neither",
    say({ ...GOOD, ambiguities: [{ ...COLOUR, response: "The usual one." }] }),
    /response of point 1 does not say what is meant/,
  ],
  [
    "an empty response",
    say({ ...GOOD, ambiguities: [{ ...COLOUR, response: " " }] }),
    /no resolution or no response/,
  ],
  [
    "a question back",
    say({ ...GOOD, ambiguities: [{ ...COLOUR, response: "Do you mean the eyes?" }] }),
    /response of point 1 is a question/,
  ],
  [
    "SQL in the response",
    say({ ...GOOD, ambiguities: [{ ...COLOUR, response: "`eye_colour_id`, the eyes." }] }),
    /response of point 1 holds SQL/,
  ],
  [
    "an endless response",
    say({ ...GOOD, ambiguities: [{ ...COLOUR, response: `The eyes. ${"Really. ".repeat(60)}` }] }),
    /longer than 320/,
  ],
  [
    "SQL",
    say({ ...GOOD, request: "SELECT colour FROM customers in Lund WHERE they spent over 100" }),
    /the request holds SQL/,
  ],
  [
    "the name of a column",
    say({
      ...GOOD,
      request: "What is the colour_id of the customers in Lund who spent over 100 kroner?",
      ambiguities: [{ ...COLOUR, term: "colour_id" }],
    }),
    /holds the name "colour_id"/,
  ],
  [
    "one that goes on and on",
    say({ ...GOOD, request: `${GOOD.request} ${"Please list them all in full and with care. ".repeat(6)}` }),
    /at most \d+ are wanted/,
  ],
  [
    "another language",
    say({
      request: "Welche Farbe haben Kunden, Lund, über 100 Kronen ausgegeben?",
      ambiguities: [{ ...COLOUR, term: "Farbe" }],
    }),
    /not a sentence in English/,
  ],
  [
    "another script",
    say({ request: "Лунд 100: colour of the customers, какой?", ambiguities: [COLOUR] }),
    /not a sentence in English/,
  ],
  [
    "one that loses a value",
    say({ ...GOOD, request: "What is the colour of the customers in Lund who spent a lot?" }),
    /no longer says "100"/,
  ],
  [
    "one that says it is unclear",
    say({
      ...GOOD,
      request: "What is the (unclear) colour of the customers in Lund who spent over 100 kroner?",
    }),
    /says that something is unclear/,
  ],
  [
    "a copy of the hint",
    say({
      ...GOOD,
      request:
        "What is the colour of the customers in Lund, spent over 100 kroner refers to SUM(cost) > 100?",
    }),
    /holds SQL|copies the hint/,
  ],
];

describe("what the rewriter writes", () => {
  it("is taken where it is good, whatever stands around it", async () => {
    for (const answer of [
      say(GOOD),
      { text: say(GOOD), dress: "think-closed" as const },
      { text: say(GOOD), dress: "fence" as const },
    ]) {
      const { outcome, prompts } = await written([answer]);
      expect(outcome).toMatchObject({ writing: { request: GOOD.request, ambiguities: [COLOUR] } });
      expect(prompts).toHaveLength(1);
    }
  });

  it.each(BAD)("is refused twice, then given up: %s", async (_, reply, complaint) => {
    const { outcome, prompts } = await written([reply, reply]);
    expect(outcome).toMatchObject({ complaint: expect.stringMatching(complaint) as string });
    expect(prompts).toHaveLength(2);
    // The second try is told what was wrong with the first.
    expect(prompts[1]).toMatch(complaint);
    expect(outcome.evidence).toHaveLength(2);
  });

  it.each(BAD.slice(0, 3))("is taken at the second try: %s, then a good one", async (_, reply) => {
    const { outcome } = await written([reply, say(GOOD)]);
    expect(outcome).toMatchObject({ writing: { request: GOOD.request } });
    expect(outcome.evidence).toMatchObject([
      { complaint: expect.any(String) as string },
      { outcome: "answered" },
    ]);
  });

  it("is not asked again where the reply was cut off", async () => {
    const { outcome, prompts } = await written([{ text: say(GOOD).slice(0, 40), finish_reason: "length" }]);
    expect(outcome).toMatchObject({ complaint: "the reply ended as truncated" });
    expect(prompts).toHaveLength(1);
  });

  const two = (first: object, second: object) => ({
    request: "What is the colour of the customers in Lund who spent from 100 kroner?",
    ambiguities: [
      { ...COLOUR, ...first },
      { ...SPENT, ...second },
    ],
  });

  it("keeps two points apart", async () => {
    const { outcome } = await written([say(two({}, {}))], [EYES, BOUND]);
    expect(outcome).toMatchObject({
      writing: { ambiguities: [{ term: "colour" }, { term: "from 100 kroner" }] },
    });
  });

  it.each([
    [
      "the answer about one gives the other away",
      two({}, { response: "More than 100, and I mean their eyes." }),
      /gives away point 1/,
    ],
    ["an alias does", two({}, { aliases: ["eye budget"] }), /gives away point 1/],
    [
      "the answer speaks of the other's term",
      two({ response: "The eyes, of those from 100 kroner." }, {}),
      /speaks of "from 100 kroner"/,
    ],
    ["both have one term", two({}, { term: "Colour" }), /same term/],
    [
      "they share an alias",
      two({ aliases: ["limit"] }, { aliases: ["limit"] }),
      /would not know the terms apart \(shared_phrase/,
    ],
  ])("refuses two points where %s", async (_, reply, complaint) => {
    const { outcome } = await written([say(reply), say(reply)], [EYES, BOUND]);
    expect(outcome).toMatchObject({ complaint: expect.stringMatching(complaint) as string });
  });
});
