// Measures ask-then-solve episodes on models that answer at once: the client, the store, prompts, oracle, SQL and log.
//   node scripts/build.mjs && node test/bench/model-episodes.mjs [release or build folder]
// Without a folder it builds the real AmbiQT where its data is (AMBITAB_DATA or ../shared/data), else the sample. A run
// asks one question with checklist-ledger and then stops: five calls for the three episodes of a record and seed. The
// server is a process of its own that answers in no time; half before and half after each run a bare loop on the openai
// package sends it as many prompts of the same size, at the same concurrency, so that what else the machine does hits both.
// Budgets: at least 0.6 of the bare loop's calls a second; peak memory under 700 MB at 50,000 episodes; a reader of
// episodes.jsonl sees whole lines at any time.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { OpenAI } from "openai";
import { compiledModule, PACKAGE_ROOT } from "../../dist/pipelines/package-root.js";
import { openSuite } from "../../dist/pipelines/record/suite.js";
import { runEvaluation } from "../../dist/scripts/eval.js";

const RATIO = 0.6;
const MEMORY_MB = 700;
const SLOTS = 64;
const CALLS_PER_EPISODE = 5 / 3;
const SIZES = [1_000, 10_000, 50_000];
const SELF = fileURLToPath(import.meta.url);

const ASK = JSON.stringify({ type: "clarification", output: "Could you say what exactly is meant?" });
const DONE = JSON.stringify({ type: "done", output: null });
const reply = (body) => {
  if (body.includes("final_sql")) {
    const table = /table \\"([^"\\]+)\\"/.exec(body)?.[1] ?? "t";
    return JSON.stringify({ reasoning: "…", type: "final_sql", output: `SELECT count(*) FROM "${table}"` });
  }
  return body.includes("Turn 1 of") ? ASK : DONE;
};

