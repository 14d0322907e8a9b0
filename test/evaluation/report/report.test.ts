import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cellText } from "../../../pipelines/evaluation/report/document/format.js";
import {
  buildReport,
  type LabelledRun,
  type Report,
  reportHtml,
  reportMarkdown,
  reportText,
  type Table,
  writeReport,
} from "../../../pipelines/evaluation/report/index.js";
import { sqlFeatures } from "../../../pipelines/evaluation/report/slices/sql-features.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import { episode, modelNamed, paperSettings, runOf } from "./runs.js";

const parent = mkdtempSync(join(tmpdir(), "ambitab-report-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** Two AVTs, one of two readings, under two seeds; the asker finds out half of what there is. */
const episodes = (asked: readonly ("match" | "mismatch")[]) =>
  ["a#1", "a#2", "b#1"].flatMap((record, at) =>
    [0, 1].flatMap((seed) => [
      episode(record, "none", seed, "", at === 0 ? "match" : "mismatch"),
      episode(record, "asker", seed, "a - a", asked[(at + seed) % asked.length]!),
      episode(record, "full", seed, "a b", "match"),
    ]),
  );

let made = 0;
async function labelled(
  over: Partial<RunSettings> = {},
  label?: string,
  asked: readonly ("match" | "mismatch")[] = ["match", "mismatch"],
): Promise<LabelledRun> {
  made += 1;
  return { label, run: await runOf(parent, `run-${made}`, paperSettings(over), episodes(asked)) };
}

const tableOf = (report: Report, id: string): Table | undefined =>
  report.sections.flatMap(({ tables }) => tables).find((table) => table.id === id);

const rowsOf = (report: Report, id: string): string[][] =>
  tableOf(report, id)!.rows.map((row) => row.map(cellText));

describe("a report of one run", () => {
  it("has every metric with its spread, interval and denominator, and the paper's number beside it", async () => {
    const report = await buildReport({ runs: [await labelled()], campaigns: [] });
    const [row] = rowsOf(report, "inference");
    expect(row!.slice(0, 3)).toEqual(["AmbiQT", "Deterministic", "checklist-ledger, qwen3-8b"]);
    // Seed 0: match, mismatch, match; seed 1: mismatch, match, mismatch.
    expect(row![4]).toMatch(/^50\.0 ± 23\.6 \[.+\] \(n 6; paper 56\.3 ± 0\.7\)$/);
    expect(row![5]).toMatch(/^100\.0 ± 0\.0 \[100\.0, 100\.0\] \(n 6; paper 73\.7 ± 0\.3\)$/);
    expect(row![6]).toMatch(/^33\.3 ± 0\.0 \[33\.3, 33\.3\] \(n 6; paper 19\.5 ± 0\.2\)$/);
    expect(row![7]).toMatch(/^50\.0 /);
    expect(row![9]).toMatch(/^\+16\.7 ± 23\.6/);
    expect(row![10]).toMatch(/^\+50\.0/);
  });

  it.each<[string, Partial<RunSettings>, string]>([
    ["synthetic runs", { synthetic: true }, "synthetic"],
    ["limited runs", { limit: 3 }, "only the first 3 records"],
    ["another asker model", { models: { asker: modelNamed("x/Other-8B") } }, "asker other-8b, not qwen3-8b"],
    ["another split", { split: "dev" }, "another split or slice"],
    ["another asker", { asker: "direct" }, "another asker"],
  ])("does not set the paper's numbers beside %s, and says why", async (_what, over, why) => {
    const report = await buildReport({ runs: [await labelled(over)], campaigns: [] });
    expect(rowsOf(report, "inference").flat().join()).not.toContain("paper");
    expect(tableOf(report, "inference")!.notes.join()).toContain(why);
  });

  it("shows the worst records with their dialogues, those first that asking everything would have solved", async () => {
    const report = await buildReport({
      runs: [await labelled({}, undefined, ["mismatch"])],
      campaigns: [],
      worst: 2,
    });
    const { transcripts } = report.sections.find(({ heading }) => heading === "Worst records")!;
    expect(transcripts.map(({ title }) => title)).toEqual(["a#1", "a#2"]);
    expect(transcripts[0]).toMatchObject({ verdict: "mismatch", sql: "SELECT 1" });
    expect(transcripts[0]!.turns[0]).toEqual({ question: "Question 1?", response: "Answer 1.", credit: "a" });
    expect(transcripts[0]!.facts.join("; ")).toContain("SR 0 % over seeds, 100 % when all is asked");
  });

  it("counts questions, stops and verdicts", async () => {
    const report = await buildReport({ runs: [await labelled()], campaigns: [] });
    expect(rowsOf(report, "turns")[1]!.slice(1, 6)).toEqual([
      "AmbiQT",
      "asker",
      "6",
      "3.00 ± 0.00",
      "100.0 ± 0.0",
    ]);
    expect(rowsOf(report, "verdicts").map((row) => row.slice(2))).toEqual([
      ["none", "2", "4"],
      ["asker", "3", "3"],
      ["full", "6", "0"],
    ]);
  });

  it("is computed from half a log as well, and from none", async () => {
    const whole = (await labelled()).run;
    const half = await runOf(parent, "half", whole.settings, episodes(["match"]).slice(0, 4));
    const none = await runOf(parent, "none", whole.settings, []);
    for (const run of [half, none]) {
      const text = reportText(await buildReport({ runs: [{ label: undefined, run }], campaigns: [] }));
      expect(text).not.toMatch(/NaN|undefined|Infinity/);
    }
  });
});

describe("a report of several runs", () => {
  it("compares askers: a mean over the datasets that all have, and a picture of the tradeoff", async () => {
    const runs = [await labelled({ asker: "direct" }), await labelled({ asker: "checklist-chat" })];
    const report = await buildReport({ runs, campaigns: [] });
    expect(rowsOf(report, "prompts").map(([, asker]) => asker)).toEqual([
      "direct, qwen3-8b",
      "checklist-chat, qwen3-8b",
    ]);
    const ids = report.sections.flatMap(({ figures }) => figures.map(({ id }) => id));
    expect(ids).toEqual(["figure-oracles", "figure-prompts"]);
  });

  it("compares policies that a person names: change from the first, with the band of Figure 5", async () => {
    const runs = [
      await labelled({}, "untrained", ["match", "mismatch"]),
      await labelled(
        { models: { asker: modelNamed("mine"), solver: modelNamed("Qwen3-Coder-30B-A3B-Instruct") } },
        "question-f1",
        ["match"],
      ),
    ];
    const report = await buildReport({ runs, campaigns: [] });
    const [change] = rowsOf(report, "policy-change");
    const band = 1.96 * Math.sqrt(0.2357 ** 2 / 2) * 100;
    expect(change!.slice(0, 2)).toEqual(["Question-F1 reward", "AmbiQT"]);
    expect(change![4]).toBe(`+50.0 [${(50 - band).toFixed(1)}, ${(50 + band).toFixed(1)}]`);
    const policies = rowsOf(report, "policies");
    expect(policies[0]).toEqual(["SR", "Untrained", expect.stringContaining("paper 56.3 ± 0.7"), "–"]);
    expect(policies[1]![2]).toContain("paper 59.4 ± 0.3");
  });
});

describe("formats", () => {
  const hostile = '<script>alert("1")</script> | `x` *y* & \u202e';
  const withHostileWords = async (): Promise<Report> => {
    const run = await runOf(
      parent,
      "hostile",
      paperSettings(),
      episodes(["mismatch"]).map((one) => ({
        ...one,
        sql: hostile,
        turns: one.turns.map((turn) => ({ ...turn, question: hostile, response: "```\n# head" })),
      })),
    );
    return buildReport({ runs: [{ label: undefined, run }], campaigns: [] });
  };

  it("make one page that loads nothing, runs nothing and shows what was said as it was said", async () => {
    const report = await withHostileWords();
    const html = reportHtml(report, new Map());
    expect(html).not.toContain("<script");
    expect(html).not.toMatch(/\b(?:src|href)="(?!#)/);
    expect(html).toContain("&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;");
  });

  it("make Markdown in which no word is markup and no fence ends early", async () => {
    const markdown = reportMarkdown(await withHostileWords(), (id) => `${id}.svg`);
    expect(markdown).not.toContain('<script>alert("1")</script> | `x`\n**');
    expect(markdown).toContain("\\<script\\>");
    for (const line of markdown.split("\n").filter((one) => one.startsWith("| ")))
      expect(line.replaceAll("\\|", "").split("|").length).toBeGreaterThan(3);
  });

  it("make text of at most 100 columns, whatever is in it", async () => {
    for (const line of reportText(await withHostileWords()).split("\n"))
      expect.soft([...line].length, line).toBeLessThanOrEqual(100);
  });

  it("are written as files, the same bytes twice; pictures on one page share no names", async () => {
    const runs = [await labelled({ asker: "direct" }), await labelled({ asker: "checklist-chat" })];
    const report = await buildReport({ runs, campaigns: [] });
    const all = ["text", "md", "html", "svg", "png", "json"] as const;
    const folders = ["first", "second"].map((name) => join(parent, name));
    for (const folder of folders) await writeReport(report, folder, all);
    const names = readdirSync(folders[0]!).sort();
    expect(names).toEqual([
      "figure-oracles.png",
      "figure-oracles.svg",
      "figure-prompts.png",
      "figure-prompts.svg",
      "report.html",
      "report.json",
      "report.md",
      "report.txt",
    ]);
    for (const name of names)
      expect(readFileSync(join(folders[0]!, name)).equals(readFileSync(join(folders[1]!, name))), name).toBe(
        true,
      );
    const html = readFileSync(join(folders[0]!, "report.html"), "utf8");
    const ids = [...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const png = readFileSync(join(folders[0]!, "figure-prompts.png"));
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(png.readUInt32BE(16)).toBeGreaterThan(1000);
    expect(JSON.parse(readFileSync(join(folders[0]!, "report.json"), "utf8"))).toMatchObject({
      synthetic: false,
    });
  });

  it("say that a run is synthetic before any number", async () => {
    const report = await buildReport({ runs: [await labelled({ synthetic: true })], campaigns: [] });
    for (const text of [reportText(report), reportMarkdown(report, String), reportHtml(report, new Map())])
      expect(text.indexOf("SYNTHETIC")).toBeLessThan(text.indexOf("Results"));
  });
});

describe("SQL features", () => {
  it.each<[string, string[]]>([
    ["SELECT a FROM t", ["plain"]],
    [
      "SELECT count(*) FROM t JOIN u ON t.a = u.a GROUP BY t.b HAVING max(u.c) > 1",
      ["join", "group by", "having", "aggregate"],
    ],
    ["SELECT a FROM t UNION SELECT a FROM u", ["set operation"]],
    ["SELECT a FROM t WHERE a IN (SELECT b FROM u) ORDER BY a LIMIT 1", ["order by", "limit", "subquery"]],
    ["SELECT 'join' AS \"group\", count FROM t -- limit", ["plain"]],
    ["SELECT DISTINCT CASE WHEN a THEN 1 END FROM t", ["distinct", "case"]],
  ])("of %s", (sql, features) => {
    expect(sqlFeatures(sql)).toEqual(features);
  });
});
