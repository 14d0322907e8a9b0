import { describe, expect, it } from "vitest";
import { isRefusal } from "../../../pipelines/evaluation/prompts/refusal.js";
import { REFUSAL } from "../../../pipelines/oracle/index.js";

describe("a refusal, as the visible answer tells it", () => {
  it.each([
    REFUSAL,
    "Sorry, this question is out of scope, so I can not answer your question.",
    "I'm sorry, I can't help with that.",
    "I don't know.",
    "Unfortunately I have no information on this.",
    "I cannot answer that question.",
    "This question is out of scope.",
    "",
  ])("%s", (text) => expect(isRefusal(text)).toBe(true));

  it.each([
    "By length I mean the overall length.",
    "Sorry for being unclear: I mean the overall length.",
    "I don't know SQL, but the ten largest are enough.",
    "I'm afraid it was badly put; use the hull length instead.",
    "Top means the first three by revenue.",
    "All boats that are not sold.",
    "No, only those with a berth.",
  ])("not: %s", (text) => expect(isRefusal(text)).toBe(false));
});
