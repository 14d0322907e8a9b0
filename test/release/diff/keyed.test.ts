import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldChanges, fieldName } from "../../../pipelines/release/diff/fields.js";
import { diffKeyed, type Keyed } from "../../../pipelines/release/diff/keyed.js";

const stream = (values: Readonly<Record<string, object>>): (() => AsyncGenerator<Keyed>) =>
  async function* () {
    for (const [key, value] of Object.entries(values)) yield { key, value, place: `row ${key}` };
  };

describe("two streams", () => {
  const rows = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 3 }),
    fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 })),
    { maxKeys: 8, noNullPrototype: true },
  );

  it("differ in nothing from themselves, and the other way round the same is said in reverse", async () => {
    await fc.assert(
      fc.asyncProperty(rows, rows, async (a, b) => {
        const self = await diffKeyed(stream(a), stream(a));
        expect([self.added, self.removed, self.changed]).toEqual([[], [], []]);
        const there = await diffKeyed(stream(a), stream(b));
        const back = await diffKeyed(stream(b), stream(a));
        expect(back.added).toEqual(there.removed);
        expect(back.removed).toEqual(there.added);
        expect(back.changed.map(({ key }) => key).sort()).toEqual(there.changed.map(({ key }) => key).sort());
        expect(there.before + there.added.length - there.removed.length).toBe(there.after);
      }),
      { numRuns: 60 },
    );
  });

  it("are equal whatever the order of rows and of keys", async () => {
    const a = { x: { one: 1, two: [1, 2] }, y: { z: null } };
    const b = { y: { z: null }, x: { two: [1, 2], one: 1 } };
    const { added, removed, changed } = await diffKeyed(stream(a), stream(b));
    expect([added, removed, changed]).toEqual([[], [], []]);
  });

  it("name the key that is there twice, and where", async () => {
    async function* twice(): AsyncGenerator<Keyed> {
      yield { key: "7", value: {}, place: "dev.json, row 3" };
      yield { key: "7", value: {}, place: "dev.json, row 9" };
    }
    await expect(diffKeyed(stream({}), twice)).rejects.toThrow('dev.json, row 9: "7" is there twice');
  });
});

describe("fields", () => {
  it("are the smallest that differ, with their place", () => {
    const before = { oracle: { ambiguities: [{ term: "a", "odd.key": 1 }], clear: "x" } };
    const after = { oracle: { ambiguities: [{ term: "b", "odd.key": 2 }, { term: "c" }] }, more: true };
    const changes = fieldChanges(before, after);
    expect(changes).toEqual([
      { path: "oracle.ambiguities[0].term", before: "a", after: "b" },
      { path: 'oracle.ambiguities[0]["odd.key"]', before: 1, after: 2 },
      { path: "oracle.ambiguities[1]", before: undefined, after: { term: "c" } },
      { path: "oracle.clear", before: "x", after: undefined },
      { path: "more", before: undefined, after: true },
    ]);
    expect(fieldName("oracle.ambiguities[12].term")).toBe("oracle.ambiguities[].term");
  });
});
