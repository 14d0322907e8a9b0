import { describe, expect, it } from "vitest";
import { ModelError } from "../../pipelines/errors.js";
import { failureOf, temporaryFolder } from "../sources/temporary.js";
import type { Answer, HttpFault, PassingFault } from "./model-server.mjs";
import { PASSING_FAULTS } from "./model-server.mjs";
import { client, request, server } from "./open-client.js";

describe("a fault of the server", () => {
  for (const fault of PASSING_FAULTS) {
    it(`${fault}: is got over, and the answer is the right one`, async () => {
      const { url, requests } = await server({
        rules: [{ answer: [{ fault }, { fault }, "at last"] }],
      });
      const opened = await client(url, { endpoint: { deadline_ms: fault.startsWith("hang") ? 60 : 2000 } });
      const answer = await opened.ask(request("a question"));
      expect(answer).toMatchObject({ outcome: "answered", text: "at last" });
      expect(requests.length).toBe(3);
      const { retries, sent } = opened.usage().solver!;
      expect(Object.values(retries)).toEqual([2]);
      expect(sent).toBe(3);
    });
  }

  it("that stays is an outcome of the server's, and is asked again in the next run", async () => {
    const { url, requests } = await server({ rules: [{ answer: { fault: "error-500" } }] });
    const out = temporaryFolder();
    const first = await client(url, { out, endpoint: { max_attempts: 3 } });
    expect(await first.ask(request("a"))).toMatchObject({
      outcome: "model_error",
      detail: "3 attempts failed, the last with: HTTP 500: Oops",
    });
    expect(requests.length).toBe(3);
    await first.ask(request("a"));
    expect(requests.length).toBe(6);
  });

  const statuses: [HttpFault, number][] = [
    [{ status: 408 }, 2],
    [{ status: 409 }, 2],
    [{ status: 502 }, 2],
    [{ status: 503, headers: { "retry-after": "0" } }, 2],
    [{ status: 200, body: { error: { code: 429, message: "upstream is busy" } } }, 2],
    [{ status: 200, body: { object: "error", message: "dead" } }, 2],
    [{ status: 200, body: { choices: [] } }, 2],
    [{ status: 200, body: ["no object"] }, 2],
  ];
  for (const [fault, sent] of statuses) {
    it(`${JSON.stringify(fault)} is tried again`, async () => {
      const { url, requests } = await server({ rules: [{ answer: [{ fault }, "good"] }] });
      const opened = await client(url);
      expect(await opened.ask(request("a"))).toMatchObject({ outcome: "answered", text: "good" });
      expect(requests.length).toBe(sent);
    });
  }
});

describe("being told to wait", () => {
  const answeredAfter = async (headers: Record<string, string>): Promise<number> => {
    const { url, requests } = await server({
      rules: [{ answer: [{ fault: { status: 429, headers } }, "good"] }],
    });
    const opened = await client(url);
    expect(await opened.ask(request("a"))).toMatchObject({ text: "good" });
    return requests[1]!.at - requests[0]!.at;
  };

  it("is obeyed in seconds, in milliseconds and as a date", async () => {
    const date = new Date(Date.now() + 2000).toUTCString();
    const [seconds, milliseconds] = await Promise.all([
      answeredAfter({ "retry-after": "1" }),
      answeredAfter({ "retry-after-ms": "300", "retry-after": "60" }),
      answeredAfter({ "retry-after": date }),
    ]);
    // Timers and clocks round down by a little.
    expect(seconds).toBeGreaterThanOrEqual(990);
    expect(milliseconds).toBeGreaterThanOrEqual(290);
    expect(milliseconds).toBeLessThan(30_000);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(date) - 10);
  });

  it("stops the whole endpoint, and uses up no attempt", async () => {
    const told = { status: 429, headers: { "retry-after-ms": "200" } };
    const { url, requests } = await server({
      rules: [
        { contains: "first", answer: [{ fault: told }, { fault: told }, { fault: told }, "good"] },
        { answer: "other" },
      ],
    });
    const opened = await client(url, { endpoint: { max_attempts: 1 } });
    const first = opened.ask(request("first"));
    while (opened.usage().solver?.retries.rate_limit !== 1) await new Promise((next) => setTimeout(next, 1));
    await opened.ask(request("second"));
    expect(requests[1]!.at - requests[0]!.at).toBeGreaterThanOrEqual(190);
    expect(await first).toMatchObject({ outcome: "answered", text: "good" });
    expect(requests.length).toBe(5);
  });

  it("a full server that names no time is not hammered", async () => {
    const { url, requests } = await server({ rules: [{ answer: { fault: "rate-limit" } }] });
    const opened = await client(url, {
      endpoint: { backoff_ms: 100, max_backoff_ms: 1000, patience_ms: 1000 },
    });
    const asked = Array.from({ length: 200 }, (_, n) => failureOf(opened.ask(request(`${n}`))));
    const errors = await Promise.all(asked);
    expect(errors.every((error) => error instanceof ModelError)).toBe(true);
    expect(errors[0]!.message).toContain("put this call off");
    // The first slots and a few single calls; left to themselves the 200 would try half a dozen times each.
    const early = requests.filter(({ at }) => at - requests[0]!.at < 900);
    expect(early.length).toBeLessThan(100);
  });

  it("is measured from the first refusal, not from when the call came into the queue", async () => {
    const { url } = await server({
      delayMs: 150,
      rules: [{ contains: "last", answer: [{ fault: "rate-limit" }, "good"] }],
    });
    const opened = await client(url, { endpoint: { concurrency: 1, patience_ms: 1000 } });
    const asked = Array.from({ length: 8 }, (_, n) => opened.ask(request(n === 7 ? "last" : `${n}`)));
    const answers = await Promise.all(asked);
    expect(answers[7]).toMatchObject({ outcome: "answered", text: "good" });
  });

  it("longer than one has patience ends at once, and says what to do", async () => {
    const fault = { status: 429, headers: { "retry-after": "86400" } };
    const { url } = await server({ rules: [{ answer: { fault } }] });
    const error = await failureOf((await client(url)).ask(request("a")));
    expect(error.message).toContain("asks for 86400 s more");
  });
});

