/** Askers, solvers, matchers and responders of a user's own: as a module and behind a real HTTP address. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ModelError, UserError } from "../../pipelines/errors.js";
import { checkPart, type PartCheck } from "../../pipelines/evaluation/own/conformance.js";
import { isOwnPart } from "../../pipelines/evaluation/own/load.js";
import { runEpisode } from "../../pipelines/evaluation/protocol.js";
import { openParties, type PartyNames } from "../../pipelines/evaluation/run/parties.js";
import { ExecutionCache } from "../../pipelines/evaluation/verifier/index.js";
import { openSqliteSandbox, type SqliteSandbox } from "../../pipelines/sql/index.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import { temporaryFolder } from "../release/sample.js";
import { ambiguity, harbour, harbourRecord, taskOn } from "./tasks.js";

const REFERENCE = "SELECT name, overall_length FROM boats";

let folder = "";
let sandbox: SqliteSandbox;
beforeAll(() => {
  folder = temporaryFolder();
  harbour(folder);
  sandbox = openSqliteSandbox({ children: 1 });
});
afterAll(() => sandbox.close());

const servers: Server[] = [];
afterEach(async () => {
  for (const one of servers.splice(0)) await new Promise((closed) => one.close(closed).closeAllConnections());
});

type Body = Record<string, unknown> & { call: string };
type Reply = { status?: number; body: unknown; headers?: Record<string, string> };

/** An HTTP address that replies as told, and what it was sent. */
async function address(reply: (body: Body, count: number) => Reply): Promise<{ url: string; seen: Body[] }> {
  const seen: Body[] = [];
  const made = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Body;
      seen.push(body);
      const { status = 200, body: text, headers = {} } = reply(body, seen.length);
      response.writeHead(status, headers).end(typeof text === "string" ? text : JSON.stringify(text));
    });
  });
  servers.push(made);
  await new Promise<void>((ready) => made.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${(made.address() as AddressInfo).port}/part`, seen };
}

let written = 0;
function module(text: string): string {
  written += 1;
  const path = join(folder, `part-${written}.mjs`);
  writeFileSync(path, text);
  return path;
}

const NAMES: PartyNames = { asker: "none", oracle: "deterministic", solver: "reference-when-resolved" };

async function run(names: Partial<PartyNames>): Promise<EpisodeRecord> {
  const { asker, solver, oracleOf } = await openParties({ ...NAMES, ...names });
  return runEpisode(
    taskOn(folder, harbourRecord([ambiguity("length")])),
    { condition: "asker", seed: 5, asker, solver, oracle: (call) => oracleOf("ambiqt", call) },
    new ExecutionCache(sandbox),
    () => "0",
  );
}

const asks = (body: Body): Reply => ({
  body:
    (body.dialogue as unknown[]).length === 0
      ? { type: "clarification", output: "What do you mean by length?" }
      : { type: "done", output: null },
});

describe("what counts as a part of the user's own", () => {
  it.each([
    "./a.mjs",
    "/x/a.js",
    "a.cjs",
    "..\\a.js",
    "http://localhost:1/a",
    "https://x.org",
    "file:///x/a.mjs",
  ])("%s", (name) => expect(isOwnPart(name)).toBe(true));
  it.each(["full", "checklist-ledger", "replay=answers.jsonl", "model", "replay=./a.js.jsonl"])(
    "not %s",
    (name) => expect(isOwnPart(name)).toBe(false),
  );
});

describe("an own asker", () => {
  const source = `export const asker = { name: "mine", decide: (view, dialogue, { turn, maxTurn }, { seed }) =>
    dialogue.length === 0 ? { type: "clarification", output: "What do you mean by length? " + [view.database_id, turn, maxTurn, seed] } : { type: "done", output: null } };`;

  it("as a module decides, and its name and hash stand in the settings", async () => {
    const path = module(source);
    const episode = await run({ asker: path });
    expect(episode).toMatchObject({ asker: "own:mine", stop: "asker", verdict: "match" });
    expect(episode.turns).toMatchObject([
      { question: "What do you mean by length? harbour,1,4,5", credits: ["about-length"] },
    ]);
    const { settings, waits } = await openParties({ ...NAMES, asker: path });
    expect(settings).toMatchObject({
      asker: "own:mine",
      parts: { asker: { address: path, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
    expect(waits).toBe(true);
  });

  it("may be wrapped by spec-randomized, and may be a bare function", async () => {
    const path = module("export default () => ({ kind: 'stop' });");
    expect((await openParties({ ...NAMES, asker: `spec-randomized:${path}` })).asker).toMatchObject({
      readsDonor: true,
    });
    expect(await run({ asker: path })).toMatchObject({ stop: "asker", turns: [] });
  });

  it("behind an address is sent a view, the words, its budget and the seed, and nothing private", async () => {
    const { url, seen } = await address(asks);
    expect(await run({ asker: url })).toMatchObject({ stop: "asker", verdict: "match" });
    expect(seen).toHaveLength(2);
    expect(Object.keys(seen[1]!).sort()).toEqual(["budget", "call", "dialogue", "seed", "view"]);
    expect(seen[1]).toMatchObject({
      call: "decide",
      budget: { turn: 2, max_turn: 4 },
      seed: 5,
      dialogue: [
        { question: "What do you mean by length?", response: "By length I mean the overall length." },
      ],
      view: { request: "Show the name and length of every boat.", engine: "sqlite", database_id: "harbour" },
    });
    expect(JSON.stringify(seen)).not.toMatch(/about-length|boats\.length#1|overall_length FROM/);
  });

  it("that replies with nonsense ends the asking as a fallback stop", async () => {
    const { url } = await address(() => ({ body: { type: "maybe" } }));
    expect(await run({ asker: url })).toMatchObject({
      stop: "fallback",
      fallback_stop: true,
      unread_reply: '"type" must be "clarification" or "done", not "maybe"',
    });
  });

  it("whose server fails now and then is asked again; for good, it is the server's fault", async () => {
    const flaky = await address((body, times) =>
      times % 2 === 1 ? { status: 503, body: "busy", headers: { "retry-after": "0" } } : asks(body),
    );
    expect(await run({ asker: flaky.url })).toMatchObject({ stop: "asker", verdict: "match" });
    const dead = await address(() => ({ status: 500, body: "dead", headers: { "retry-after": "0" } }));
    expect(await run({ asker: dead.url })).toMatchObject({ verdict: "model_error", stop: "cut_short" });
    expect(dead.seen).toHaveLength(5);
  });

  it("that refuses the call, or throws, stops the run with a message", async () => {
    const { url } = await address(() => ({ status: 422, body: "no such field" }));
    await expect(run({ asker: url })).rejects.toThrow(/refuses the call: HTTP 422: no such field/);
    const broken = run({ asker: module("export const asker = { decide() { throw new Error('oops'); } };") });
    await expect(broken).rejects.toThrow(ModelError);
    await expect(broken).rejects.toThrow(/failed: oops/);
  });

  it("that is not there, or exports no asker, is a person's mistake", async () => {
    await expect(openParties({ ...NAMES, asker: "./nowhere.mjs" })).rejects.toThrow(UserError);
    await expect(openParties({ ...NAMES, asker: module("export const x = 1;") })).rejects.toThrow(
      /exports no asker/,
    );
    await expect(openParties({ ...NAMES, asker: module("syntax error") })).rejects.toThrow(
      /cannot be loaded/,
    );
  });
});

describe("an own solver", () => {
  it.each([
    ["SQL", { type: "final_sql", output: REFERENCE }, { verdict: "match", sql: REFERENCE }],
    ["nothing", { type: "final_sql", output: null }, { verdict: "no_answer", sql: null }],
    ["an overflow", { type: "context_overflow" }, { verdict: "context_overflow" }],
    ["nonsense", { output: 5 }, { verdict: "no_answer" }],
  ])("behind an address gives %s", async (_, body, expected) => {
    const { url, seen } = await address(() => ({ body }));
    expect(await run({ asker: "full", solver: url })).toMatchObject(expected);
    expect(seen[0]).toMatchObject({
      call: "solve",
      seed: 5,
      clarifications: [{ response: "By length I mean the overall length." }],
    });
  });

  it("as a module may speak the library's own interface", async () => {
    const path = module(
      `export const solver = { solve: () => ({ outcome: "sql", sql: ${JSON.stringify(REFERENCE)} }) };`,
    );
    expect(await run({ solver: path })).toMatchObject({ verdict: "match" });
  });
});

describe("an own matcher and responder", () => {
  it("stand in the oracle's place, each for itself, and see the oracle's view", async () => {
    const matcher = await address(() => ({ body: { credits: ["about-length"], why: "always" } }));
    const responder = await address(() => ({ body: { output: "The overall one." } }));
    const episode = await run({ asker: "none-adversarial", matcher: matcher.url, responder: responder.url });
    expect(episode.turns[0]).toMatchObject({
      response: "The overall one.",
      live_credits: ["about-length"],
      action: { kind: "labeled", term: "length" },
      why: "always",
    });
    expect(matcher.seen[0]).toMatchObject({ call: "match", view: { ambiguities: [{ term: "length" }] } });
    expect(responder.seen[0]).toMatchObject({ call: "respond", credits: ["about-length"] });
    expect(JSON.stringify([matcher.seen, responder.seen])).not.toMatch(
      /overall_length FROM|ambiqt\/validation/,
    );
    const alone = await run({ asker: "full", responder: responder.url });
    expect(alone.turns).toMatchObject([{ response: "The overall one.", credits: ["about-length"] }]);
  });

  it("that credit what is not there stop the run", async () => {
    const { url } = await address(() => ({ body: { credits: ["nothing"] } }));
    await expect(run({ asker: "full", matcher: url })).rejects.toThrow(/credits" names "nothing"/);
  });
});

describe("the conformance check", () => {
  const failed = (checks: readonly PartCheck[]): string[] =>
    checks.filter(({ ok }) => !ok).map(({ note }) => note);

  it("passes parts that reply as expected, call by call", async () => {
    const good = await address((body) =>
      body.call === "decide"
        ? asks(body)
        : { body: { type: "final_sql", output: "SELECT 1", credits: ["a1"] } },
    );
    for (const kind of ["asker", "solver", "matcher", "responder"] as const) {
      const checks = await checkPart(kind, good.url);
      expect(failed(checks), kind).toEqual([]);
      expect(checks.length).toBeGreaterThanOrEqual(2);
    }
  });

  it("passes the README's example, a process of its own that says its twenty lines' worth", async () => {
    const port = 20_000 + (process.pid % 20_000);
    const example = fileURLToPath(new URL("./example-asker.mjs", import.meta.url));
    const child = spawn(process.execPath, [example, String(port)], { stdio: ["ignore", "pipe", "inherit"] });
    try {
      await once(child.stdout, "data");
      expect(failed(await checkPart("asker", `http://127.0.0.1:${port}`))).toEqual([]);
      const episode = await run({ asker: `http://127.0.0.1:${port}` });
      expect(episode.turns).toMatchObject([{ question: 'Do you mean "hull_length"?' }]);
    } finally {
      child.kill();
    }
  });

  it("says what is wrong with those that do not", async () => {
    const bad = await address(() => ({ body: "<html>" }));
    expect(
      failed(await checkPart("solver", (await address(() => ({ status: 404, body: "gone" }))).url))[0],
    ).toMatch(/HTTP 404/);
    expect(failed(await checkPart("asker", module("export default () => 'yes';")))[0]).toMatch(
      /must be an object/,
    );
    const impatient = failed(await checkPart("responder", module("export default () => ({ output: '' });")));
    expect(impatient[0]).toMatch(/must hold the answer/);
    expect(bad.seen).toEqual([]);
  });
});
