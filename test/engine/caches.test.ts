/** Emptying caches: what goes, what stays, and that nothing goes that a running command uses. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CACHE_NAMES, cachesOf, emptyCaches, FREE_CACHES } from "../../pipelines/engine/caches.js";
import { FileStore } from "../../pipelines/engine/files.js";
import { StageStore } from "../../pipelines/engine/store.js";
import { ResponseStore } from "../../pipelines/model/response-store.js";
import { compiledModule } from "../../pipelines/package-root.js";
import type { ModelResponse } from "../../schemas/types/model-response.js";
import { cleanCaches } from "../../scripts/terminal/caches.js";
import { ambitab } from "../release/sample.js";

const DATASETS = ["toy", "other"];

let home = "";
let out = "";
const children: ChildProcess[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ambitab it\'s "caches" '));
  out = join(home, "out");
});
afterEach(async () => {
  for (const child of children.splice(0)) await end(child);
  rmSync(home, { recursive: true, force: true });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

function file(path: string, content = "x".repeat(1000)): string {
  const whole = join(out, path);
  mkdirSync(join(whole, ".."), { recursive: true });
  writeFileSync(whole, content);
  return whole;
}

const answer = (key: string): ModelResponse => ({
  key: key.repeat(64),
  role: "probe",
  template: "t@1",
  model: "m",
  sample: 0,
  seed: null,
  outcome: "answered",
  text: "SELECT 1",
  finish_reason: "stop",
  served_model: null,
  usage: { prompt_tokens: 700, completion_tokens: 30 },
  latency_ms: 1,
  context_tokens: null,
});

const OLD = new Date("2020-01-01");

/** An output folder with something in every cache, and things beside them that are not ours to touch. */
async function fill(): Promise<{ ours: string[]; others: string[] }> {
  const stages = new StageStore(join(out, "cache", "stages.sqlite"));
  stages.put("key", "stage", { outcome: { kept: [] }, files: [] });
  stages.close();
  const files = new FileStore(join(out, "cache", "files"));
  const scratch = files.scratch();
  writeFileSync(scratch, "a database");
  const stored = files.path(await files.adopt(scratch));
  const store = new ResponseStore(join(out, "cache", "model-responses.sqlite"));
  await Promise.all(["a", "b"].map((key) => store.put(answer(key))));
  store.close();
  const part = file("sources/bird/dev.zip.part");
  for (const path of [part, file("sources/bird/dev.zip.part.json")]) utimesSync(path, OLD, OLD);
  const ours = [
    stored,
    part,
    file("cache/source-hashes.json", "{}"),
    file("build/.toy.partial/records.jsonl"),
    file("releases/.1.0.0.partial/README.md"),
  ];
  const elsewhere = join(home, "elsewhere.txt");
  writeFileSync(elsewhere, "somebody's");
  symlinkSync(elsewhere, join(out, "cache", "files", "link"));
  const others = [
    elsewhere,
    file("cache/notes.txt"),
    file("cache/files/notes.txt"),
    file("cache/files/ab/notes.txt"),
    file("build/toy/records.jsonl"),
    file("build/.mine.partial/notes.txt"),
    file("releases/1.0.0/README.md"),
    file("releases/.notes.partial"),
    file("runs/a/episodes.jsonl"),
    file("sources/bird/dev.zip"),
  ];
  return { ours, others };
}

