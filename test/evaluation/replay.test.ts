import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SourceError, UserError } from "../../pipelines/errors.js";
import { solverNamed } from "../../pipelines/evaluation/solvers/index.js";
import { replaySolver } from "../../pipelines/evaluation/solvers/replay.js";
import { temporaryFolder } from "../release/sample.js";

const folder = temporaryFolder();
let files = 0;
function file(text: string): string {
  files += 1;
  const path = join(folder, `predictions-${files}`);
  writeFileSync(path, text);
  return path;
}
const answer = (text: string, id: string) => replaySolver(file(text)).solve(id);
const sql = (text: string) => ({ outcome: "sql", sql: text });
const none = expect.objectContaining({ outcome: "no_answer" });

describe("predictions in BIRD's format", () => {
  const text = JSON.stringify({
    "0": "SELECT 1\t----- bird -----\tworld",
    "1": 0,
    "2": "SELECT 2",
    "3": "\t----- bird -----\tworld",
    "4": " \n ",
    "ambiqt/validation/1.a.b#1": 'SELECT \'{"a": [1, 2]}\', "x"\n\t----- bird -----\tworld',
  });

  it("are the SQL before the separator, and no answer where there is none", () => {
    const expected = {
      "0": sql("SELECT 1"),
      "1": none,
      "2": sql("SELECT 2"),
      "3": none,
      "4": none,
      "99": none,
    };
    for (const [id, given] of Object.entries(expected)) expect(answer(text, id)).toEqual(given);
    expect(answer(text, "ambiqt/validation/1.a.b#1")).toEqual(sql('SELECT \'{"a": [1, 2]}\', "x"'));
    expect(replaySolver(file(text)).answers).toBe(6);
  });

  it("may be laid out in any way, with a byte order mark, or hold nothing", () => {
    expect(answer(JSON.stringify(JSON.parse(text), null, 4), "2")).toEqual(sql("SELECT 2"));
    expect(answer(`\uFEFF${text}`, "2")).toEqual(sql("SELECT 2"));
    expect(answer("{}", "2")).toEqual(none);
    expect(answer("", "2")).toEqual(none);
    expect(answer(text, "toString")).toEqual(none);
  });

  it("answer no id twice: JSON would silently take the last", () => {
    expect(() =>
      replaySolver(file('{"a": "SELECT 1", "b": "x \\" , {\\"a\\": 1}", "a": "SELECT 2"}')),
    ).toThrow(/field "a": a is answered twice/);
    expect(replaySolver(file('{"a": {"a": 1, "b": [{"a": 2}]}, "b": "SELECT 1"}')).solve("a")).toEqual(none);
  });
});

describe("predictions as JSON lines", () => {
  const text = [
    '{"record_id": "a", "sql": "SELECT 1"}',
    "",
    '{"id": 7, "sql": "SELECT 7;"}',
    '{"record_id": "b", "sql": 0}',
    '{"record_id": "c"}',
    '{"record_id": "d", "sql": "SELECT 4\\t----- bird -----\\tworld"}',
  ].join("\r\n");

  it("are found by record id or id", () => {
    const expected = {
      a: sql("SELECT 1"),
      "7": sql("SELECT 7;"),
      b: none,
      c: none,
      d: sql("SELECT 4"),
      e: none,
    };
    for (const [id, given] of Object.entries(expected)) expect(answer(text, id)).toEqual(given);
    expect(answer('{"record_id": "a", "sql": "SELECT 1"}\n', "a")).toEqual(sql("SELECT 1"));
  });

  it.each([
    ["line 2", '{"record_id": "a", "sql": "1"}\n{"record_id": "b", "sq'],
    ["line 2", '{"record_id": "a", "sql": "1"}\n[]'],
    ['line 1, field "record_id"', '{"sql": "SELECT 1"}'],
    ['line 3, field "record_id": a is answered twice', '{"id": "a"}\n\n{"id": "a"}'],
    ["BIRD's object of answers", '{\n "0": "SELECT 1",\n "1": "SEL'],
    ["BIRD's object of answers", "[1, 2]"],
    ["BIRD's object of answers", "SELECT 1"],
  ])("name the place of a fault: %s", (place, broken) => {
    expect(() => replaySolver(file(broken))).toThrow(SourceError);
    expect(() => replaySolver(file(broken))).toThrow(place);
  });
});

describe("--solver", () => {
  it("says what there is, and that a file cannot be read", () => {
    expect(() => solverNamed("gpt-12")).toThrow(UserError);
    expect(() => solverNamed(`replay=${join(folder, "nowhere")}`)).toThrow(UserError);
    expect(solverNamed(`replay=${file("{}")}`)).toMatchObject({ reads: "recording", name: "replay" });
  });
});
