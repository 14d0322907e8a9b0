/** Hidden answers with the real commands: a holder answers, an asker on public files is killed and goes on, the holder scores. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AnswerService } from "../../schemas/types/answer-service.js";
import type { Prediction } from "../../schemas/types/prediction.js";
import type { RunSettings } from "../../schemas/types/run.js";
import { ownSolver } from "../evaluation/answers/holder.js";
import { buildSample, recordsOf, temporaryFolder, writeSample } from "../release/sample.js";
import { ambitab, type Running, start } from "./command.js";

let out = "";
let whole = "";
let publicOnly = "";
let token = "";
let holder: Running;
let served: AnswerService & { address: string; log: string };
let agents: string[] = [];
let gate = "";

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

/** An asker that, after some decisions, waits until a file is there. */
function waitingAsker(): string {
  const path = join(out, "asker.mjs");
  writeFileSync(
    path,
    `import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
let decided = 0;
export default async ({ request }, dialogue) => {
  decided += 1;
  while (decided > 20 && !existsSync(${JSON.stringify(gate)})) await sleep(20);
  if (dialogue.length > 0) return { kind: "stop" };
  return { kind: "question", text: "I do not understand this: " + request };
};\n`,
  );
  return path;
}

beforeAll(async () => {
  out = temporaryFolder();
  const records = await recordsOf(await buildSample(out));
  whole = (await writeSample(out, "1.0.0")).folder;
  publicOnly = (await writeSample(out, "1.0.1", { publicOnly: true })).folder;
  token = join(out, "token");
  writeFileSync(token, `${randomBytes(16).toString("hex")}\n`);
  gate = join(out, "go");
  agents = ["--asker", waitingAsker(), "--solver", ownSolver(out, records), "--limit", "20", "--quiet"];
  holder = start([
    ...["answer", whole, "--allow-full", "--port", "0", "--token-file", token],
    ...["--log", join(out, "answers.sqlite"), "--out", out, "--json"],
  ]);
  let said = "";
  holder.process.stdout?.on("data", (text: string) => {
    said += text;
  });
  await Promise.race([until(() => said.includes("\n")), holder.ended]);
  served = JSON.parse(said) as typeof served;
}, 120_000);
afterAll(() => holder.process.kill("SIGKILL"));

const good = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await ambitab(words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
};
const linesIn = (folder: string): Prediction[] => {
  const path = join(folder, "predictions.jsonl");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Prediction);
};

it("a killed run on public files goes on, and scores as an evaluation of the whole does, to the byte", async () => {
  const predictions = join(out, "predictions", "mine");
  const asking = ["--oracle", served.address, "--oracle-token-file", token, "--run", predictions];
  const killed = start(["predict", publicOnly, ...agents, ...asking]);
  await Promise.race([until(() => linesIn(predictions).length >= 10), killed.ended]);
  killed.process.kill("SIGKILL");
  expect((await killed.ended).signal).toBe("SIGKILL");
  const before = linesIn(predictions).length;
  const settings = JSON.parse(readFileSync(join(predictions, "run.json"), "utf8")) as RunSettings;
  writeFileSync(gate, "");
  await good("predict", publicOnly, ...agents, ...asking, "--resume");
  const lines = linesIn(predictions);
  expect(lines.length).toBe(3 * 20);
  expect(lines.length).toBeGreaterThan(before);
  expect(JSON.parse(readFileSync(join(predictions, "run.json"), "utf8"))).toEqual(settings);
  const scored = join(out, "scored", "mine");
  await good("score", predictions, "--release", whole, "--answers", served.log, "--run", scored, "--quiet");
  const evaluated = join(out, "evaluated", "mine");
  await good("eval", whole, ...agents, "--run", evaluated);
  const summary = readFileSync(join(scored, "summary.json"), "utf8");
  expect(summary).toBe(readFileSync(join(evaluated, "summary.json"), "utf8"));
  expect(summary).toMatch(/"mean": 1\b/);
}, 120_000);

it("what cannot be is said before anything is asked", async () => {
  const refused = async (words: string[], why: RegExp): Promise<void> => {
    const { code, stderr } = await ambitab(words);
    expect(code).toBe(2);
    expect(stderr).toMatch(why);
  };
  const asking = ["--oracle", served.address, "--out", out];
  const { port } = new URL(served.address);
  await Promise.all([
    refused(["predict", publicOnly, ...agents, ...asking], /refuses: HTTP 401.*\n.*--oracle-token-file/),
    refused(["eval", whole, ...agents, ...asking], /answers for ambitab predict alone/),
    refused(["answer", publicOnly, "--port", "0", "--out", out], /1\.0\.1 does not hold the oracle zone/),
    refused(["answer", whole, "--host", "0.0.0.0", "--out", out], /without a token anybody/),
    refused(["answer", whole, "--port", port, "--out", out], /another program listens there/),
    refused(["answer", whole, "--log", served.log, "--out", out], /the log .* is being written by another/),
  ]);
});

it("the holder stops when told, and says what it has answered", async () => {
  holder.process.kill("SIGINT");
  const { code, stderr } = await holder.ended;
  expect(code).toBe(0);
  expect(stderr).toMatch(/\d+ questions answered; the log .* holds those of 1 run\n$/);
});
