import { describe, expect, it } from "vitest";
import {
  checkPrecondition,
  type DiagnosticRuns,
  diagnose,
  donorComponents,
  policyDifference,
  sqlAccess,
} from "../../../pipelines/evaluation/diagnostics/compute.js";
import { hybridOf, isReference, planRuns } from "../../../pipelines/evaluation/diagnostics/plan.js";
import { type ScoredEpisode, scoreEpisode } from "../../../pipelines/evaluation/run/read.js";
import type { EpisodeRecord } from "../../../schemas/types/episode.js";
import { episode } from "../report/runs.js";

type Verdict = EpisodeRecord["verdict"];

/** One record per AVT under two seeds. */
const run = (
  records: number,
  verdict: (at: number, seed: number) => Verdict,
  credits: (at: number) => string = () => "",
  over: Partial<EpisodeRecord> = {},
): ScoredEpisode[] =>
  Array.from({ length: records }, (_, at) =>
    [0, 1].map((seed) =>
      scoreEpisode(episode(`avt${at}#0`, "asker", seed, credits(at), verdict(at, seed), over)),
    ),
  ).flat();

const match = (): Verdict => "match";
const half = (at: number): Verdict => (at % 2 === 0 ? "match" : "mismatch");

const NONE: DiagnosticRuns = {
  asker: null,
  hybrid: null,
  spec: null,
  full: null,
  fullReference: null,
  none: null,
  noneReference: null,
};
const NAMES = { dataset: "ambiqt", oracle: "o", sql: null } as const;

describe("the four diagnostics", () => {
  it("are differences of runs over the same records and seeds, and a level", () => {
    const { diagnostics, records, with_ambiguities, seeds } = diagnose(
      NAMES,
      {
        asker: run(40, match),
        hybrid: run(40, half),
        spec: {
          episodes: run(40, match, (at) => (at < 10 ? "a b" : "-")),
          donors: Array.from({ length: 40 }, (_, at) => ({ avt: `avt${at}`, donor: `avt${at ^ 1}` })),
        },
        full: run(40, match),
        fullReference: run(
          40,
          (at) => (at === 0 ? "mismatch" : "match"),
          () => "a b",
        ),
        none: run(40, match, (at) => (at < 20 ? "a - -" : "- - -")),
        noneReference: run(40, match, () => "- - -"),
      },
      false,
    );
    expect({ records, with_ambiguities, seeds }).toEqual({
      records: 40,
      with_ambiguities: 40,
      seeds: [0, 1],
    });
    expect(diagnostics.dj_resp).toMatchObject({
      mean: 0.5,
      n: 80,
      clusters: 40,
      levels: { minuend: 1, subtrahend: 0.5 },
    });
    expect(diagnostics.dj_full).toMatchObject({ mean: 1 / 40, invalid: [] });
    expect(diagnostics.drec_none).toMatchObject({ mean: 0.25, invalid: [], volunteered: 0 });
    expect(diagnostics.drec_spec_q).toMatchObject({ mean: 0.25, clusters: 20, levels: { subtrahend: null } });
    expect(diagnostics.drec_spec_q!.interval!.lo).toBeLessThan(0.25);
  });

  it("count routing-action credit alone in ΔRec_spec^Q, and tell apart what only responses earned in ΔRec_none", () => {
    const volunteered = [0, 1].map((seed) => {
      const one = episode("avt0#0", "asker", seed, "a b", "match");
      one.turns[1]!.credit_source = "response";
      return scoreEpisode(one);
    });
    expect(volunteered[0]).toMatchObject({
      metrics: { recall: 1 },
      actionRecall: 0.5,
      unvolunteeredRecall: 0.5,
    });
    const { diagnostics } = diagnose(
      NAMES,
      {
        ...NONE,
        spec: { episodes: volunteered, donors: [] },
        none: volunteered,
        noneReference: run(1, match, () => "- -"),
      },
      false,
    );
    expect(diagnostics.drec_spec_q!.mean).toBe(0.5);
    expect(diagnostics.drec_none).toMatchObject({ mean: 1, volunteered: 0.5 });
  });

  it("are zero by definition under the reference oracle, whose ΔRec_spec^Q is its recall", () => {
    const spec = { episodes: run(4, match, () => "a"), donors: [] };
    const { diagnostics } = diagnose(NAMES, { ...NONE, spec }, true);
    for (const name of ["dj_resp", "dj_full", "drec_none"] as const)
      expect(diagnostics[name]).toMatchObject({ mean: 0, by_definition: true, interval: { lo: 0, hi: 0 } });
    expect(diagnostics.drec_spec_q).toMatchObject({ mean: 0.5, by_definition: false });
  });

  it("are invalid where a reference run breaks its precondition, which names the records", () => {
    const { diagnostics, preconditions } = diagnose(
      NAMES,
      {
        ...NONE,
        full: run(3, match),
        fullReference: run(3, match, (at) => (at === 1 ? "a" : "a b")),
        none: run(3, match, () => "- -"),
        noneReference: run(3, match, (at) => (at === 2 ? "- b" : "- -")),
      },
      false,
    );
    expect(preconditions.map(({ asker, metric, broken }) => [asker, metric, broken])).toEqual([
      ["full-adversarial", "recall", [{ record: "avt1#0", value: 0.5 }]],
      ["full-adversarial", "precision", []],
      ["none-adversarial", "recall", [{ record: "avt2#0", value: 0.5 }]],
    ]);
    expect(diagnostics.dj_full!.invalid).toEqual([
      expect.stringContaining("recall is not 1 on the reference run"),
    ]);
    expect(diagnostics.drec_none!.invalid).toEqual([expect.stringContaining("avt2#0 (0.50)")]);
    expect(diagnostics.dj_resp).toBeNull();
  });

  it("leave records without an ambiguity out of recall and keep them in SR", () => {
    const clear = run(2, match, () => "", { ambiguities: 0 });
    const { diagnostics, with_ambiguities } = diagnose(
      NAMES,
      { ...NONE, asker: clear, hybrid: clear, none: clear, noneReference: clear },
      false,
    );
    expect(with_ambiguities).toBe(0);
    expect(diagnostics.dj_resp).toMatchObject({ mean: 0, n: 4 });
    expect(diagnostics.drec_none).toMatchObject({ mean: null, n: 0 });
    expect(checkPrecondition("full-adversarial", clear, "recall", 1)).toMatchObject({
      episodes: 0,
      broken: [],
    });
  });
});

