import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "../../pipelines/audit/finding.js";
import { auditPrompts } from "../../pipelines/audit/prompts.js";
import { UserError } from "../../pipelines/errors.js";
import { evaluate } from "../../pipelines/evaluation/run/index.js";
import { solverNamed } from "../../pipelines/evaluation/solvers/index.js";
import { sha256 } from "../../pipelines/record/ids.js";
import { openSuite } from "../../pipelines/record/suite.js";
import { openSqliteSandbox } from "../../pipelines/sql/index.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { LoggedPrompt } from "../../schemas/types/prompt.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import {
  ambitabHere,
  buildSample,
  DATASETS,
  recordsOf,
  releaseSample,
  temporaryFolder,
} from "../release/sample.js";

let release = "";
let clean = "";
let records: TaskRecord[] = [];
beforeAll(async () => {
  const out = temporaryFolder();
  await buildSample(out, DATASETS);
  release = await releaseSample(out);
  records = await recordsOf(release);
  clean = join(out, "run");
  const suite = openSuite(release);
  const sandbox = openSqliteSandbox({ children: 1 });
  await evaluate({
    folder: clean,
    suite,
    settings: {
      schema_version: "1.0.0",
      tool: "test",
      suite: { kind: "release", name: suite.name, hash: suite.hash },
      datasets: [...DATASETS],
      split: null,
      slice: null,
      limit: null,
      asker: "lexical",
      oracle: "deterministic",
      solver: "reference-when-resolved",
      synthetic: true,
      seeds: [0],
      conditions: { none: "none", asker: "lexical", full: "full" },
    },
    solver: solverNamed("reference-when-resolved"),
    sandbox,
    width: 8,
    resume: false,
  });
  await sandbox.close();
});

function copyOfRun(): string {
  const run = join(temporaryFolder(), "run");
  cpSync(clean, run, { recursive: true });
  return run;
}

