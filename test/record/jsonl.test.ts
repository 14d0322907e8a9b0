import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { SourceError } from "../../pipelines/errors.js";
import { readJsonl } from "../../pipelines/record/jsonl.js";

const folder = mkdtempSync(join(tmpdir(), "ambitab-jsonl-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string | Buffer): string {
  const path = join(folder, "lines.jsonl");
  writeFileSync(path, text);
  return path;
}

async function read(path: string, options = {}): Promise<[number, object][]> {
  const found: [number, object][] = [];
  for await (const { line, value } of readJsonl(path, options)) found.push([line, value]);
  return found;
}

const failure = async (path: string, options = {}): Promise<SourceError> => {
  try {
    await read(path, options);
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
  throw new Error("expected a failure");
};

describe("readJsonl", () => {
  it("gives each object with its line, counting empty lines that it skips", async () => {
    const path = file('{"a":1}\n\n  \n{"a":2}\r\n{"a":3}');
    expect(await read(path)).toEqual([
      [1, { a: 1 }],
      [4, { a: 2 }],
      [5, { a: 3 }],
    ]);
  });

  it("keeps the separators that JavaScript takes for line ends but JSON Lines does not", async () => {
    const value = { a: "x\u2028y\u2029z\u0085\u000b" };
    expect(await read(file(`${JSON.stringify(value)}\n{"b":1}\n`))).toEqual([
      [1, value],
      [2, { b: 1 }],
    ]);
  });

  it("reads characters that a chunk's end cuts in two", async () => {
    const text = "é🙂".repeat(100_000);
    const [[, value] = []] = await read(file(JSON.stringify({ text })));
    expect(value).toEqual({ text });
  });

  it("says file and line of a line that does not parse, as at the end of a file that was cut off", async () => {
    const error = await failure(file('{"a":1}\n{"a":2}\n{"a":'));
    expect(error.place).toMatchObject({ line: 3 });
    expect(error.message).toMatch(/lines\.jsonl, line 3: expected one JSON object/);
    expect((await failure(file("{broken\n"), { name: "records.jsonl" })).place).toEqual({
      file: "records.jsonl",
      line: 1,
    });
  });

  for (const text of ["[1]", "null", '"text"', "3"]) {
    it(`refuses ${text}, which is JSON but no object`, async () => {
      expect((await failure(file(`{"a":1}\n${text}\n`))).place.line).toBe(2);
    });
  }

  it("looks only at the lines that `where` wants", async () => {
    const path = file('{"a":1}\n{broken\n{"a":3}\n');
    expect(await read(path, { where: (line: string) => line.includes('"a"') })).toEqual([
      [1, { a: 1 }],
      [3, { a: 3 }],
    ]);
  });

  it("rejects when the file is not there", async () => {
    await expect(read(join(folder, "none.jsonl"))).rejects.toThrow(/ENOENT/);
  });

  it("may be left early", async () => {
    const path = file('{"a":1}\n'.repeat(1000));
    for await (const { line } of readJsonl(path)) if (line === 3) break;
    rmSync(path);
  });
});