describe("clusters of ΔRec_spec^Q", () => {
  it("hold AVTs that share a donor and the donor's own AVT together", () => {
    const clusterOf = donorComponents([
      { avt: "a", donor: "x" },
      { avt: "b", donor: "x" },
      { avt: "c", donor: "y" },
      { avt: "y", donor: "z" },
    ]);
    expect(clusterOf("a")).toBe(clusterOf("b"));
    expect(clusterOf("a")).toBe(clusterOf("x"));
    expect(clusterOf("c")).toBe(clusterOf("z"));
    expect(clusterOf("a")).not.toBe(clusterOf("c"));
  });
});

describe("differences of campaigns", () => {
  it("of two policies are paired by record and seed, and exactly 0 for the same one", () => {
    const spec = {
      episodes: run(6, match, (at) => (at % 2 ? "a" : "-")),
      donors: [{ avt: "avt0", donor: "avt1" }],
    };
    const a = { ...NONE, asker: run(6, match), hybrid: run(6, half), spec };
    const same = policyDifference(a, a);
    expect(same.dj_resp).toMatchObject({ mean: 0, interval: { lo: 0, hi: 0 } });
    expect(same.drec_spec_q).toMatchObject({ mean: 0, clusters: 5 });
    const b = { ...NONE, asker: run(6, half), hybrid: run(6, half), spec: null };
    expect(policyDifference(a, b).dj_resp).toMatchObject({ mean: 0.5, n: 12 });
    expect(policyDifference(a, b).drec_spec_q).toBeNull();
  });

  it("of SQL access are shown minus hidden", () => {
    const shown = { asker: run(4, match), full: run(4, match), none: run(4, match, () => "a") };
    const hidden = { asker: run(4, half), full: null, none: run(4, match, () => "-") };
    expect(sqlAccess("ambiqt", "o", shown, hidden).differences).toMatchObject({
      dj_resp: { mean: 0.5 },
      dj_full: null,
      drec_none: { mean: 0.5 },
    });
  });
});

describe("the plan of a campaign", () => {
  const plan = (...args: Parameters<typeof planRuns>) =>
    planRuns(...args).map(({ role, reference, asker, choice }) =>
      [role, reference ? "O*" : choice.oracle, choice.oracleSql ?? "", asker].join(" "),
    );

  it("has the paper's conditions: five runs under an LLM oracle and three under the reference", () => {
    expect(plan("checklist-ledger", { oracle: "llm" }, true)).toEqual([
      "spec O*  spec-randomized:checklist-ledger",
      "full O*  full-adversarial",
      "none O*  none-adversarial",
      "asker llm  checklist-ledger",
      "full llm  full-adversarial",
      "none llm  none-adversarial",
      "hybrid hybrid  checklist-ledger",
      "spec hybrid  spec-randomized:checklist-ledger",
    ]);
  });

  it("has the reference runs alone for the deterministic oracle, and three more runs for the other SQL condition", () => {
    expect(plan("lexical", { oracle: "deterministic" }, true)).toHaveLength(3);
    expect(plan("lexical", { oracle: "llm" }, true, "shown").slice(8)).toEqual([
      "asker llm shown lexical",
      "full llm shown full-adversarial",
      "none llm shown none-adversarial",
    ]);
  });

  it("runs none-adversarial with the reference responder where the matcher is a person's own, for it may read the dialogue", () => {
    const runs = planRuns(
      "lexical",
      { oracle: "llm", matcher: "./mine.mjs", responder: "./other.mjs" },
      true,
    );
    const none = runs.find(({ role, reference }) => role === "none" && !reference);
    expect(none!.choice).toEqual({ oracle: "hybrid", matcher: "./mine.mjs" });
    expect(isReference({ oracle: "deterministic", matcher: "./mine.mjs" })).toBe(false);
    expect(hybridOf({ oracle: "synthetic:leak=0.3,credit=0.1" })).toEqual({
      oracle: "synthetic:leak=0,credit=0.1",
    });
  });

  it("leaves out the spec-randomized asker of a script, which reads no specification", () => {
    expect(plan("none-adversarial", { oracle: "llm" }, false).some((one) => one.startsWith("spec"))).toBe(
      false,
    );
  });
});
