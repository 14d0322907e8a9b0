import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actionText, readAction } from "../../../pipelines/evaluation/oracles/action.js";

describe("readAction", () => {
  it.each([
    ['labeled("length")', { kind: "labeled", term: "length" }],
    ["labeled('length')", { kind: "labeled", term: "length" }],
    ["labeled(length)", { kind: "labeled", term: "length" }],
    ["Labelled(“the length”)", { kind: "labeled", term: "the length" }],
    ['labeled(term: "length")', { kind: "labeled", term: "length" }],
    ['labeled(term="length")', { kind: "labeled", term: "length" }],
    ['**labeled("length")**', { kind: "labeled", term: "length" }],
    ['`labeled("length")`.', { kind: "labeled", term: "length" }],
    ['labeled("rate (K-12)")', { kind: "labeled", term: "rate (K-12)" }],
    ['labeled("the "best" one")', { kind: "labeled", term: 'the "best" one' }],
    ["unlabeled(\"WHERE home = 'Kiel'\")", { kind: "unlabeled", clause: "WHERE home = 'Kiel'" }],
    ['unlabelled(segment: "ORDER BY\\nname")', { kind: "unlabeled", clause: "ORDER BY\nname" }],
    ["unanswerable()", { kind: "unanswerable" }],
    ["  Unanswerable ", { kind: "unanswerable" }],
    ["labeled()", undefined],
    ['labeled("")', undefined],
    ["unlabeled( )", undefined],
    ["labeled", undefined],
    ["length", undefined],
    ["", undefined],
    ['labeled("a") or labeled("b") perhaps', undefined],
  ])("%s", (text, action) => {
    expect(readAction(text)).toEqual(action);
  });

  it("reads back every action that is written", () => {
    const named = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() !== "");
    fc.assert(
      fc.property(named, (text) => {
        for (const action of [
          { kind: "labeled", term: text },
          { kind: "unlabeled", clause: text },
          { kind: "unanswerable" },
        ] as const) {
          expect(readAction(actionText(action))).toEqual(action);
        }
      }),
    );
  });
});
