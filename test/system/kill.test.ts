import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawsFor } from "../../pipelines/engine/random.js";
import { temporary, tree } from "../engine/toy.js";
import { ambitab, buildArgs, SAMPLE, start } from "./command.js";

const KILLS = 8;
const folders: string[] = [];
function out(): string {
  const { path } = temporary();
  folders.push(path);
  return path;
}

let whole: Record<string, string>;
let duration: number;
beforeAll(async () => {
  const folder = out();
  const started = performance.now();
  const { code, stderr } = await ambitab(buildArgs(folder, SAMPLE, "--jobs", "1"));
  duration = performance.now() - started;
  expect(code, stderr).toBe(0);
  whole = tree(join(folder, "build"));
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs to the end and checks that nothing tells of what happened before. */
async function finish(folder: string, ...more: string[]): Promise<void> {
  const { code, stderr } = await ambitab(buildArgs(folder, SAMPLE, "--jobs", "1", ...more));
  expect(code, stderr).toBe(0);
  expect(readdirSync(join(folder, "build"))).toEqual(["ambiqt"]);
  expect(readdirSync(join(folder, "cache", "files", "tmp"))).toEqual([]);
}

describe("a build that is killed with -9", () => {
  // The instants are drawn, one from each equal part of the time that a build takes; what happens then is chance.
  const draws = drawsFor(0, "kill", String(Date.now()));
  const instants = Array.from({ length: KILLS }, (_, n) => (n + draws.below(1000) / 1000) / KILLS);

  it(`at any of ${KILLS} instants and run again gives the same bytes`, async () => {
    let killed = 0;
    const attempt = async (instant: number, tries = 4): Promise<void> => {
      const folder = out();
      const started = performance.now();
      const running = start(buildArgs(folder, SAMPLE, "--jobs", "1"));
      await sleep(instant * duration);
      running.process.kill("SIGKILL");
      const { signal } = await running.ended;
      if (signal !== "SIGKILL" && tries > 1) {
        // It was faster than the one that was timed, so the instants come sooner from now on.
        duration = Math.min(duration, performance.now() - started) * 0.9;
        return attempt(instant, tries - 1);
      }
      killed += signal === "SIGKILL" ? 1 : 0;
      // Under its real name there is a whole build or none.
      const built = join(folder, "build", "ambiqt");
      if (existsSync(built)) {
        const own = Object.entries(whole).map(([path, hash]) => [path.slice("ambiqt/".length), hash]);
        expect(tree(built), `${instant}`).toEqual(Object.fromEntries(own));
      }
      await finish(folder);
      expect(tree(join(folder, "build")), `killed after ${instant} of ${duration} ms`).toEqual(whole);
    };
    for (let n = 0; n < KILLS; n += 2) {
      await Promise.all(instants.slice(n, n + 2).map(attempt));
    }
    // One or the other build may have ended before its instant each time; most were killed.
    expect(killed).toBeGreaterThan(KILLS / 2);
  });

  it("while it replaces another build, again and again, leaves one of the two whole and ends as if undisturbed", async () => {
    const folder = out();
    await finish(folder, "--seed", "2");
    const other = tree(join(folder, "build"));
    expect(other).not.toEqual(whole);
    for (const instant of [0.5, 0.7, 0.85, 0.95]) {
      const running = start(buildArgs(folder, SAMPLE, "--jobs", "1"));
      await sleep(instant * duration);
      running.process.kill("SIGKILL");
      await running.ended;
      const home = join(folder, "build");
      const kept = [join(home, "ambiqt"), join(home, ".ambiqt.old")].find(existsSync);
      const records = tree(kept ?? home)["records.jsonl"];
      expect([whole["ambiqt/records.jsonl"], other["ambiqt/records.jsonl"]]).toContain(records);
    }
    await finish(folder);
    expect(tree(join(folder, "build"))).toEqual(whole);
  });
});

describe("a build that is interrupted with Ctrl-C", () => {
  it("ends with 130, names the command that goes on, leaves nothing half-made, and that command goes on", async () => {
    const folder = out();
    const running = start(buildArgs(folder, SAMPLE, "--jobs", "1"));
    while (!existsSync(join(folder, "build", ".ambiqt.partial"))) await sleep(2);
    running.process.kill("SIGINT");
    const { code, stderr, stdout } = await running.ended;
    expect(code, stderr).toBe(130);
    expect(stdout).toBe("");
    expect(stderr).toContain("press Ctrl-C again to stop at once");
    expect(stderr).toContain(`interrupted; go on with: ambitab build ambiqt --from ambiqt=`);
    expect(stderr).not.toMatch(/bug of ambitab|Error:/);
    expect(readdirSync(join(folder, "build"))).toEqual([]);
    expect(readdirSync(join(folder, "cache", "files", "tmp"))).toEqual([]);
    const resume = /go on with: ambitab (.*)/.exec(stderr)?.[1] ?? "";
    const args = resume.split(" ").map((word) => word.replaceAll('"', ""));
    expect((await ambitab(args)).code, resume).toBe(0);
    expect(tree(join(folder, "build"))).toEqual(whole);
  });
});
