/** The answers of a build as an archive: with it, and no server, the same bytes come out (spec 6). */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../../../pipelines/package-root.js";
import { sha256 } from "../../../pipelines/record/ids.js";
import { temporaryFolder } from "../../sources/temporary.js";
import { built, messagesOf, type Reply, SAMPLE, sampleReply } from "./building.js";

const COMMAND = join(PACKAGE_ROOT, "dist", "scripts", "ambitab.js");
const ENVIRONMENT = { PATH: process.env.PATH, NO_COLOR: "1" };
const ambitab = (...args: string[]) =>
  spawnSync(process.execPath, [COMMAND, ...args], { env: ENVIRONMENT, encoding: "utf8" });

/** The same where it has to go well. */
function done(...args: string[]): void {
  const { status, stderr } = ambitab(...args);
  if (status !== 0) throw new Error(`ambitab ${args.join(" ")} ended with ${status}: ${stderr}`);
}

/** Path → hash of all that a build wrote. */
function bytesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length), sha256(readFileSync(path))]),
  );
}

const replay = (out: string, ...more: string[]) =>
  ambitab("build", "bird", "--from", `bird=${SAMPLE}`, "--out", out, "--quiet", "--replay-only", ...more);

describe("the response archive of AmbiTab-Bird", () => {
  it("rebuilds the dataset byte for byte with the server down, at another number of jobs, and ships with the sample", async () => {
    const reply: Reply = await sampleReply();
    const out = temporaryFolder();
    const first = await built(
      (request) => ({ text: reply(request.role, messagesOf(request)), model: "scripted answers, no model" }),
      { out },
    );
    expect(first.prompts.length).toBeGreaterThan(30);
    const archive = join(out, "bird.jsonl.gz");
    done("models", "export", archive, "--out", out);
    const before = bytesOf(first.folder);
    rmSync(join(out, "cache"), { recursive: true });
    rmSync(first.folder, { recursive: true });

    done("models", "import", archive, "--out", out);
    expect(replay(out, "--jobs", "1")).toMatchObject({ status: 0, stderr: "" });
    const after = bytesOf(first.folder);
    // The lock names the models that a command's build is configured with; the build above was given its client.
    const lock = "/lock.json";
    expect({ ...after, [lock]: "" }).toEqual({ ...before, [lock]: "" });

    // What ships with the sample is what its prompts ask for today; only how long it took is left out.
    const text = (file: string): string => gunzipSync(readFileSync(file)).toString("utf8");
    const timeless = text(archive).replaceAll(/"latency_ms":\d+/g, '"latency_ms":0');
    expect(timeless).toBe(text(join(SAMPLE, "responses", "bird.jsonl.gz")));
  });

  it("names what is missing, and how many", () => {
    const out = temporaryFolder();
    mkdirSync(out);
    const shipped = join(SAMPLE, "responses", "bird.jsonl.gz");
    const lines = gunzipSync(readFileSync(shipped)).toString("utf8").split("\n").filter(Boolean);
    const without = lines.filter((line) => (JSON.parse(line) as { role: string }).role !== "judge");
    const judged = lines.length - without.length;
    expect(judged).toBeGreaterThan(3);
    const part = join(out, "part.jsonl.gz");
    writeFileSync(part, gzipSync(`${without.join("\n")}\n`));
    done("models", "import", part, "--out", out);
    const { status, stderr } = replay(out);
    expect(status).not.toBe(0);
    // Put back, one row would have asked once more: what comes after a missing answer is not known.
    expect(stderr).toMatch(
      new RegExp(
        `${judged - 1} model answers are missing: ${judged - 1} of the role "judge" \\(bird-judge@1`,
      ),
    );
    rmSync(out, { recursive: true, force: true });
  });
});
