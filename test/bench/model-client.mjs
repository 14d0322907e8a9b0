// Measures the model client against a bare loop on the openai package: the same server, 64 slots, 200 ms a call, one run.
//   node scripts/build.mjs && node test/bench/model-client.mjs [calls]
// Budgets: at least 0.97 of the bare loop's rate, at most 1.4 times its CPU. Server, loop and client are processes of their
// own; loop and client take turns, and each one's best turn counts, so that a busy machine disturbs them alike.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { configureModels, openModelClient } from "../../dist/pipelines/model/index.js";

const SLOTS = 64;
const DELAY_MS = 200;
const RATE = 0.97;
const CPU = 1.4;
const TURNS = 3;
const WARM_UP = 2 * SLOTS;
/** About as long as a prompt with a schema in it. */
const CONTEXT = "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, total REAL);\n".repeat(60);

const prompt = (n) => `${CONTEXT}Question ${n}`;

/** Asks `total` questions from `SLOTS` loops; `ask` gives the text of an answer. */
async function inSlots(from, total, ask) {
  let next = from;
  const slot = async () => {
    for (let n = next++; n < from + total; n = next++) {
      const text = await ask(prompt(n));
      if (text !== `echo: ${prompt(n)}`) throw new Error(`question ${n} has a wrong answer`);
    }
  };
  await Promise.all(Array.from({ length: SLOTS }, slot));
}

async function bare(url) {
  const { OpenAI } = await import("openai");
  const openai = new OpenAI({ baseURL: url, apiKey: "none" });
  return {
    ask: async (content) => {
      const messages = [{ role: "user", content }];
      const body = { model: "test-model", messages, temperature: 0.7, top_p: 0.8 };
      return (await openai.chat.completions.create(body)).choices[0].message.content;
    },
    close: () => undefined,
  };
}

async function ours(url, out) {
  const endpoints = { local: { base_url: url, concurrency: SLOTS } };
  const client = await openModelClient({ models: configureModels({ endpoints }), out });
  return {
    ask: async (content) => {
      const messages = [{ role: "user", content }];
      return (await client.ask({ role: "solver", template: "bench@1", messages })).text;
    },
    close: () => client.close(),
  };
}

async function measure(what, url, calls, out) {
  const { ask, close } = await (what === "bare" ? bare(url) : ours(url, out));
  await inSlots(0, WARM_UP, ask);
  const cpu = process.cpuUsage();
  const started = performance.now();
  await inSlots(WARM_UP, Number(calls), ask);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  process.stdout.write(JSON.stringify({ rate: calls / seconds, cpu: (user + system) / 1000 / calls }));
  await close();
}

function inProcess(...words) {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), "--measure", ...words], {
    encoding: "utf8",
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout);
}

async function main([calls = String(20 * SLOTS)]) {
  const script = fileURLToPath(new URL("../model/model-server.mjs", import.meta.url));
  const work = mkdtempSync(join(tmpdir(), "ambitab-bench-"));
  const server = spawn(process.execPath, [script, JSON.stringify({ delayMs: DELAY_MS })], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [line] = await new Promise((resolve) => server.stdout.once("data", (data) => resolve([String(data)])));
    const { url } = JSON.parse(line);
    const best = {
      bare: { rate: 0, cpu: Number.POSITIVE_INFINITY },
      ours: { rate: 0, cpu: Number.POSITIVE_INFINITY },
    };
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const what of ["bare", "ours"]) {
        const { rate, cpu } = inProcess(what, url, calls, join(work, String(turn)));
        best[what] = { rate: Math.max(best[what].rate, rate), cpu: Math.min(best[what].cpu, cpu) };
        console.log(`${what}: ${rate.toFixed(1)} calls a second, ${cpu.toFixed(2)} ms of CPU a call`);
      }
    }
    const rate = best.ours.rate / best.bare.rate;
    const cpu = best.ours.cpu / best.bare.cpu;
    console.log(
      `${SLOTS} slots, ${DELAY_MS} ms a call, ${calls} calls: rate ${rate.toFixed(3)} of the bare loop's (budget ${RATE}), CPU ${cpu.toFixed(2)} times (budget ${CPU})`,
    );
    if (rate < RATE || cpu > CPU) process.exitCode = 1;
  } finally {
    server.stdin.end();
    rmSync(work, { recursive: true, force: true });
  }
}

const [first, ...rest] = process.argv.slice(2);
if (first === "--measure") await measure(...rest);
else await main(first === undefined ? [] : [first]);