describe("what only a person can mend", () => {
  it("fails at once and names role, model, endpoint and the server's words, never the key", async () => {
    const { url, requests } = await server({ apiKey: "right" });
    const environment = { OPENAI_API_KEY: "wrong-key-1234" };
    const opened = await client(url, { environment });
    const error = await failureOf(opened.ask(request("a")));
    expect(error).toBeInstanceOf(ModelError);
    expect(requests.length).toBe(1);
    expect(requests[0]!.authorization).toBe("Bearer wrong-key-1234");
    expect(error.message).toBe(
      `role "solver", model Qwen/Qwen3-Coder-30B-A3B-Instruct, endpoint "local" (${url}): HTTP 401: Incorrect API key provided: [key]`,
    );
    expect(JSON.stringify([error, error.stack, error.cause])).not.toContain("wrong-key");
    expect((error as ModelError).remedy).toBe("check the key in OPENAI_API_KEY");
  });

  it("a key that is none is refused before it is sent, and not shown", async () => {
    const { url, requests } = await server();
    const opened = await client(url, { environment: { OPENAI_API_KEY: "sécret\nkey" } });
    const error = await failureOf(opened.ask(request("a")));
    expect(error.message).toBe('the key of the endpoint "local" holds characters that no key has');
    const trimmed = await client(url, { environment: { OPENAI_API_KEY: "good-key\n" } });
    await trimmed.ask(request("a"));
    expect(requests.map(({ authorization }) => authorization)).toEqual(["Bearer good-key"]);
  });

  const cases: [string, Answer, RegExp][] = [
    [
      "a redirect",
      { fault: { status: 308, headers: { location: "http://x/" } } },
      /redirects to http:\/\/x\//,
    ],
    ["an unknown model", { fault: "not-found" }, /HTTP 404: The model \S+ does not exist/],
    ["a refused field", { fault: "bad-request" }, /HTTP 400: Unrecognized request argument/],
    ["FastAPI's words", { fault: { status: 400, body: { detail: "nope" } } }, /HTTP 400: nope/],
    ["Ollama's words", { fault: { status: 400, body: { error: "nope" } } }, /HTTP 400: nope/],
    [
      "old vLLM's words",
      { fault: { status: 400, body: { object: "error", message: "nope" } } },
      /HTTP 400: nope/,
    ],
    [
      "an empty account",
      { fault: { status: 429, body: { error: { code: "insufficient_quota", message: "pay" } } } },
      /HTTP 429: pay/,
    ],
    [
      "a 401 as 200",
      { fault: { status: 200, body: { error: { code: 401, message: "who?" } } } },
      /HTTP 401: who\?/,
    ],
  ];
  for (const [name, answer, words] of cases) {
    it(name, async () => {
      const { url, requests } = await server({ rules: [{ answer }] });
      const error = await failureOf((await client(url)).ask(request("a")));
      expect(error).toBeInstanceOf(ModelError);
      expect(error.message).toMatch(words);
      expect(requests.length).toBe(1);
    });
  }

  it("a server that is not there stops the run", async () => {
    const gone = await server();
    await gone.close().catch(() => undefined);
    const error = await failureOf((await client(gone.url)).ask(request("a")));
    expect(error).toBeInstanceOf(ModelError);
    expect(error.message).toContain("ECONNREFUSED");
    expect((error as ModelError).remedy).toContain("is the server running");
  });
});

describe("what the model did", () => {
  it("is not the server's fault: silence, refusals, endless answers", async () => {
    const { url, requests } = await server({
      rules: [
        { contains: "silence", answer: "" },
        { contains: "long", answer: { text: '{"output": "SELECT', finish_reason: "length" } },
        { contains: "alias", answer: { text: "x", model: "qwen3:latest" } },
      ],
    });
    const opened = await client(url);
    expect(await opened.ask(request("silence"))).toMatchObject({ outcome: "answered", text: "" });
    expect(await opened.ask(request("long"))).toMatchObject({ outcome: "truncated" });
    expect(await opened.ask(request("alias"))).toMatchObject({ outcome: "answered", text: "x" });
    expect(requests.length).toBe(3);
  });
});

it("hard deadline: a hanging body ends in time", async () => {
  const { url } = await server({ rules: [{ answer: { fault: "hang-in-body" satisfies PassingFault } }] });
  const opened = await client(url, { endpoint: { deadline_ms: 100, max_attempts: 2 } });
  const started = performance.now();
  expect(await opened.ask(request("a"))).toMatchObject({
    outcome: "model_error",
    detail: "2 attempts failed, the last with: no answer within 100 ms",
  });
  expect(performance.now() - started).toBeLessThan(60_000);
});
