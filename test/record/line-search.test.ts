/** Searching a JSONL file by its bytes finds what reading every line finds. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { SourceError } from "../../pipelines/errors.js";
import { findRecords } from "../../pipelines/record/find-records.js";
import { inJson, type Needle, searchJsonl, stringFrom } from "../../pipelines/record/line-search.js";

const folder = mkdtempSync(join(tmpdir(), "ambitab-search-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function search(content: string | Buffer, needles: Needle[], name = "lines.jsonl"): Promise<object[]> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const found: object[] = [];
  for await (const value of searchJsonl(path, ...needles)) found.push(value);
  return found;
}

const jsonl = (values: readonly object[]): string => values.map((one) => `${JSON.stringify(one)}\n`).join("");
const texts = fc.array(fc.string({ unit: "binary", maxLength: 12 }), { minLength: 1, maxLength: 30 });

describe("searchJsonl", () => {
  it("gives the lines that hold one of the texts, in order, each once, packed or not", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 0, max: 29 }), async (all, pick) => {
        const values = all.map((text, at) => ({ id: text, again: text, at }));
        const wanted = all[pick % all.length] ?? "";
        const needles = [`"id":"${inJson(wanted)}"`, `"again":"${inJson(wanted)}"`, '"at":3,'].map(
          (text) => ({
            text,
          }),
        );
        const expected = values.filter(({ id }) => id === wanted);
        expect(await search(jsonl(values), needles)).toEqual(expected);
        expect(await search(gzipSync(jsonl(values)), needles, "lines.jsonl.gz")).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it("finds lines that are longer than what is read at once, and the one without an end", async () => {
    const values = [2_500_000, 10, 1_100_000, 3].map((size, at) => ({
      at,
      text: "é".repeat(size),
      last: at,
    }));
    const needles = [{ text: '"last":2}' }, { text: '{"at":3,' }, { text: '{"at":0,' }];
    const content = jsonl(values).slice(0, -1);
    const expected = [values[0], values[2], values[3]];
    expect(await search(content, needles)).toEqual(expected);
    expect(await search(gzipSync(content), needles, "long.jsonl.gz")).toEqual(expected);
  });

  it("names the line that does not parse, and the file that is no whole archive", async () => {
    const failing = async (content: string | Buffer, name: string): Promise<string> => {
      try {
        await search(content, [{ text: "b" }], name);
      } catch (error) {
        if (error instanceof SourceError) return error.message;
        throw error;
      }
      throw new Error("expected a failure");
    };
    expect(await failing('{"a":1}\n\n{"b":', "cut.jsonl")).toMatch(
      /cut\.jsonl, line 3: expected one JSON object/,
    );
    expect(await failing('{"a":1}\n["b"]\n', "list.jsonl")).toMatch(/list\.jsonl, line 2/);
    const packed = gzipSync(jsonl(Array.from({ length: 50 }, (_, at) => ({ at, x: Math.sin(at) }))));
    expect(await failing(packed.subarray(0, 200), "cut.jsonl.gz")).toMatch(
      /cut\.jsonl\.gz.*no whole gzip file/,
    );
    expect(await failing("plain", "plain.jsonl.gz")).toMatch(/no whole gzip file/);
    await expect(search("", [{ text: "b" }])).resolves.toEqual([]);
    await expect(searchJsonl(join(folder, "none.jsonl"), { text: "b" }).next()).rejects.toThrow(/ENOENT/);
    await expect(searchJsonl(join(folder, "none.jsonl.gz"), { text: "b" }).next()).rejects.toThrow(/ENOENT/);
  });
});

describe("stringFrom", () => {
  it("reads any string of JSON back from behind its opening quote", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (text, after) => {
        expect(stringFrom(Buffer.from(`${JSON.stringify(text)},${JSON.stringify(after)}`), 1)).toBe(
          Buffer.from(text).toString(),
        );
      }),
    );
  });
});

describe("findRecords", () => {
  it("puts the zones of the asked records together, in the order of the files", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.string({ maxLength: 8 }), { minLength: 1 }), async (ids) => {
        const zones = ["public", "oracle"].map((zone) => {
          const path = join(folder, `${zone}.jsonl`);
          writeFileSync(path, jsonl(ids.map((record_id, at) => ({ record_id, [zone]: { at } }))));
          return path;
        });
        const wanted = new Set([...ids.filter((_, at) => at % 3 === 0), "no such id"].reverse());
        const expected = ids.flatMap((record_id, at) =>
          wanted.has(record_id) ? [{ record_id, public: { at }, oracle: { at } }] : [],
        );
        expect(await findRecords([zones], wanted)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});