/** Answers every prompt at once, and keeps nothing. */
function serve() {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const content = reply(Buffer.concat(chunks).toString("utf8"));
      const text = JSON.stringify({
        id: "x",
        object: "chat.completion",
        created: 0,
        model: "bench",
        choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
        usage: { prompt_tokens: 1000, completion_tokens: 20 },
      });
      response.writeHead(200, { "content-type": "application/json" }).end(text);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}/v1\n`));
  process.stdin.resume().on("end", () => process.exit(0));
}

function startServer() {
  const child = spawn(process.execPath, [SELF, "--serve"], { stdio: ["pipe", "pipe", "inherit"] });
  return new Promise((ready) =>
    child.stdout.once("data", (line) => ready({ url: line.toString().trim(), stop: () => child.stdin.end() })),
  );
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** One run in a process of its own, so that its processor time and its peak memory are its own. */
async function measureRun([path, models, out, limit, seeds]) {
  const started = performance.now();
  const { summary, folder } = await runEvaluation(path, {
    out,
    run: join(out, "run"),
    models,
    quiet: true,
    json: false,
    asker: "checklist-ledger",
    oracle: "deterministic",
    solver: "model",
    seeds: Array.from({ length: Number(seeds) }, (_, seed) => seed),
    limit: Number(limit),
    resume: false,
    jobs: 2,
  });
  const seconds = (performance.now() - started) / 1000;
  const episodes = Object.values(summary.datasets).reduce((sum, one) => sum + one.episodes, 0);
  const calls = Object.values(summary.usage).reduce((sum, one) => sum + one.calls, 0);
  const lines = readFileSync(join(folder, "prompts.jsonl"), "utf8").split("\n", 1);
  const mb = process.resourceUsage().maxRSS / 1000;
  process.stdout.write(JSON.stringify({ episodes, calls, seconds, cpu: cpuSeconds(), mb, prompt: JSON.parse(lines[0]).text }));
}

/** The bare loop: as many calls, with a prompt of that size and nothing else. */
async function measureLoop([url, file, calls]) {
  const prompt = readFileSync(file, "utf8");
  const client = new OpenAI({ baseURL: url, apiKey: "none", maxRetries: 0 });
  const started = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < Number(calls)) {
      next += 1;
      const messages = [
        { role: "system", content: prompt },
        { role: "user", content: `Turn 2 of 4: ${next}` },
      ];
      const { choices } = await client.chat.completions.create({ model: "bench", messages, temperature: 0.7, seed: 0 });
      if (typeof choices[0].message.content !== "string") throw new Error("no answer");
    }
  };
  await Promise.all(Array.from({ length: SLOTS }, worker));
  process.stdout.write(JSON.stringify({ seconds: (performance.now() - started) / 1000, cpu: cpuSeconds() }));
}

/** A process that measures; meanwhile `watch` is called now and then. */
function inProcess(args, watch) {
  const child = spawn(process.execPath, [SELF, ...args.map(String)], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk) => (text += chunk));
  const timer = watch === undefined ? undefined : setInterval(watch, 500);
  return new Promise((resolve, reject) =>
    child.once("close", (code) => {
      clearInterval(timer);
      if (code === 0) resolve(JSON.parse(text));
      else reject(new Error(`${args[0]} ended with ${code}`));
    }),
  );
}

function buildFolder(work) {
  const real = join(process.env.AMBITAB_DATA ?? join(PACKAGE_ROOT, "..", "shared", "data"), "ambiqt");
  const from = existsSync(real) ? real : join(PACKAGE_ROOT, "sources", "ambiqt", "sample");
  const words = ["build", "ambiqt", "--from", `ambiqt=${from}`, "--out", work, "--quiet"];
  const child = spawnSync(process.execPath, [compiledModule("scripts/ambitab"), ...words], { encoding: "utf8" });
  if (child.status !== 0) throw new Error(child.stderr);
  return join(work, "build");
}

/** Whole lines of a log that is being written; throws where one does not parse. */
function readWhileWritten(path) {
  if (!existsSync(path)) return 0;
  const lines = readFileSync(path, "utf8").split("\n");
  // What follows the last line feed is under way.
  for (const line of lines.slice(0, -1).slice(-50)) JSON.parse(line);
  return lines.length - 1;
}

async function main([given]) {
  const work = mkdtempSync(join(tmpdir(), "ambitab-bench-"));
  const server = await startServer();
  try {
    const path = given ?? buildFolder(work);
    let records = 0;
    for await (const _ of openSuite(path).datasets[0].records()) records += 1;
    const models = join(work, "models.json");
    writeFileSync(models, JSON.stringify({ endpoints: { bench: { base_url: server.url, concurrency: SLOTS } } }));
    const results = [];
    const prompt = join(work, "prompt.txt");
    writeFileSync(prompt, (await inProcess(["--run", path, models, join(work, "first"), 5, 1])).prompt);
    for (const wanted of SIZES) {
      const limit = Math.min(records, Math.ceil(wanted / 3));
      const seeds = Math.ceil(wanted / 3 / limit);
      const out = join(work, String(wanted));
      let seen = 0;
      const watch = () => {
        seen = Math.max(seen, readWhileWritten(join(out, "run", "episodes.jsonl")));
      };
      const half = Math.round((limit * seeds * 3 * CALLS_PER_EPISODE) / 2);
      const before = await inProcess(["--loop", server.url, prompt, half]);
      const run = await inProcess(["--run", path, models, out, limit, seeds], wanted > 10_000 ? undefined : watch);
      const after = await inProcess(["--loop", server.url, prompt, run.calls - half]);
      const bare = { seconds: before.seconds + after.seconds, cpu: before.cpu + after.cpu };
      const ratio = run.calls / run.seconds / (run.calls / bare.seconds);
      const cpu = (1000 * run.cpu) / run.episodes;
      console.log(
        `${run.episodes} episodes (${limit} records, ${seeds} seeds), ${run.calls} calls: ${Math.round(run.episodes / run.seconds)} episodes and ` +
          `${Math.round(run.calls / run.seconds)} calls a second against ${Math.round(run.calls / bare.seconds)} of the bare loop (ratio ${ratio.toFixed(2)}); ` +
          `${cpu.toFixed(2)} ms of processor an episode (${((1000 * run.cpu) / run.calls).toFixed(2)} a call, bare ${((1000 * bare.cpu) / run.calls).toFixed(2)}); ` +
          `peak memory ${run.mb.toFixed(0)} MB${seen > 0 ? `; ${seen} lines read while they were written` : ""}`,
      );
      if (Math.abs(run.calls / run.episodes - CALLS_PER_EPISODE) > 0.01) throw new Error("not five calls for three episodes");
      results.push({ ratio, mb: run.mb });
      rmSync(out, { recursive: true, force: true });
    }
    const worst = Math.min(...results.map(({ ratio }) => ratio));
    const most = Math.max(...results.map(({ mb }) => mb));
    console.log(`lowest ratio ${worst.toFixed(2)} (budget ${RATIO}); most memory ${most.toFixed(0)} MB (budget ${MEMORY_MB})`);
    if (worst < RATIO || most > MEMORY_MB) process.exitCode = 1;
  } finally {
    server.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

const [first, ...rest] = process.argv.slice(2);
if (first === "--serve") serve();
else if (first === "--run") await measureRun(rest);
else if (first === "--loop") await measureLoop(rest);
else await main(first === undefined ? [] : [first]);
