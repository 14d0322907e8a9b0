import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapOrdered } from "../../pipelines/engine/ordered.js";

async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 0; n < count; n += 1) yield n;
}

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of stream) all.push(one);
  return all;
}

describe("mapOrdered", () => {
  it("yields in the stream's order whatever ends first, with at most `width` calls under way", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.nat(3), { maxLength: 25 }),
        async (width, pauses) => {
          let now = 0;
          let most = 0;
          const results = mapOrdered(numbers(pauses.length), width, async (n) => {
            now += 1;
            most = Math.max(most, now);
            await sleep(pauses[n]);
            now -= 1;
            return n * 2;
          });
          expect(await collect(results)).toEqual(pauses.map((_, n) => n * 2));
          expect(most).toBeLessThanOrEqual(width);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("throws a failure at its place and waits for what is under way", async () => {
    let ended = 0;
    const seen: number[] = [];
    const run = async (): Promise<void> => {
      const results = mapOrdered(numbers(10), 4, async (n) => {
        await sleep(n === 3 ? 1 : 8);
        ended += 1;
        if (n === 3) throw new Error("three");
        return n;
      });
      for await (const n of results) seen.push(n);
    };
    await expect(run()).rejects.toThrow("three");
    expect(seen).toEqual([0, 1, 2]);
    const then = ended;
    await sleep(30);
    expect(ended).toBe(then);
  });
});