/** Starts a process that runs a script with our modules at hand, and waits until it says that it is there. */
async function running(script: string): Promise<ChildProcess> {
  const at = (name: string): string => JSON.stringify(pathToFileURL(compiledModule(name)).href);
  const source = `
    const { holdExclusively } = await import(${at("pipelines/engine/exclusive")});
    const { StageStore } = await import(${at("pipelines/engine/store")});
    const { ResponseStore } = await import(${at("pipelines/model/response-store")});
    const out = ${JSON.stringify(out)};
    ${script}
    console.log("ready");
    setInterval(() => undefined, 1e9);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await once(child.stdout!, "data");
  return child;
}

const answersIn = (): number =>
  cachesOf(out, DATASETS).find(({ name }) => name === "responses")?.answers?.answers ?? 0;
const bytesOf = (): Record<string, number> =>
  Object.fromEntries(cachesOf(out, DATASETS).map(({ name, bytes }) => [name, bytes]));

describe("the caches of an output folder", () => {
  it("are told with their sizes, and model answers with what they took", async () => {
    expect(Object.values(bytesOf())).toEqual(CACHE_NAMES.map(() => 0));
    await fill();
    for (const [name, bytes] of Object.entries(bytesOf())) expect(bytes, name).toBeGreaterThan(1);
    expect(cachesOf(out, DATASETS).find(({ name }) => name === "responses")?.answers).toEqual({
      answers: 2,
      prompt_tokens: 1400,
      completion_tokens: 60,
    });
    expect(bytesOf()).toMatchObject({ downloads: 2000, leftovers: 2000, hashes: 2, files: 10 });
  });

  it("are emptied but for what was paid for or came over the network; nothing else is touched", async () => {
    const { ours, others } = await fill();
    const before = bytesOf();
    const emptied = emptyCaches(out, FREE_CACHES, DATASETS);
    expect(emptied.map(({ name }) => name)).toEqual(FREE_CACHES);
    for (const { name, in_use } of emptied) expect(in_use, name).toBeUndefined();
    expect(bytesOf()).toMatchObject({ files: 0, hashes: 0, leftovers: 0, downloads: before.downloads });
    expect(answersIn()).toBe(2);
    expect(new StageStore(join(out, "cache", "stages.sqlite")).get("key")).toBeUndefined();
    expect(ours.filter((path) => existsSync(path))).toEqual([join(out, "sources/bird/dev.zip.part")]);
    for (const path of others) expect(existsSync(path), path).toBe(true);
  });

  it("lose model answers only where these are named", async () => {
    const { others } = await fill();
    const emptied = emptyCaches(out, CACHE_NAMES, DATASETS);
    expect(emptied.find(({ name }) => name === "responses")?.answers?.answers).toBe(2);
    expect(answersIn()).toBe(0);
    expect(existsSync(join(out, "sources/bird/dev.zip.part"))).toBe(false);
    for (const path of others) expect(existsSync(path), path).toBe(true);
    const store = new ResponseStore(join(out, "cache", "model-responses.sqlite"));
    await store.put(answer("c"));
    store.close();
    expect(answersIn()).toBe(1);
  });

  it("come back where a build that was being replaced has no successor", () => {
    const records = file("build/.toy.old/records.jsonl", "the last whole build");
    emptyCaches(out, FREE_CACHES, DATASETS);
    expect(existsSync(records)).toBe(false);
    expect(readFileSync(join(out, "build/toy/records.jsonl"), "utf8")).toBe("the last whole build");
  });
});

describe("a cache that another process uses", () => {
  it("stays, whichever dataset is being built, and is emptied once the build was killed", async () => {
    await fill();
    const build = await running(`
      globalThis.hold = holdExclusively(out + "/cache/build-other.lock", "x");
      globalThis.store = new StageStore(out + "/cache/stages.sqlite");`);
    const before = bytesOf();
    const emptied = emptyCaches(out, FREE_CACHES, DATASETS);
    const stayed = emptied.filter(({ in_use }) => in_use !== undefined);
    expect(stayed.map(({ name }) => name)).toEqual(["stages", "files"]);
    for (const { in_use } of stayed)
      expect(in_use).toBe("the build of other is being written by another process");
    expect(bytesOf()).toMatchObject({ files: before.files, leftovers: 0 });
    await end(build);
    expect(emptyCaches(out, ["stages", "files"], DATASETS).map(({ in_use }) => in_use)).toEqual([
      undefined,
      undefined,
    ]);
    expect(bytesOf().files).toBe(0);
  });

  it("stays where it is a build's own half-made folder, or a release's", async () => {
    const { ours } = await fill();
    await running(`
      globalThis.toy = holdExclusively(out + "/cache/build-toy.lock", "x");
      globalThis.release = holdExclusively(out + "/releases/.lock", "x");`);
    const [leftovers] = emptyCaches(out, ["leftovers"], DATASETS);
    expect(leftovers?.in_use).toMatch(
      /^the build of toy is being written.*; a release in .* is being written/,
    );
    expect(leftovers?.bytes).toBe(0);
    for (const path of ours) expect(existsSync(path), path).toBe(true);
  });

  it("stays where it is the store of model answers, which an evaluation has open without any lock", async () => {
    await fill();
    await running(
      `globalThis.store = new ResponseStore(out + "/cache/model-responses.sqlite"); store.get("k");`,
    );
    const [responses] = emptyCaches(out, ["responses"], DATASETS);
    expect(responses).toMatchObject({
      name: "responses",
      bytes: 0,
      in_use: expect.stringMatching(/is open in another process/),
    });
    expect(responses?.answers).toBeUndefined();
    expect(answersIn()).toBe(2);
  });

  it("stays where it is a download that bytes still arrive for", async () => {
    await fill();
    const moving = file("sources/taco/us.zip.part");
    const [downloads] = emptyCaches(out, ["downloads"], DATASETS);
    expect(downloads?.in_use).toBe("us.zip.part may still be arriving");
    expect(existsSync(moving)).toBe(true);
    expect(existsSync(join(out, "sources/bird/dev.zip.part.json"))).toBe(false);
  });
});

describe("a damaged cache", () => {
  it("is thrown away, and a damaged store of model answers is left for a person to look at", () => {
    file("cache/stages.sqlite", "no database ".repeat(500));
    const store = file("cache/model-responses.sqlite", "no database ".repeat(500));
    expect(cachesOf(out, DATASETS).find(({ name }) => name === "responses")?.problem).toMatch(
      /cannot be read/,
    );
    expect(emptyCaches(out, FREE_CACHES, DATASETS).map(({ name }) => name)).toEqual(["stages"]);
    expect(bytesOf().stages).toBe(0);
    expect(() => emptyCaches(out, ["responses"], DATASETS)).toThrow(/is damaged/);
    expect(existsSync(store)).toBe(true);
  });
});

describe("doctor --clean", () => {
  it("says what goes and what stays; a dry run only says it", async () => {
    await fill();
    expect(cleanCaches(out, ["all"], true).text).toMatch(
      /^would empty responses, .*: 2 model answers, 1,400 prompt tokens and 60 completion tokens$/m,
    );
    expect(() => cleanCaches(out, ["stages", "everything"], false)).toThrow(/there is no cache "everything"/);
    expect(bytesOf()).toMatchObject({ downloads: 2000, hashes: 2 });
    const clean = ambitab(["doctor", "--out", out, "--clean"]);
    expect(clean.status, clean.stderr).toBe(0);
    expect(clean.stdout).toMatch(/^emptied stages, /m);
    expect(clean.stdout).toMatch(/^kept responses, .*2 model answers.*: --clean responses empties it$/m);
    expect(answersIn()).toBe(2);
    expect(cleanCaches(join(home, "nowhere"), true, false).text).toMatch(/^nothing to empty in /);
    expect(existsSync(join(home, "nowhere"))).toBe(false);
  });
});
