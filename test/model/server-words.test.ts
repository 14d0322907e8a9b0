import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact } from "../../pipelines/model/api-key.js";
import { saysOverflow } from "../../pipelines/model/context-overflow.js";
import { leastTokens } from "../../pipelines/model/least-tokens.js";
import { retryAfter } from "../../pipelines/model/retry-after.js";

describe("a context overflow", () => {
  // Ours in wording, theirs in the words that matter.
  const overflows = [
    "This model's maximum context length is 4097 tokens. However, your messages resulted in 5000 tokens.",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
    "Input length (5000) exceeds model's maximum context length (4096).",
    "prompt length 9000 exceeds max_model_len 8192",
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    "Requested token count exceeds the model's maximum context length of 4096 tokens.",
    "Input length (17000 tokens) exceeds the maximum allowed length (16384 tokens).",
    "the request exceeds the available context size, try increasing it",
    '{"type":"exceed_context_size_error","n_ctx":4096}',
    "input length exceeds maximum context length",
    "the input length exceeds the context length",
    "The number of tokens to keep from the initial prompt is greater than the context length.",
    "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 200 `max_new_tokens`",
    "`inputs` must have less than 4095 tokens. Given: 5000",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "The input token count (9000) exceeds the maximum number of tokens allowed (8192).",
    "context_length_exceeded",
    "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    "context window exceeded",
  ];
  for (const words of overflows)
    it(`is: ${words.slice(0, 60)}`, () => expect(saysOverflow(words)).toBe(true));

  const others = [
    "max_tokens is too large: 100000. This model supports at most 16384 completion tokens.",
    "Unrecognized request argument supplied: top_k",
    "Incorrect API key provided",
    "input is too large to process. increase the physical batch size (current batch size: 512)",
    "The model `x` does not exist",
    "temperature must be less than 2",
    "Rate limit reached for requests",
    "",
  ];
  for (const words of others)
    it(`is not: ${words.slice(0, 60)}`, () => expect(saysOverflow(words)).toBe(false));
});

describe("the least number of tokens", () => {
  const count = (content: string): number => leastTokens([{ role: "user", content }]);
  it("is that of the pieces that byte-pair tokenizers cut", () => {
    // SELECT| name| FROM| users| WHERE| age| >=| |18|;\n
    expect(count("SELECT name FROM users WHERE age >= 18;\n")).toBe(10);
    expect(count("don't stop")).toBe(3);
    expect(count("")).toBe(0);
  });
  it("is never more than there are characters", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => count(text) <= text.length));
  });
});

describe("a key", () => {
  it("is taken out of any words, wherever it stands", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/),
        fc.string(),
        (before, key, behind) => {
          expect(redact(`${before}${key}${behind}${key}`, key)).not.toContain(key);
        },
      ),
    );
    expect(redact("headers: {authorization: Bearer abc.def}", undefined)).not.toContain("abc");
    expect(redact("Incorrect key sk-proj-abcdefgh1234", undefined)).toBe("Incorrect key [key]");
  });
});

describe("Retry-After", () => {
  const told = (headers: Record<string, string>) => retryAfter(new Headers(headers), Date.UTC(2026, 0, 1));
  const cases: [Record<string, string>, number | undefined][] = [
    [{ "retry-after": "33" }, 33_000],
    [{ "retry-after": "1.5" }, 1500],
    [{ "retry-after-ms": "20", "retry-after": "9" }, 20],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:10 GMT" }, 10_000],
    [{ "retry-after": "Thu, 01 Jan 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-1" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after-ms": "x", "retry-after": "2" }, 2000],
    [{}, undefined],
  ];
  for (const [headers, milliseconds] of cases)
    it(JSON.stringify(headers), () => expect(told(headers)).toBe(milliseconds));
});
