/** The real command with a model in the oracle's place: an HTTP server that plays a good user, and one that tells the SQL. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { RunSettings } from "../../schemas/types/run.js";
import type { RunSummary } from "../../schemas/types/summary.js";
import { type ModelServer, type SeenRequest, startModelServer } from "../model/model-server.mjs";
import { buildSample, releaseSample, temporaryFolder } from "../release/sample.js";
import { ambitabHere, start } from "./command.js";

let out = "";
let release = "";
let good: ModelServer;
let telling: ModelServer;

const section = (prompt: string, title: string): string =>
  new RegExp(`## ${title}[^\\n]*\\n([\\s\\S]*?)(?=\\n\\n## |$)`).exec(prompt)?.[1] ?? "";
interface Point {
  term: string;
  as_a_person_says_it?: string;
}
const points = (prompt: string): Point[] =>
  (section(prompt, "Listed points") || section(prompt, "Points of the request"))
    .split("\n")
    .map((line) => JSON.parse(line) as Point);

/** Labels the longest listed term that the question holds, and says what was decided for the labelled point. */
function goodUser({ prompt }: SeenRequest): string {
  const question = section(prompt, "The assistant's question");
  if (!prompt.includes("## Chosen action")) {
    const named = points(prompt)
      .filter(({ term }) => question.includes(` by ${term}?`))
      .toSorted((a, b) => b.term.length - a.term.length)[0];
    const action = named === undefined ? "unanswerable()" : `labeled(${JSON.stringify(named.term)})`;
    return JSON.stringify({ action, cot: "as asked" });
  }
  const action = section(prompt, "Chosen action");
  const point = points(prompt).find(({ term }) => action === `labeled(${JSON.stringify(term)})`);
  return JSON.stringify({ type: action, output: point?.as_a_person_says_it ?? "I cannot say." });
}
/** The same, but its answers are the reference SQL where it is shown. */
function tellingUser(request: SeenRequest): string {
  if (!request.prompt.includes("## Chosen action")) return goodUser(request);
  return JSON.stringify({ type: "x", output: `Here: ${section(request.prompt, "The right SQL")};` });
}

beforeAll(async () => {
  out = temporaryFolder();
  await buildSample(out);
  release = await releaseSample(out);
  good = await startModelServer({ rules: [{ role: "oracle", answer: goodUser }] });
  telling = await startModelServer({ rules: [{ role: "oracle", answer: tellingUser }] });
});
afterAll(() => Promise.all([good.close(), telling.close()]));

/** A configuration file for a server, in a folder of its own. */
function modelsFile(url: string): string {
  const path = join(temporaryFolder(), "models.json");
  writeFileSync(path, JSON.stringify({ endpoints: { local: { base_url: url, backoff_ms: 1 } } }));
  return path;
}

