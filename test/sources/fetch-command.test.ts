import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UserError } from "../../pipelines/errors.js";
import { register } from "../../scripts/fetch.js";
import { sampleFolder } from "../../sources/index.js";
import { failureOf, temporaryFolder } from "./temporary.js";

let stdout = "";
let stderr = "";
beforeEach(() => {
  stdout = "";
  stderr = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function fetchCommand(...words: string[]): Promise<void> {
  const program = new Command().exitOverride();
  register(program);
  await program.parseAsync(["fetch", ...words], { from: "user" });
}

describe("ambitab fetch", () => {
  it("takes in the sample and prints one line a source", async () => {
    const out = temporaryFolder();
    await fetchCommand("--from", `ambiqt=${sampleFolder("ambiqt")}`, "--out", out);
    expect(stdout).toMatch(/^ambiqt +linked +7 files +0\.\d MB +unknown\+[0-9a-f]{12} +\S.*\n$/);
    expect(stderr).toContain("ambiqt: verifying");
  });

  it("prints JSON and nothing else when asked to, and finds the source again", async () => {
    const out = temporaryFolder();
    await fetchCommand(
      "ambiqt",
      "--from",
      `ambiqt=${sampleFolder("ambiqt")}`,
      "--out",
      out,
      "--copy",
      "--json",
      "--quiet",
    );
    const first = JSON.parse(stdout);
    expect(first.sources).toMatchObject([
      {
        source: "ambiqt",
        held: "copied",
        root: join(out, "sources", "ambiqt"),
        redistribution: "share-alike",
      },
    ]);
    expect(stderr).toBe("");
    stdout = "";
    await fetchCommand("ambiqt", "--out", out, "--json", "--quiet");
    expect(JSON.parse(stdout)).toEqual(first);
    const lock = JSON.parse(readFileSync(join(out, "sources/ambiqt/lock.json"), "utf8"));
    expect({ ...lock, root: first.sources[0].root }).toEqual(first.sources[0]);
  });

  it("brings in what it can and reports the rest together", async () => {
    const out = temporaryFolder();
    const error = await failureOf(
      fetchCommand("ambrosia", "taco", "--from", `ambiqt=${sampleFolder("ambiqt")}`, "--out", out),
    );
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain("2 sources could not be brought in");
    expect(error.message).toContain("https://ambrosia-benchmark.github.io/");
    expect(error.message).toContain("https://github.com/Akanezora0/TACO-Benchmark");
    expect(stdout).toMatch(/^ambiqt /);
  });

  it.each([
    [["spider"], 'there is no source "spider"'],
    [["--from", "spider=x"], 'there is no source "spider"'],
    [["--from", "ambiqt"], "--from ambiqt names no source and folder"],
    [["--from", "=x"], "names no source and folder"],
    [["--from", "ambiqt="], "names no source and folder"],
    [["--from", "ambiqt=/a=b/nowhere"], "/a=b/nowhere is not a folder"],
  ])("refuses %j as a person's mistake", async (words, message) => {
    const error = await failureOf(fetchCommand(...words, "--out", temporaryFolder()));
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain(message);
  });

  it("refuses unknown options", async () => {
    expect((await failureOf(fetchCommand("--frmo", "x"))).message).toContain("unknown option");
  });
});
