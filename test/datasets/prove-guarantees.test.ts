import { describe, expect, it } from "vitest";
import {
  proveIntentGuarantees,
  proveKnowledgeGuarantees,
} from "../../pipelines/datasets/prove-guarantees.js";
import type { StageContext } from "../../pipelines/engine/stage.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { ambiguity, harbourRecord } from "../evaluation/tasks.js";

/** Neither stage asks anything of its context. */
const NO_CONTEXT = {} as StageContext;
const records = (...terms: string[]): TaskRecord[] => [harbourRecord(terms.map((term) => ambiguity(term)))];
const outcomes = (made: readonly TaskRecord[]) =>
  Promise.all([proveIntentGuarantees, proveKnowledgeGuarantees].map(({ run }) => run(made, NO_CONTEXT)));

describe("the last stage of a dataset", () => {
  it("keeps requests that keep their promises", async () => {
    for (const outcome of await outcomes(records("length", "home port"))) {
      expect(outcome).toEqual({ kept: [null] });
    }
  });

  it("drops a request whose terms are one after normalisation, naming the promise", async () => {
    for (const outcome of await outcomes(records("home port", "Home_Ports"))) {
      expect(outcome).toMatchObject({ dropped: { reason: "guarantee_broken" } });
      expect(JSON.stringify(outcome)).toContain("shared_phrase: homeport");
    }
  });

  it("drops a request if one of its readings breaks a promise", async () => {
    const made = [...records("length"), ...records("?", "!")];
    made[1]!.oracle.ambiguities[1]!.term = "?";
    for (const outcome of await outcomes(made)) {
      expect(JSON.stringify(outcome)).toContain("canonical_uncredited: Could you clarify");
    }
  });

  it("keeps the two oracles' stored outcomes apart", () => {
    const settings = { seed: 1, limit: null, strict_readings: false, keep_going: false };
    expect(proveIntentGuarantees.parameters(settings)).not.toEqual(
      proveKnowledgeGuarantees.parameters(settings),
    );
  });
});
