// Measures how often the diagnostics' 95 % intervals hold the truth, over simulated campaigns of known leakage.
//   node scripts/build.mjs && node test/bench/coverage.mjs [campaigns]
// A campaign is made as a real one is: tasks, askers, matcher, responder, scorer, solver and diagnostics are the package's
// own; only SQL is compared as text. AVTs are drawn anew for each campaign from a population whose four diagnostics are
// known in closed form: the responder adds the reference SQL with probability LEAK, the matcher credits a question about
// nothing with probability CREDIT, and the solver errs with probability 1 − SKILL even where all is resolved.
// Passes where every diagnostic with at least 30 clusters covers in 92 to 98 % of the campaigns. The last design has few
// clusters and shows why reports warn of them.
import { drawsFor } from "../../dist/pipelines/engine/random.js";
import { SchemaCache } from "../../dist/pipelines/evaluation/agent-context.js";
import { askerNamed, specRandomized } from "../../dist/pipelines/evaluation/askers/index.js";
import { diagnose } from "../../dist/pipelines/evaluation/diagnostics/compute.js";
import { DIAGNOSTICS, SYMBOLS } from "../../dist/pipelines/evaluation/diagnostics/types.js";
import { oracleNamed, withReferenceResponder } from "../../dist/pipelines/evaluation/oracles/index.js";
import { converse } from "../../dist/pipelines/evaluation/protocol.js";
import { scoreEpisode } from "../../dist/pipelines/evaluation/run/read.js";
import { copiesLeakedSql } from "../../dist/pipelines/evaluation/solvers/synthetic/copies-leaked-sql.js";
import { taskOf } from "../../dist/pipelines/evaluation/task.js";
import { canonicalQuestion, GENERIC_QUESTIONS } from "../../dist/pipelines/oracle/index.js";

const LEAK = 0.3;
const CREDIT = 0.2;
const SKILL = 0.6;
const SEEDS = [0, 1];
const MOST_AMBIGUITIES = 3;
/** A request with one listed reading has a distractor beside it, so it is guessed right half the time as well. */
const READINGS = [1, 2];
/** AVTs of a campaign; two share a block and give each other their donors, so there are half as many components. */
const DESIGNS = [60, 12];
const LEAST = 0.92;
const MOST = 0.98;

/** How many of k terms the asker asks about before it asks one thing more, about nothing. */
const asked = (k) => Math.ceil(k / 2);

/** The terms stand in the request, so that the asker knows them and a donor's are another's. */
const asker = {
  reads: "agent",
  name: "half",
  decide({ request }, _dialogue, { turn }) {
    const terms = request.split("; ").slice(1);
    const half = asked(terms.length);
    if (turn <= half) return { kind: "question", text: canonicalQuestion(terms[turn - 1]) };
    return turn === half + 1 ? { kind: "question", text: GENERIC_QUESTIONS[0] } : { kind: "stop" };
  },
};

/** Copies what leaks; else errs with probability 1 − SKILL, the same for a record and seed in every run. */
const solver = {
  ...copiesLeakedSql,
  name: "fallible",
  solve(view, clarifications, draws) {
    const errs = draws.below(1000) >= SKILL * 1000;
    const leaked = copiesLeakedSql.solve({ ...view, ambiguities: [], reference_sql: ["none"], alternative_sql: [] }, clarifications, draws);
    if (leaked.sql.startsWith("SELECT right")) return leaked;
    return errs ? { outcome: "sql", sql: "SELECT wrong FROM t" } : copiesLeakedSql.solve(view, clarifications, draws);
  },
};

/** One AVT's records: r readings of one request with k ambiguities, every text its own. */
function recordsOf(name, k, r) {
  const terms = Array.from({ length: k }, (_, at) => `thing${name.replaceAll(/\W/g, "")}x${at}`);
  return Array.from({ length: r }, (_, reading) => ({
    record_id: `${name}#${reading}`,
    avt_id: name,
    dataset: "ambiqt",
    split: "all",
    slices: [],
    public: {
      request: ["Show these", ...terms].join("; "),
      database: { engine: "sqlite", database_id: name, path: "none.sqlite" },
    },
    oracle: {
      ambiguities: terms.map((term, at) => ({
        ambiguity_id: `a${at}`,
        term,
        aliases: [],
        kind: "column_choice",
        counts: true,
        resolution: `meaning ${at} of ${name} in reading ${reading}`,
        response: `I mean meaning ${at} of ${name} in reading ${reading}.`,
      })),
    },
    verifier: {
      reference_sql: [`SELECT right${reading} FROM t`],
      alternative_sql: Array.from({ length: r - 1 }, (_, at) => `SELECT other${at} FROM t`),
      comparison: { policy: "multiset", ordered: false },
      verifiable: true,
      success: "comparison",
      category: "query",
    },
  }));
}

const schemas = new SchemaCache();

async function runOf(tasks, runAsker, oracle) {
  const episodes = [];
  for (const task of tasks) {
    for (const seed of SEEDS) {
      const { given, told } = await converse(task, { condition: "asker", seed, asker: runAsker, oracle, solver }, () => "0");
      const verdict = given.sql === task.verifier.reference_sql[0] ? "match" : "mismatch";
      episodes.push(scoreEpisode({ ...told, verdict, flags: [], timings_ms: {} }));
    }
  }
  return episodes;
}

