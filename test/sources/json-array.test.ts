import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SourceError } from "../../pipelines/errors.js";
import { type JsonElement, readJsonArray } from "../../sources/json-array.js";
import { findJsonFault } from "../../sources/json-fault.js";
import { rowSha256 } from "../../sources/row-hash.js";
import { failureOf, temporaryFolder, writeFiles } from "./temporary.js";

async function read(content: string | Uint8Array, chunkBytes?: number, maxElementBytes?: number) {
  const folder = temporaryFolder();
  await writeFiles(folder, { "x.json": content });
  const elements: JsonElement[] = [];
  const options = {
    name: "x.json",
    ...(chunkBytes === undefined ? {} : { chunkBytes }),
    ...(maxElementBytes === undefined ? {} : { maxElementBytes }),
  };
  for await (const element of readJsonArray(join(folder, "x.json"), options)) elements.push(element);
  return elements;
}

const space = fc.stringMatching(/^[ \t\r\n]{0,4}$/);

describe("readJsonArray", () => {
  it("gives what JSON.parse gives, at any chunk size and with any white space", async () => {
    const cases = fc.tuple(
      fc.array(fc.tuple(fc.jsonValue({ stringUnit: "binary" }), space, space, fc.boolean()), {
        maxLength: 6,
      }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ([items, chunkBytes, mark]) => {
        const parts = items.map(([value, before, after, pretty]) => ({
          before,
          text: JSON.stringify(value, null, pretty ? 2 : 0),
          after,
        }));
        const text = `[${parts.map((part) => part.before + part.text + part.after).join(",")}]\n`;
        const elements = await read(`${mark ? "\ufeff" : ""}${text}`, chunkBytes);
        expect(elements.map((element) => element.value)).toEqual(JSON.parse(text));
        let at = 1;
        const lines = parts.map((part) => {
          const start = at + part.before.length;
          at = start + part.text.length + part.after.length + 1;
          return text.slice(0, start).split("\n").length;
        });
        expect(elements.map((element) => element.line)).toEqual(lines);
        expect(elements.map((element) => element.row)).toEqual(parts.map((_, row) => row));
      }),
      { numRuns: 100 },
    );
  });

  it("keeps brackets, quotes and backslashes inside strings apart from structure", async () => {
    const values = ['a"]},[', "\\", '\\"', "{", { "]": "[\\\\" }, "線,\u{1f600}]"];
    expect((await read(JSON.stringify(values), 3)).map((element) => element.value)).toEqual(values);
  });

  it("reads an empty array", async () => {
    expect(await read("[]")).toEqual([]);
    expect(await read(" [\n ] \n", 1)).toEqual([]);
  });

  const broken: [string, string | Uint8Array, RegExp][] = [
    ["an empty file", "", /expected a JSON array, found an empty file/],
    ["white space alone", "  \n ", /expected a JSON array, found an empty file/],
    ["one character", "7", /line 1, column 1: expected a JSON array, found "7"/],
    ["an object", '{"rows": []}', /line 1, column 1: expected a JSON array \("\["\), found "\{"/],
    ["a file cut between elements", "[1,\n2,", /line 2, column 3, row 2: the file ends inside the array/],
    [
      "a file cut inside an element",
      '[{"a": 1},\n{"a": ',
      /line 2, column 7, row 1: the file ends inside the array: it is cut off/,
    ],
    ["a file cut inside a string", '["abc', /row 0: the file ends inside the array/],
    ["text behind the array", "[1]\n[2]", /line 2, column 1: expected nothing after the array, found "\["/],
    ["a comma before the end", "[1,\n]", /line 2, column 1, row 1: expected an element, found "\]"/],
    ["two commas", "[1,,2]", /line 1, column 4, row 1: expected an element, found ","/],
    ["a brace too many", "[1}]", /line 1, column 3, row 0: expected "," or "\]", found "\}"/],
    [
      "a bad word in an element",
      '[{"a": 1},\n {"ä": nul, "b": 2}]',
      /line 2, column 9, row 1: expected a value, found "nul/,
    ],
    [
      "an element on several lines",
      '[\n{\n  "a": 1\n  "b": 2\n}]',
      /line 4, column 3, row 0: expected "," or "\}", found ""b"/,
    ],
    ["single quotes", "[{'a': 1}]", /line 1, column 3, row 0: expected a field name in double quotes/],
    ["a bad escape", '["\\x41"]', /line 1, column 3, row 0: expected a valid escape/],
    ["NaN", '[{"a": NaN}]', /expected a value, found "NaN/],
    ["two values without a comma", "[1 2]", /line 1, column 4, row 0: expected the end of the value/],
    ["bytes that are not UTF-8", Buffer.from('["caf\xe9"]', "latin1"), /row 0: expected UTF-8/],
    ["UTF-16", Buffer.from("\ufeff[1]", "utf16le"), /UTF-16 byte order mark/],
  ];
  it.each(broken)("refuses %s, saying where", async (_name, content, message) => {
    for (const chunkBytes of [1, 2, 7, 4096]) {
      const error = await failureOf(read(content, chunkBytes));
      expect(error).toBeInstanceOf(SourceError);
      expect(error.message).toMatch(message);
      expect(error.message).toMatch(/^x\.json/);
    }
  });

  it("does not gather a whole file behind an unclosed quote", async () => {
    const error = await failureOf(read(`["${"x".repeat(5000)}`, 100, 1000));
    expect(error.message).toMatch(/line 1, column 2, row 0: this element has no end within 1000 bytes/);
  });

  it("gives the elements before a broken one", async () => {
    const folder = temporaryFolder();
    await writeFiles(folder, { "x.json": "[1, 2, x]" });
    const seen: unknown[] = [];
    const error = await failureOf(
      (async () => {
        for await (const { value } of readJsonArray(join(folder, "x.json"))) seen.push(value);
      })(),
    );
    expect(seen).toEqual([1, 2]);
    expect(error.message).toContain("row 2");
  });

  it("is not much slower than parsing the file in one piece", async () => {
    const row = { question: "How many? ".repeat(20), toks: Array.from({ length: 60 }, (_, i) => `tok${i}`) };
    const content = `[${Array.from({ length: 8000 }, () => JSON.stringify(row)).join(",\n")}]`;
    const folder = temporaryFolder();
    await writeFiles(folder, { "x.json": content });
    const best = { streamed: Number.POSITIVE_INFINITY, whole: Number.POSITIVE_INFINITY };
    // Side by side and best of three, because other tests run on the same cores.
    for (let round = 0; round < 3; round += 1) {
      let start = performance.now();
      let rows = 0;
      for await (const _ of readJsonArray(join(folder, "x.json"))) rows += 1;
      best.streamed = Math.min(best.streamed, performance.now() - start);
      expect(rows).toBe(8000);
      start = performance.now();
      JSON.parse(readFileSync(join(folder, "x.json"), "utf8"));
      best.whole = Math.min(best.whole, performance.now() - start);
    }
    expect(best.streamed).toBeLessThan(8 * best.whole);
  });
});

describe("findJsonFault", () => {
  it("finds a fault exactly where JSON.parse finds one", () => {
    const mangled = fc
      .tuple(fc.jsonValue(), fc.nat(200), fc.constantFrom("", '"', "}", "[", ",", "x", "\\", "\n", "01", "-"))
      .map(([value, at, piece]) => {
        const text = JSON.stringify(value);
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + piece + text.slice(cut + 1);
      });
    fc.assert(
      fc.property(mangled, (text) => {
        let good = true;
        try {
          JSON.parse(text);
        } catch {
          good = false;
        }
        const fault = findJsonFault(text);
        expect(fault === undefined).toBe(good);
        if (fault !== undefined) expect(fault.offset).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
    );
  });

  it("does not overflow on deep nesting", () => {
    expect(findJsonFault("[".repeat(200_000))).toBeUndefined();
  });
});

describe("rowSha256", () => {
  it("does not depend on key order, white space or escapes, and depends on every value", () => {
    const a = JSON.parse('{"b": 1.0, "a": ["\\u00e9", null]}');
    const b = JSON.parse('{"a":["é",null],"b":1}');
    expect(rowSha256(a)).toBe(rowSha256(b));
    expect(rowSha256({ ...b, b: 2 })).not.toBe(rowSha256(b));
  });

  it("is the sha256 of RFC 8785's canonical form", () => {
    // echo -n '{"a":[1,2],"b":"é"}' | sha256sum
    expect(rowSha256({ b: "é", a: [1, 2] })).toBe(
      "d902c5ef87c42c33059e8d7b7aa30485809a5c0ff84b8d0d285616d5b03f23ea",
    );
  });
});
