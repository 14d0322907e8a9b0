// What the sample's imaginary models answer to AmbiTab-Bird's prompts. Nothing here was written by a model: each reply is
// made up for the demo and the tests, good ones beside poor ones. test/datasets/bird/make-sample-responses.mjs makes the
// archive responses/bird.jsonl.gz of them, from which the sample builds without a model.
import { DEV, TRAIN } from "./questions.mjs";

const row = (split, id) => (split === "dev" ? DEV : TRAIN)[id];

const ambiguity = (term, aliases, resolution, response, concepts) => ({ term, aliases, resolution, response, concepts });

// What the rewriter makes of the rows that offer another reading; a list is a first and a second try. `points` is how many
// readings were asked for: put back, a row is asked for with fewer.
const WRITINGS = [
  {
    row: row("dev", 2),
    points: 2,
    replies: [
      {
        request: "What share of the Grønvik sailings was cancelled?",
        ambiguities: [
          ambiguity(
            "Grønvik sailings",
            ["sailings of Grønvik"],
            "The sailings that end in Grønvik are meant, so it is the port where they arrive.",
            "I mean those that arrive there.",
            ["port", "arrival", "destination"],
          ),
          ambiguity(
            "share",
            ["proportion"],
            "The share is wanted as a plain ratio between 0 and 1, not multiplied by 100.",
            "As a plain ratio, please, not multiplied by 100.",
            ["ratio", "percentage", "fraction"],
          ),
        ],
      },
    ],
  },
  {
    row: row("dev", 3),
    points: 1,
    replies: [
      // Has a name that no person writes, and is told so.
      {
        request: "Which ports of the outer coast are from_port of late sailings in April 2021? Give their names.",
        ambiguities: [
          ambiguity("late sailings", [], "The port is where they set out.", "Where they set out.", []),
        ],
      },
      {
        request: "Which ports of the outer coast had late sailings in April 2021? Give their names.",
        ambiguities: [
          ambiguity(
            "had late sailings",
            ["late ports"],
            "A port counts where the late sailing set out from it, wherever it arrived.",
            "I mean the ports that they set out from.",
            ["departure", "arrival", "origin"],
          ),
        ],
      },
    ],
  },
  {
    row: row("dev", 7),
    points: 2,
    replies: [
      {
        request: "How long is the mean delay of the northern isles ferries?",
        ambiguities: [
          ambiguity(
            "mean delay",
            ["average delay"],
            "A delay of 0 minutes is a delay like any other and enters the mean.",
            "Those without any delay enter it as well.",
            ["zero", "minutes", "punctual"],
          ),
          ambiguity(
            "northern isles ferries",
            ["ferries of the northern isles"],
            "The ferries that set out from a port of the northern isles are meant.",
            "I mean those that set out from there.",
            ["origin", "region", "port"],
          ),
        ],
      },
    ],
  },
  {
    row: row("dev", 7),
    points: 1,
    replies: [
      {
        request: "How long is the mean delay, punctual sailings included, of the northern isles ferries?",
        ambiguities: [
          ambiguity(
            "northern isles ferries",
            ["ferries of the northern isles"],
            "The ferries that set out from a port of the northern isles are meant.",
            "I mean those that set out from there.",
            ["origin", "region", "port"],
          ),
        ],
      },
    ],
  },
  {
    row: row("dev", 12),
    points: 1,
    replies: [
      {
        request: "Which hardy heirlooms germinate poorly? List their common names.",
        ambiguities: [
          ambiguity(
            "hardy heirlooms",
            ["hardy varieties"],
            "A variety is hardy from zone 6 on, zone 6 itself included.",
            "From zone 6 on, with 6 itself.",
            ["zone", "hardiness", "6"],
          ),
        ],
      },
    ],
  },
  {
    row: row("train", 2),
    points: 1,
    replies: [
      {
        request: "What part of the sales was given back?",
        ambiguities: [
          ambiguity(
            "What part",
            ["share of refunds", "refund rate"],
            "The part is wanted as a percentage, from 0 to 100.",
            "As a percentage, please.",
            ["percentage", "ratio", "fraction"],
          ),
        ],
      },
    ],
  },
  {
    row: row("train", 5),
    points: 1,
    replies: [
      {
        request: "Which evening had the most sales?",
        ambiguities: [
          ambiguity(
            "most sales",
            ["busiest evening"],
            "One evening is enough, even if others had as many sales.",
            "Just one of them.",
            ["tie", "evening", "sale"],
          ),
        ],
      },
    ],
  },
];

const prompt = (messages) => messages.map(({ content }) => content).join("\n");
const points = (text) => text.match(/^\d+\. meant: /gm)?.length ?? 0;

function rewriter(messages) {
  const asked = messages[1].content;
  const found = WRITINGS.find((one) => asked.includes(`Question:\n${one.row.question}\n`) && points(asked) === one.points);
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const reply = found?.replies[Math.min(turn, found.replies.length - 1)];
  return reply === undefined ? "I cannot leave that open." : JSON.stringify(reply);
}

/** The request of a prompt, and what was said about it. */
const requestOf = (text) => /\nRequest:\n([\s\S]*?)(?:\n\nTerms:|\n\nThe person has said since:|$)/.exec(text)?.[1] ?? "";

// Without clarification the probe takes the other reading of these.
const GUESSES = new Map([
  [row("dev", 2), "SELECT AVG(s.status = 'X') FROM sailings AS s JOIN port AS p ON s.from_port = p.port_id WHERE p.port_name = 'Grønvik'"],
  [row("dev", 3), "SELECT DISTINCT p.port_name FROM sailings AS s JOIN port AS p ON s.to_port = p.port_id WHERE p.rgn = 'OC' AND s.status = 'L' AND s.\"Departure Time\" LIKE '2021-04%'"],
  [row("dev", 7), "SELECT AVG(s.delay_min) FROM sailings AS s JOIN port AS p ON s.to_port = p.port_id WHERE p.rgn = 'NI'"],
  [row("dev", 12), "SELECT common_name FROM variety WHERE zone > 6 AND heirloom = 1 AND germ_rate < 0.75"],
  [row("train", 2), "SELECT AVG(refunded) FROM sale"],
  [row("train", 5), "SELECT sale_date FROM sale GROUP BY sale_date ORDER BY SUM(amount) DESC, sale_date LIMIT 2"],
]);

function probe(text) {
  const request = requestOf(text).trim();
  const clarified = text.includes("The person has said since:");
  const written = WRITINGS.find(({ replies }) => replies.some((reply) => reply.request === request));
  const known = written?.row ?? [...DEV, ...TRAIN].find(({ question }) => question.trim() === request);
  const sql = known === undefined ? null : clarified ? known.sql : (GUESSES.get(known) ?? known.without);
  return sql === null ? "I would need to know more." : JSON.stringify({ reasoning: "as it reads", type: "final_sql", output: sql });
}

// Terms that the judge would not ask about.
const PLAIN = ["mean delay", "most sales"];

function judge(text) {
  const terms = [...text.matchAll(/^\d+\. "(.*)"$/gm)].map(([, term]) => term);
  const items = terms.map((term, at) => ({ item: at + 1, why: "made up", ask: !PLAIN.includes(term) }));
  return JSON.stringify({ items });
}

/** The reply to a prompt; the same whenever it is asked. */
export function reply(role, messages) {
  if (role === "rewriter") return rewriter(messages);
  if (role === "probe") return probe(prompt(messages));
  if (role === "judge") return judge(prompt(messages));
  throw new Error(`the sample has no answers for the role "${role}"`);
}