async function campaign(number, avts) {
  const draws = drawsFor(number, "bench/coverage", String(avts));
  const drawn = Array.from({ length: avts }, (_, at) => ({
    name: `c${number}-${avts}-avt${at}`,
    k: 1 + draws.below(MOST_AMBIGUITIES),
    r: READINGS[draws.below(READINGS.length)],
  }));
  const groups = drawn.map(({ name, k, r }) => recordsOf(name, k, r));
  const tasks = groups.flatMap((records, at) =>
    records.map((record) => {
      // Neighbours in a block of two are each other's donors.
      const donor = taskOf(groups[at ^ 1][0], "/none", schemas, "run");
      return taskOf(record, "/none", schemas, "run", { record_id: donor.names.record_id, view: donor.agent });
    }),
  );
  const name = `synthetic:leak=${LEAK},credit=${CREDIT}`;
  const oracle = oracleNamed(name, "ambiqt");
  const hybrid = oracleNamed(withReferenceResponder(name), "ambiqt");
  const reference = oracleNamed("deterministic", "ambiqt");
  const [full, none] = ["full-adversarial", "none-adversarial"].map(askerNamed);
  const runs = {
    asker: await runOf(tasks, asker, oracle),
    hybrid: await runOf(tasks, asker, hybrid),
    spec: {
      episodes: await runOf(tasks, specRandomized(asker), hybrid),
      donors: drawn.map((one, at) => ({ avt: one.name, donor: drawn[at ^ 1].name })),
    },
    full: await runOf(tasks, full, oracle),
    fullReference: await runOf(tasks, full, reference),
    none: await runOf(tasks, none, oracle),
    noneReference: await runOf(tasks, none, reference),
  };
  return diagnose({ dataset: "ambiqt", oracle: name, sql: "shown" }, runs, false);
}

/** P(some response of n leaks), and the expected share of k ambiguities that n questions about nothing are credited with. */
const leaks = (n) => 1 - (1 - LEAK) ** n;
const credited = (k, n) => 1 - (1 - CREDIT / k) ** n;

/** The diagnostics of one AVT in closed form. The one question about nothing resolves a k-th of the time it is credited. */
function truthOf(k, r, donorK) {
  const left = k - asked(k);
  const resolved = left === 0 ? 1 : left === 1 ? CREDIT / k : 0;
  const success = SKILL * (resolved + (1 - resolved) / Math.max(2, r));
  return {
    dj_resp: leaks(asked(k) + 1) * (1 - success),
    drec_spec_q: credited(k, Math.min(asked(donorK) + 1, k + 2)),
    dj_full: leaks(k) * (1 - SKILL),
    drec_none: credited(k, k + 2),
  };
}

/** Population means: records weigh the same, so an AVT weighs as many as its readings. */
function truth() {
  const sums = Object.fromEntries(DIAGNOSTICS.map((name) => [name, 0]));
  let weight = 0;
  for (let k = 1; k <= MOST_AMBIGUITIES; k += 1)
    for (const r of READINGS)
      for (let donorK = 1; donorK <= MOST_AMBIGUITIES; donorK += 1) {
        weight += r;
        const values = truthOf(k, r, donorK);
        for (const name of DIAGNOSTICS) sums[name] += r * values[name];
      }
  return Object.fromEntries(DIAGNOSTICS.map((name) => [name, sums[name] / weight]));
}

async function main(campaigns) {
  const known = truth();
  let failed = false;
  console.log(`leak ${LEAK}, credit ${CREDIT}, skill ${SKILL}; ${campaigns} campaigns a design, ${SEEDS.length} seeds, points`);
  console.log("AVTs  diagnostic    clusters  truth   mean estimate  covered  mean width");
  for (const avts of DESIGNS) {
    const seen = Object.fromEntries(DIAGNOSTICS.map((name) => [name, { sum: 0, covered: 0, width: 0, clusters: 0 }]));
    for (let number = 0; number < campaigns; number += 1) {
      const { diagnostics, preconditions } = await campaign(number, avts);
      if (preconditions.some(({ broken }) => broken.length > 0)) throw new Error("a precondition is broken");
      for (const name of DIAGNOSTICS) {
        const { mean, interval, clusters } = diagnostics[name];
        const one = seen[name];
        one.sum += mean;
        one.clusters = clusters;
        one.width += interval.hi - interval.lo;
        if (interval.lo <= known[name] && known[name] <= interval.hi) one.covered += 1;
      }
    }
    for (const name of DIAGNOSTICS) {
      const { sum, covered, width, clusters } = seen[name];
      const share = covered / campaigns;
      const bad = clusters >= 30 && (share < LEAST || share > MOST);
      failed ||= bad;
      const points = (value, digits = 2) => (100 * value).toFixed(digits);
      console.log(
        [
          String(avts).padStart(4),
          SYMBOLS[name].padEnd(12),
          String(clusters).padStart(8),
          points(known[name]).padStart(6),
          points(sum / campaigns).padStart(13),
          `${points(share, 1)} %`.padStart(9),
          points(width / campaigns).padStart(10),
          bad ? "  OUTSIDE 92–98 %" : clusters < 30 ? "  few clusters" : "",
        ].join("  "),
      );
    }
  }
  if (failed) process.exitCode = 1;
}

await main(Number(process.argv[2] ?? 500));
