import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonReply, parseSqlReply, type Shape } from "../../pipelines/model/parse.js";
import { DRESSES } from "./model-server.mjs";

interface Step {
  type: "clarification" | "done";
  output: string | null;
}
const isStep: Shape<Step> = (value): value is typeof value & Step =>
  (value.type === "clarification" && typeof value.output === "string") ||
  (value.type === "done" && value.output === null);

const json = (text: string): unknown => {
  const reply = parseJsonReply(text, isStep);
  return reply.outcome === "parsed" ? reply.value : reply.outcome;
};
const DONE = { type: "done", output: null };
const ask = (output: string): Step => ({ type: "clarification", output });

describe("a reply of JSON", () => {
  const whole: [string, unknown][] = [
    ['{"type":"done","output":null}', DONE],
    ['```json\n{"type":"done","output":null}\n```', DONE],
    ['Sure!\n{"type": "clarification", "output": "Which {name}?"}\nBye }', ask("Which {name}?")],
    ['<think>{"type":"clarification","output":"draft"}</think>{"type":"done","output":null}', DONE],
    ['a thought {"type":"clarification","output":"draft"}\n</think>\n{"type":"done","output":null}', DONE],
    ['<think>\nhm, { so\n{"type":"done","output":null}', DONE],
    ['{"type":"clarification","output":"what is </think>?"}', ask("what is </think>?")],
    ['For example {"type":"clarification","output":"x"}. My answer: {"type":"done","output":null}', DONE],
    ['{"type":"done","output":null,}', DONE],
    ["{'type': 'done', 'output': None}", DONE],
    ["{type: 'clarification', output: 'Which one?'}", ask("Which one?")],
    ["{'type': 'clarification', 'output': 'What's the user's age?'}", ask("What's the user's age?")],
    ['{"type": "clarification", "output": "two\nlines"}', ask("two\nlines")],
    ['{"type": "clarification", "output": "the "best" one"}', ask('the "best" one')],
    ["{“type”: “done”, “output”: null}", DONE],
    ['{"type": "done", // over\n "output": null}', DONE],
    ['{"type":"done","output":null}}', DONE],
    ['{"plan": {"a": 1}} then {"type":"done","output":null} and {"rest": true}', DONE],
  ];
  for (const [text, value] of whole) {
    it(`is read: ${JSON.stringify(text).slice(0, 70)}`, () => expect(json(text)).toEqual(value));
  }

  const not: [string, string][] = [
    ["", "no_answer"],
    ["  \n", "no_answer"],
    ["Which column do you mean?", "no_answer"],
    ["{see above}", "no_answer"],
    ["<think>endless", "no_answer"],
    ['<think>maybe {"type":"done","output":null} but no, rather', "no_answer"],
    ['<think>{"type":"done","output":null}</think>', "no_answer"],
    ['{"type":"maybe","output":null}', "wrong_shape"],
    ['{"answer": {"type":"done","output":null}}', "wrong_shape"],
    ['{"type":"clarification","output":"Which', "truncated"],
    ['{"type":"clarification","output":"Which one?"', "truncated"],
    ['{"type":"done","output":nul', "truncated"],
    ['{"type":"clarification","output":"x","list":[{"type":"done","output":null},', "truncated"],
    ["{'type': 'clarification', 'output': 'Which", "truncated"],
    ['```json\n{"type":"done",\n```', "truncated"],
    ["{".repeat(100_000), "no_answer"],
    ['{"a":'.repeat(100_000), "truncated"],
    ['{"a":'.repeat(20_000).concat("x"), "truncated"],
  ];
  for (const [text, outcome] of not) {
    it(`is ${outcome}: ${JSON.stringify(text).slice(0, 70)}`, () => {
      const before = process.cpuUsage();
      expect(json(text)).toBe(outcome);
      // Of the processor's time, so that other people's work does not count.
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
    });
  }

  it("of any content comes back equal from any noise around it", () => {
    // No noise may hold what looks like an object's beginning that never ends: it would hide what follows, on purpose.
    const words = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            "{x}",
            "{ and",
            "}",
            "{}",
            '{"other": [1, 2]}',
            "```",
            "```json\n",
            "`",
            '"',
            "'",
            "\n",
          ),
          fc.constantFrom("<think>{draft}</think>", "Sure:", "[1]", "SELECT 1;"),
          fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replace(/[{<"“‘']/g, "")),
        ),
        { maxLength: 6 },
      )
      .map((parts) => parts.join(" "));
    const content = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 });
    const marked: Shape<{ marked: true }> = (value): value is typeof value & { marked: true } =>
      value.marked === true;
    fc.assert(
      fc.property(words, content, words, fc.boolean(), (before, fields, behind, pretty) => {
        const value = JSON.parse(JSON.stringify({ ...fields, marked: true })) as object;
        const text = `${before} ${JSON.stringify(value, null, pretty ? 2 : 0)} ${behind}`;
        const reply = parseJsonReply(text, marked);
        expect(reply.outcome).toBe("parsed");
        if (reply.outcome === "parsed") expect(JSON.stringify(reply.value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 1000 },
    );
  });

  it("that is cut anywhere is never made whole", () => {
    const text = JSON.stringify({
      reason: 'a "b" {c} [d] 5, \\ é',
      list: [{ x: 1.5e3 }, true],
      ...ask("Which one?"),
    });
    for (let end = 2; end < text.length; end += 1)
      expect(json(`Here: ${text.slice(0, end)}`), text.slice(0, end)).toBe("truncated");
    expect(json(`Here: ${text}`)).toMatchObject(ask("Which one?"));
  });

  it("that Python wrote and the limit cut is never made whole", () => {
    const text = "{'reason': 'it's [x]', 'list': [1, None], 'type': 'clarification', 'output': 'Which one?'}";
    for (let end = 2; end < text.length; end += 1)
      expect(json(text.slice(0, end)), text.slice(0, end)).toBe("truncated");
    expect(json(text)).toMatchObject(ask("Which one?"));
  });

  for (const [name, dress] of Object.entries(DRESSES)) {
    if (name === "two-sql-blocks") continue;
    it(`is read in ${name}`, () => expect(json(dress(JSON.stringify(ask("Which?"))))).toEqual(ask("Which?")));
  }
});

describe("a reply of SQL", () => {
  const sql = (text: string): string => {
    const reply = parseSqlReply(text);
    return reply.outcome === "parsed" ? `${reply.from}: ${reply.sql}` : reply.outcome;
  };
  const cases: [string, string][] = [
    ['{"reasoning":"r","type":"final_sql","output":"SELECT 1"}', "json: SELECT 1"],
    ['{"output":"```sql\\nSELECT 1;\\n```"}', "json: SELECT 1;"],
    ['{"reasoning":"r","output":"SELECT "a"\nFROM t"}', 'json: SELECT "a"\nFROM t'],
    ['{"output":null}', "no_answer"],
    ['{"output":""}', "no_answer"],
    ['{"reasoning":"```sql\\nSELECT 0\\n```","output":"SELECT 1', "truncated"],
    ["```sql\nSELECT 1\n```", "fence: SELECT 1"],
    ["```\nSELECT 1\n```", "fence: SELECT 1"],
    ["```sql SELECT 1 ```", "fence: SELECT 1"],
    ["```SELECT 1```", "fence: SELECT 1"],
    ["```sqlite\nSELECT '{\"a\"' FROM t\n```", "fence: SELECT '{\"a\"' FROM t"],
    ["Thus:\n```sql\nSELECT 1", "fence: SELECT 1"],
    ["```sql\nSELECT 1\n```\nBetter:\n```sql\nSELECT 2\n```\n", "fence: SELECT 2"],
    ["```sql\nSELECT 1\n```\nIt gives:\n```\n| 1 |\n```\n", "fence: SELECT 1"],
    ["```sql\nSELECT 1\n```\n```python\nprint('SELECT 2')\n```", "fence: SELECT 1"],
    ["SELECT a FROM t WHERE b = 'x;y';\nThis takes a.", "prose: SELECT a FROM t WHERE b = 'x;y'"],
    ["The query is:\n\nselect a\nfrom t\nwhere b\n\nIt takes a.", "prose: select a\nfrom t\nwhere b"],
    [
      "With this in mind, select the rows.\nWITH x AS (SELECT 1)\nSELECT * FROM x",
      "prose: WITH x AS (SELECT 1)\nSELECT * FROM x",
    ],
    ["SQL: SELECT 1", "prose: SELECT 1"],
    ["Use `SELECT a FROM t` for this.", "prose: SELECT a FROM t"],
    [
      "CREATE TABLE a (x);\nINSERT INTO a SELECT 1;\nDone.",
      "prose: CREATE TABLE a (x);\nINSERT INTO a SELECT 1",
    ],
    ["<think>```sql\nSELECT 0\n```</think>\n```sql\nSELECT 1\n```", "fence: SELECT 1"],
    ["<think>so\n```sql\nSELECT 1\n```", "fence: SELECT 1"],
    ["<think>```sql\nSELECT 0\n``` or rather", "no_answer"],
    ['{"reasoning":"r","output":"SELECT "a", "b" FROM t",}', 'json: SELECT "a", "b" FROM t'],
    ["<think>SELECT 1 FROM t", "no_answer"],
    ["I select nothing.", "no_answer"],
    ["Select the rows with a.", "no_answer"],
    ["", "no_answer"],
  ];
  for (const [text, wanted] of cases) {
    it(`is read: ${JSON.stringify(text).slice(0, 70)}`, () => expect(sql(text)).toBe(wanted));
  }

  it("in two blocks: the second is the answer", () =>
    expect(sql(DRESSES["two-sql-blocks"]("SELECT 'the answer'"))).toBe("fence: SELECT 'the answer'"));
});
