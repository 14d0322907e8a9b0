import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawsFor } from "../../pipelines/engine/random.js";
import { temporary, tree } from "../engine/toy.js";
import { ambitabHere, buildArgs, SAMPLE, start } from "./command.js";
import { counted, killed } from "./killed.js";

const KILLS = 8;
const folders: string[] = [];
function out(): string {
  const { path } = temporary();
  folders.push(path);
  return path;
}

let whole: Record<string, string>;
/** What a build does to files, and how long it takes. */
let operations: number;
let duration: number;
beforeAll(async () => {
  const folder = out();
  const started = performance.now();
  const undisturbed = await counted(buildArgs(folder, SAMPLE, "--jobs", "1"));
  duration = performance.now() - started;
  expect(undisturbed.code, undisturbed.stderr).toBe(0);
  operations = undisturbed.operations;
  whole = tree(join(folder, "build"));
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Runs to the end and checks that nothing tells of what happened before. */
async function finish(folder: string, ...more: string[]): Promise<void> {
  const { code, stderr } = await ambitabHere(buildArgs(folder, SAMPLE, "--jobs", "1", ...more));
  expect(code, stderr).toBe(0);
  expect(readdirSync(join(folder, "build"))).toEqual(["ambiqt"]);
  expect(readdirSync(join(folder, "cache", "files", "tmp"))).toEqual([]);
}

describe("a build that is killed with -9", () => {
  const draws = drawsFor(0, "kill", String(Date.now()));
  /** Draws, one from each equal part. */
  const instants = Array.from({ length: KILLS }, (_, n) => (n + draws.below(1000) / 1000) / KILLS);

  /** After a kill: under the real name there is a whole build or none, and another run comes to the same bytes. */
  async function leavesNothing(folder: string, when: string): Promise<void> {
    const built = join(folder, "build", "ambiqt");
    if (existsSync(built)) {
      const own = Object.entries(whole).map(([path, hash]) => [path.slice("ambiqt/".length), hash]);
      expect(tree(built), when).toEqual(Object.fromEntries(own));
    }
    await finish(folder);
    expect(tree(join(folder, "build")), when).toEqual(whole);
  }

  it(`before any of ${KILLS} operations on files and run again gives the same bytes`, async () => {
    expect(operations).toBeGreaterThan(100);
    const attempt = async (instant: number): Promise<void> => {
      const folder = out();
      const at = 1 + Math.floor(instant * (operations - 1));
      const { signal } = await killed(buildArgs(folder, SAMPLE, "--jobs", "1"), at);
      expect(signal).toBe("SIGKILL");
      await leavesNothing(folder, `killed before operation ${at} of ${operations}`);
    };
    for (let n = 0; n < KILLS; n += 2) await Promise.all(instants.slice(n, n + 2).map(attempt));
  });

  it("at any time, also within an operation or while SQLite writes, and run again gives the same bytes", async () => {
    for (const instant of [instants[3] ?? 0.4, instants[6] ?? 0.8]) {
      const folder = out();
      const running = start(buildArgs(folder, SAMPLE, "--jobs", "1"));
      // Whatever this meets is right, also a build that has ended: the instants that must be met are those above.
      await sleep(instant * duration);
      running.process.kill("SIGKILL");
      await running.ended;
      await leavesNothing(folder, `killed after ${instant} of ${duration} ms`);
    }
  });

  it("while it replaces another build, again and again, leaves one of the two whole and ends as if undisturbed", async () => {
    const folder = out();
    await finish(folder, "--seed", "2");
    const other = tree(join(folder, "build"));
    expect(other).not.toEqual(whole);
    const instants: [string, number][] = [
      ["linkSync ", 5],
      ["fsyncSync", 2],
      // Before the old build makes way, between the two renames, and with both in their places.
      ["^renameSync .*/ambiqt .*/\\.ambiqt\\.old$", 1],
      ["^renameSync .*/\\.ambiqt\\.partial .*/ambiqt$", 1],
      ["^rmSync .*/\\.ambiqt\\.old$", 1],
    ];
    for (const [of, at] of instants) {
      // What the last one left whole is up to date and would not be built again.
      const seed =
        tree(join(folder, "build"))["ambiqt/records.jsonl"] === whole["ambiqt/records.jsonl"] ? "2" : "1";
      const { signal } = await killed(buildArgs(folder, SAMPLE, "--jobs", "1", "--seed", seed), at, of);
      expect(signal, of).toBe("SIGKILL");
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
    expect((await ambitabHere(args)).code, resume).toBe(0);
    expect(tree(join(folder, "build"))).toEqual(whole);
  });
});
