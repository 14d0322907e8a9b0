import { beforeAll, describe, expect, it } from "vitest";
import { type IntentView, intentMatcher } from "../../../pipelines/oracle/index.js";
import { oracleView } from "../../../pipelines/record/views.js";
import { built, SAMPLE } from "./building.js";
import { QUESTIONS } from "./near-misses.js";

const creditsOf = (view: IntentView, question: string): readonly string[] =>
  intentMatcher.match(question, [], view).credits;

describe("questions about requests of the sample", () => {
  const views = new Map<string, IntentView>();
  beforeAll(async () => {
    for (const record of (await built(SAMPLE)).records)
      views.set(record.avt_id, oracleView(record, "intent"));
  });
  const viewOf = (key: string): IntentView => {
    const view = views.get(`ambrosia/test/${key}`);
    if (view === undefined) throw new Error(`the sample has no request ${key}`);
    return view;
  };

  it("are at least 60 near misses over all three types", () => {
    const others = Object.values(QUESTIONS).flatMap(({ other }) => other);
    expect(new Set(others).size).toBe(others.length);
    expect(others.length).toBeGreaterThanOrEqual(60);
    expect(new Set(Object.keys(QUESTIONS).map((key) => key.split(".")[0])).size).toBe(3);
  });

  it.each(Object.entries(QUESTIONS))(
    "get no credit when they ask about something else: %s",
    (key, { other }) => {
      const credited = other.filter((question) => creditsOf(viewOf(key), question).length > 0);
      expect(credited).toEqual([]);
    },
  );

  it.each(Object.entries(QUESTIONS))(
    "get credit when they ask about what is ambiguous: %s",
    (key, { own }) => {
      const missed = own.filter((question) => creditsOf(viewOf(key), question).length === 0);
      expect(missed).toEqual([]);
    },
  );
});