const linesOf = <T>(run: string, name: string): T[] =>
  readFileSync(join(run, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
const write = (run: string, name: string, lines: readonly unknown[]): void =>
  writeFileSync(join(run, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

/** Changes the text of one prompt of a copied run, in the log and in every episode that names it. */
function withPrompt(
  which: (prompt: LoggedPrompt) => boolean,
  edit: (text: string) => string,
): { run: string; hash: string } {
  const run = copyOfRun();
  const prompts = linesOf<LoggedPrompt>(run, "prompts.jsonl");
  const old = prompts.find(which)!;
  const text = edit(old.text);
  const hash = sha256(text);
  write(
    run,
    "prompts.jsonl",
    prompts.map((one) => (one === old ? { ...one, sha256: hash, text } : one)),
  );
  const episodes = linesOf<EpisodeRecord>(run, "episodes.jsonl");
  const renamed = (one: string): string => (one === old.sha256 ? hash : one);
  write(
    run,
    "episodes.jsonl",
    episodes.map((one) => ({ ...one, prompts: one.prompts.map(renamed) })),
  );
  return { run, hash };
}

const audit = (run: string): Promise<Finding[]> => auditPrompts(openSuite(release), run);

/** The record whose clarifications answer with its response: the full asker's. */
const asked = (prompt: LoggedPrompt): boolean =>
  prompt.role === "clarifications" && prompt.text.includes(records[0]!.oracle.ambiguities[0]!.response);
const context = (prompt: LoggedPrompt): boolean =>
  prompt.role === "context" && prompt.text.includes(records[0]!.public.request);

describe("a clean run", () => {
  it("has no finding, though its clarifications hold the responses that were given, some in the clear request's words", async () => {
    expect(linesOf<LoggedPrompt>(clean, "prompts.jsonl").some(asked)).toBe(true);
    const quoting = records.filter(({ oracle }) =>
      oracle.ambiguities.some(
        ({ response }) => oracle.clear_request && response.includes(oracle.clear_request),
      ),
    );
    expect(quoting.length).toBeGreaterThan(0);
    expect(await audit(clean)).toEqual([]);
  });

  it("is audited by the command, with exit code 0, and 1 with a leak", async () => {
    const good = await ambitabHere(["audit", release, "--run", clean, "--quiet", "--json"]);
    expect(good.status).toBe(0);
    const { passed, findings } = JSON.parse(good.stdout) as { passed: boolean; findings: Finding[] };
    expect(passed).toBe(true);
    // That no source was named is said, and is no fault.
    expect(findings.filter(({ severity }) => severity !== "info")).toEqual([]);
    const sql = records[0]!.verifier.reference_sql[0]!;
    const { run, hash } = withPrompt(context, (text) => `${text}\n${sql}`);
    const bad = await ambitabHere(["audit", release, "--run", run, "--quiet"]);
    expect(bad.status).toBe(1);
    expect(bad.stdout).toMatch(/^error prompt_leak \(\d+\)/m);
    expect(bad.stdout).toContain(`prompts.jsonl, ${hash}`);
    expect(await ambitabHere(["audit", release, "--run", temporaryFolder(), "--quiet"])).toMatchObject({
      status: 2,
      stdout: "",
    });
  });
});

describe("private text in a prompt", () => {
  const { kinds } = {
    kinds: [
      ["the reference SQL", "verifier", (r: TaskRecord) => r.verifier.reference_sql[0]!],
      ["the alternative SQL", "verifier", (r: TaskRecord) => r.verifier.alternative_sql![0]!],
      ["the resolution", "oracle", (r: TaskRecord) => r.oracle.ambiguities[0]!.resolution],
      ["the response", "oracle", (r: TaskRecord) => r.oracle.ambiguities[0]!.response],
    ] as [string, string, (record: TaskRecord) => string][],
  };

  it.each(kinds)("is found in a context, with its hash, record and zone: %s", async (what, zone, text) => {
    for (const disguise of [
      (one: string) => one,
      (one: string) => one.toUpperCase().replaceAll(" ", " \n"),
    ]) {
      const { run, hash } = withPrompt(context, (was) => `${was}\nHint: ${disguise(text(records[0]!))}`);
      const findings = await audit(run);
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({
        severity: "error",
        code: "prompt_leak",
        place: `prompts.jsonl, ${hash}`,
      });
      expect(findings[0]!.message).toContain(`${what} of ${records[0]!.record_id} (${zone} zone)`);
    }
  });

  it.each(kinds.slice(0, 3))(
    "is found in clarifications, whatever was answered: %s",
    async (what, _zone, text) => {
      const { run } = withPrompt(asked, (was) => `${was} (${text(records[0]!)})`);
      const findings = await audit(run);
      expect(findings.map(({ code }) => code)).toEqual(["prompt_leak"]);
      expect(findings[0]!.message).toContain(what);
    },
  );

  it("is found where it belongs to another record than the prompt's", async () => {
    const other = records.at(-1)!;
    const { run } = withPrompt(context, (was) => `${was}\n${other.verifier.reference_sql[0]}`);
    const findings = await audit(run);
    expect(findings).toHaveLength(1);
    expect(findings[0]!.message).toContain(other.avt_id);
  });

  it("is found where a response stands in clarifications that no episode was answered with", async () => {
    const other = records.at(-1)!.oracle.ambiguities[0]!.response;
    const { run } = withPrompt(asked, (was) => `${was} ${other}`);
    expect((await audit(run)).map(({ code }) => code)).toEqual(["prompt_leak"]);
    // The same words are right once an episode with this prompt has been answered with them.
    const episodes = linesOf<EpisodeRecord>(run, "episodes.jsonl");
    const hash = linesOf<LoggedPrompt>(run, "prompts.jsonl").find(
      (one) => one.text.includes(other) && asked(one),
    )!.sha256;
    for (const one of episodes.filter(({ prompts }) => prompts.includes(hash)))
      one.turns[0]!.response += ` ${other}`;
    write(run, "episodes.jsonl", episodes);
    expect(await audit(run)).toEqual([]);
  });

  it("is no leak as a term or an alias", async () => {
    const { term, aliases } = records[0]!.oracle.ambiguities[0]!;
    const { run } = withPrompt(context, (was) => `${was}\n${term} ${aliases.join(" ")}`);
    expect(await audit(run)).toEqual([]);
  });
});

describe("a run's log that is not whole", () => {
  it("is told: a changed prompt, a missing one, one that nobody names, a broken line, another release's", async () => {
    const codes = async (tamper: (run: string) => void): Promise<string[]> => {
      const run = copyOfRun();
      tamper(run);
      return [...new Set((await audit(run)).map(({ code }) => code))].sort();
    };
    const editPrompts = (edit: (prompts: LoggedPrompt[]) => unknown[]) => (run: string) =>
      write(run, "prompts.jsonl", edit(linesOf<LoggedPrompt>(run, "prompts.jsonl")));
    expect(
      await codes(editPrompts(([one, ...rest]) => [{ ...one, text: `${one!.text} ` }, ...rest])),
    ).toEqual(["prompt_changed"]);
    expect(await codes(editPrompts(([_, ...rest]) => rest))).toEqual(["prompt_missing"]);
    const stray = { sha256: sha256("stray"), role: "context", text: "stray" };
    expect(await codes(editPrompts((prompts) => [...prompts, stray]))).toEqual(["prompt_unclaimed"]);
    expect(await codes(editPrompts(([one, ...rest]) => [{ ...one, role: "secret" }, ...rest]))).toContain(
      "prompt",
    );
    const half = '{"half":';
    // A kill leaves half a line at the end, which is nothing; in the middle it is a fault.
    expect(await codes((run) => appendFileSync(join(run, "episodes.jsonl"), half))).toEqual([]);
    expect(await codes((run) => appendFileSync(join(run, "prompts.jsonl"), half))).toEqual([]);
    expect(
      await codes((run) =>
        appendFileSync(
          join(run, "prompts.jsonl"),
          `${half}
`,
        ),
      ),
    ).toContain("unreadable");
    expect(
      await codes((run) => {
        const settings = JSON.parse(readFileSync(join(run, "run.json"), "utf8"));
        settings.suite.hash = "0".repeat(64);
        writeFileSync(join(run, "run.json"), JSON.stringify(settings));
      }),
    ).toEqual(["run_suite"]);
    const empty = copyOfRun();
    rmSync(join(empty, "prompts.jsonl"));
    await expect(audit(empty)).rejects.toThrow(UserError);
  });
});
