// Measures a report of 50,000 episodes: six datasets of the paper's sizes under three conditions, every format.
//   node scripts/build.mjs && node test/bench/report.mjs
// Budgets: 20 s and 700 MB of memory at most, pictures included.
import { spawnSync } from "node:child_process";
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { compiledModule } from "../../dist/pipelines/package-root.js";
import { canonicalLine } from "../../dist/pipelines/record/schema-order.js";

const EPISODES = 50_000;
const SECONDS = 20;
const MEGABYTES = 700;
/** Records and readings per AVT of each dataset, as large as the paper's pools. */
const DATASETS = { bird: [664, 1], "ew-bird": [2537, 1], "bird-interact": [600, 1], ambrosia: [2670, 2], ambiqt: [1722, 2], taco: [187, 1] };
const RECORDS = Object.values(DATASETS).reduce((sum, [records]) => sum + records, 0);
const CONDITIONS = ["none", "asker", "full"];
const SEEDS = Math.ceil(EPISODES / RECORDS / CONDITIONS.length);

function episodeOf(dataset, at, readings, condition, seed) {
  const record_id = `${dataset}/all/${Math.floor(at / readings)}#${at % readings}`;
  const ambiguities = 1 + (at % 3);
  const luck = Math.sin(at * 12.9898 + seed * 78.233 + condition.length) * 43758.5453;
  const chance = luck - Math.floor(luck);
  const asked = condition === "none" ? 0 : condition === "full" ? ambiguities : Math.min(ambiguities + 2, 1 + (at % 4));
  return {
    episode_id: `${condition}/${seed}/${record_id}`,
    record_id,
    avt_id: record_id.replace(/#.*/, ""),
    dataset,
    split: dataset.includes("bird") && at % 5 === 0 ? "dev" : "all",
    condition,
    asker: condition,
    seed,
    ambiguities,
    max_turn: ambiguities + 3,
    turns: Array.from({ length: asked }, (_, turn) => ({
      question: `Could you clarify what exactly you mean by the term number ${turn} of this request, please?`,
      response: "By that I mean the value that the second of the two columns holds, not the first one's.",
      action: { kind: "labeled", term: `term ${turn}` },
      why: "the question names the term",
      live_credits: turn < ambiguities ? [`ambiguity-${turn}`] : [],
      credits: turn < ambiguities ? [`ambiguity-${turn}`] : [],
      credit_source: turn < ambiguities ? "label" : "none",
    })),
    stop: "asker",
    fallback_stop: false,
    sql: "SELECT name, count(*) FROM singer JOIN concert ON singer.id = concert.singer GROUP BY name ORDER BY 2 DESC",
    verdict: chance < { none: 0.3, asker: 0.6, full: 0.85 }[condition] ? "match" : "mismatch",
    flags: [],
    usage: { asker: { calls: asked + 1, prompt_tokens: 900, completion_tokens: 80 }, solver: { calls: 1, prompt_tokens: 1200, completion_tokens: 90 } },
    prompts: ["0".repeat(64), "1".repeat(64)],
    timings_ms: { asking: 1, solving: 1, verifying: 1 },
  };
}

async function writeRun(folder) {
  mkdirSync(folder, { recursive: true });
  const settings = {
    schema_version: "1.0.0",
    tool: "bench",
    suite: { kind: "release", name: "bench", hash: "ab".repeat(32) },
    datasets: Object.keys(DATASETS).sort(),
    split: null,
    slice: null,
    limit: null,
    asker: "checklist-ledger",
    oracle: "deterministic",
    solver: "model",
    synthetic: true,
    seeds: Array.from({ length: SEEDS }, (_, seed) => seed),
    conditions: { none: "none", asker: "checklist-ledger", full: "full" },
  };
  writeFileSync(join(folder, "run.json"), canonicalLine("run", settings));
  const log = createWriteStream(join(folder, "episodes.jsonl"));
  let written = 0;
  for (const [dataset, [records, readings]] of Object.entries(DATASETS)) {
    for (let at = 0; at < records; at += 1) {
      for (const condition of CONDITIONS) {
        for (let seed = 0; seed < SEEDS; seed += 1) {
          if (written >= EPISODES) continue;
          written += 1;
          const line = `${canonicalLine("episode", episodeOf(dataset, at, readings, condition, seed))}\n`;
          if (!log.write(line)) await new Promise((resolve) => log.once("drain", resolve));
        }
      }
    }
  }
  log.end();
  await finished(log);
  return { written, bytes: statSync(join(folder, "episodes.jsonl")).size };
}

/** The command in a process of its own, which tells its peak memory when it ends. */
function measure(run, to) {
  const script = `process.argv.splice(1, 1); process.on("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS)); await import(${JSON.stringify(compiledModule("scripts/ambitab"))});`;
  const words = ["report", run, "--format", "text,md,html,svg,png,json", "--to", to];
  const started = performance.now();
  const child = spawnSync(process.execPath, ["--input-type=module", "-e", script, "x", "x", ...words], { encoding: "utf8" });
  if (child.status !== 0) throw new Error(child.stderr);
  return { seconds: (performance.now() - started) / 1000, mb: Number(/peak (\d+)/.exec(child.stderr)[1]) / 1024 };
}

async function main() {
  const work = mkdtempSync(join(tmpdir(), "ambitab-report-bench-"));
  try {
    const { written, bytes } = await writeRun(join(work, "run"));
    const { seconds, mb } = measure(join(work, "run"), join(work, "report"));
    const files = readdirSync(join(work, "report")).length;
    console.log(`${written} episodes (${(bytes / 1e6).toFixed(0)} MB of log), ${RECORDS} records, up to ${SEEDS} seeds: ${files} files`);
    console.log(`${seconds.toFixed(1)} s (budget ${SECONDS}), peak memory ${mb.toFixed(0)} MB (budget ${MEGABYTES})`);
    if (written < EPISODES || seconds > SECONDS || mb > MEGABYTES) process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