const words = (models: string, run: string, ...more: string[]): string[] => [
  ...["eval", release, "--asker", "full", "--oracle", "llm", "--solver", "reference-when-resolved"],
  ...["--models", models, "--out", out, "--run", run, "--quiet", "--json", ...more],
];
const settingsOf = (run: string): RunSettings => JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
const episodesOf = (run: string): EpisodeRecord[] =>
  readFileSync(join(run, "episodes.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as EpisodeRecord);

describe("eval with a model as the oracle", () => {
  it("comes to all metrics 1 with a good user, says what it ran, asks nothing twice, and replays without a server", async () => {
    const models = modelsFile(good.url);
    const run = join(temporaryFolder(), "run");
    const first = await ambitabHere(words(models, run));
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const summary = JSON.parse(first.stdout) as RunSummary;
    for (const metric of ["sr", "precision", "recall", "f1"] as const)
      expect(summary.datasets.ambiqt!.full[metric].mean).toBe(1);
    expect(summary.datasets.ambiqt!.oracle_fallbacks).toBe(0);
    const settings = settingsOf(run);
    expect(settings).toMatchObject({ oracle: "llm", oracle_sql: { ambiqt: "hidden" } });
    expect(settings.models?.oracle).toMatchObject({ model: "Qwen/Qwen3-14B", temperature: 0.7, top_k: 20 });

    const sent = good.requests.length;
    // The full asker's questions: a call to route and a call to answer each.
    const asked = episodesOf(run).flatMap(({ turns }) =>
      turns.flatMap(({ oracle_calls = [] }) => oracle_calls),
    );
    expect(new Set(asked).size).toBe(sent);
    const again = join(temporaryFolder(), "run");
    expect((await ambitabHere(words(models, again))).code).toBe(0);
    expect(good.requests.length).toBe(sent);
    const replayed = join(temporaryFolder(), "run");
    const nobody = modelsFile("http://127.0.0.1:9/v1");
    expect(await ambitabHere(words(nobody, replayed, "--replay-only"))).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(readFileSync(join(replayed, "summary.json"), "utf8")).toBe(
      readFileSync(join(run, "summary.json"), "utf8"),
    );
    expect((await ambitabHere(["audit", release, "--run", run, "--quiet"])).code).toBe(0);
  });

  it("goes on after a kill without repeating an episode or a stored call", async () => {
    const slow = await startModelServer({ rules: [{ role: "oracle", answer: goodUser }], delayMs: 5 });
    try {
      const store = temporaryFolder();
      const run = join(store, "run");
      const own = ["--out", store, "--seeds", "3,4"];
      const models = modelsFile(slow.url);
      const running = start(words(models, run, ...own));
      while (slow.requests.length < 40) await new Promise((resolve) => setTimeout(resolve, 5));
      running.process.kill("SIGKILL");
      await running.ended;
      const atKill = slow.requests.length;
      const resumed = await ambitabHere(words(models, run, ...own, "--resume"));
      expect(resumed).toMatchObject({ code: 0, stderr: "" });
      const ids = episodesOf(run).map(({ episode_id }) => episode_id);
      expect(new Set(ids).size).toBe(ids.length);
      const calls = new Set(
        episodesOf(run).flatMap(({ turns }) => turns.flatMap(({ oracle_calls = [] }) => oracle_calls)),
      );
      // No more is asked twice than was under way when the process was killed.
      expect(slow.requests.length).toBeLessThanOrEqual(calls.size + slow.mostAtOnce);
      expect(slow.requests.length).toBeGreaterThan(atKill);
    } finally {
      await slow.close();
    }
  });

  it("says at Ctrl-C how to go on with the same oracle", async () => {
    const slow = await startModelServer({ rules: [{ role: "oracle", answer: goodUser }], delayMs: 20 });
    try {
      const store = temporaryFolder();
      const models = modelsFile(slow.url);
      const running = start(words(models, join(store, "run"), "--out", store, "--oracle-sql", "shown"));
      while (slow.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      running.process.kill("SIGINT");
      const { code, stderr } = await running.ended;
      expect(code).toBe(130);
      const again = stderr.split("\n").find((line) => line.includes("ambitab eval"));
      for (const part of ["--oracle llm", "--oracle-sql shown", "--models", "--resume"])
        expect(again).toContain(part);
    } finally {
      await slow.close();
    }
  });

  it("shows a user that tells the SQL: in SR, and in the audit as what the oracle said", async () => {
    const run = join(temporaryFolder(), "run");
    const own = ["--out", temporaryFolder(), "--oracle-sql", "shown", "--solver", "copies-leaked-sql"];
    const told = await ambitabHere(words(modelsFile(telling.url), run, ...own));
    expect(told).toMatchObject({ code: 0, stderr: "" });
    const { full, none } = (JSON.parse(told.stdout) as RunSummary).datasets.ambiqt!;
    expect(full.sr.mean).toBe(1);
    expect(none.sr.mean).toBeLessThan(1);
    expect(settingsOf(run).oracle_sql).toEqual({ ambiqt: "shown" });
    const audit = await ambitabHere([
      "audit",
      release,
      ...["--run", run, "--quiet", "--json", "--out", join(run, "nothing-here")],
    ]);
    expect(audit.code).toBe(0);
    const { findings } = JSON.parse(audit.stdout) as { findings: { code: string; severity: string }[] };
    expect(new Set(findings.map(({ code, severity }) => `${severity} ${code}`))).toEqual(
      new Set(["warning oracle_told", "info source_absent"]),
    );
  });

  it.each([
    [["--oracle", "llm"], "asks models (oracle), and none is configured"],
    [
      ["--oracle", "deterministic", "--oracle-sql", "shown"],
      "--oracle-sql is for the responder of the llm oracle",
    ],
    [["--oracle", "llm", "--oracle-sql", "some"], "shown, hidden"],
  ])("refuses what it cannot run: %j", async (given, message) => {
    const base = ["eval", release, "--asker", "full", "--solver", "reference-when-resolved", "--out", out];
    const { code, stderr } = await ambitabHere([...base, ...given]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
