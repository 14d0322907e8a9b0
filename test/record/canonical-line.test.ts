import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalLine, loadSchema } from "../../pipelines/record/schema-order.js";
import { canaryRecord } from "./canary-record.js";

const { record } = canaryRecord({ verifiable: false });

/** The same value with the keys of every object in another order. */
function shuffled(value: unknown, next: () => number): unknown {
  if (Array.isArray(value)) return value.map((one) => shuffled(one, next));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, one]) => [next(), key, shuffled(one, next)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, key, one]) => [key, one]));
}

describe("canonicalLine", () => {
  it("writes keys in the order in which the schema lists them, at every depth", () => {
    const line = canonicalLine("record", record);
    const order = Object.keys(loadSchema("record").properties ?? {});
    expect(Object.keys(JSON.parse(line) as object)).toEqual(order);
    const zone = (JSON.parse(line) as typeof record).oracle.ambiguities[0] ?? {};
    const listed = Object.keys(loadSchema("record").$defs?.Ambiguity?.properties ?? {});
    expect(Object.keys(zone)).toEqual(listed);
  });

  it("gives one line whatever order the keys came in", () => {
    const expected = canonicalLine("record", record);
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const next = (): number => Number(numbers.next().value);
        expect(canonicalLine("record", shuffled(record, next) as object)).toBe(expected);
      }),
      { numRuns: 30 },
    );
  });

  it("is stable: what was read back is written the same", () => {
    fc.assert(
      fc.property(
        fc.object({
          values: [fc.string({ unit: "binary" }), fc.double({ noNaN: true, noDefaultInfinity: true })],
        }),
        (free) => {
          const line = canonicalLine("lock", { settings: free });
          expect(canonicalLine("lock", JSON.parse(line) as object)).toBe(line);
        },
      ),
    );
  });

  it("puts keys that the schema does not list after those it does, by code unit", () => {
    const line = canonicalLine("dropped", { zeta: 1, row: 2, ä: 3, Alpha: 4, file: "f", key: "k" });
    expect(line).toBe('{"key":"k","file":"f","row":2,"Alpha":4,"zeta":1,"ä":3}');
  });

  it("leaves undefined out and keeps null, false, empty texts and empty lists", () => {
    const line = canonicalLine("lock", {
      settings: { a: undefined, b: null, c: false, d: "", e: [], f: {} },
    });
    expect(line).toBe('{"settings":{"b":null,"c":false,"d":"","e":[],"f":{}}}');
  });

  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    it(`refuses ${bad} and names the field`, () => {
      expect(() => canonicalLine("dropped", { key: "k", row: bad })).toThrow(/"row".*dropped/);
      expect(() => canonicalLine("lock", { settings: { deep: [{ er: bad }] } })).toThrow(/"er"/);
    });
  }

  it("stays on one line and keeps every character: line breaks, separators, surrogates, quotes, NUL", () => {
    const text = 'a\nb\r\u2028\u2029\u0000"\\ 🙂 é e\u0301 \ud800';
    const line = canonicalLine("dropped", { key: text });
    expect(line).not.toMatch(/[\n\r]/);
    expect((JSON.parse(line) as { key: string }).key).toBe(text);
    // A lone surrogate is escaped, so that the file stays valid UTF-8.
    expect(Buffer.from(line, "utf8").toString("utf8")).toBe(line);
  });

  it("keeps a key called __proto__ as data", () => {
    const value = JSON.parse('{"settings":{"__proto__":{"x":1},"a":2}}') as object;
    expect(canonicalLine("lock", value)).toBe('{"settings":{"__proto__":{"x":1},"a":2}}');
  });
});
