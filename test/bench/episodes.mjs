// Measures ask-then-solve episodes with a scripted asker, the deterministic oracle and replayed SQL, SQL included.
//   node scripts/build.mjs && node test/bench/episodes.mjs [release or build folder]
// Without a folder it builds the real AmbiQT where its data is (AMBITAB_DATA or ../shared/data), else the sample.
// Budgets: 300 episodes a second on two idle cores; peak memory of the main process at 20,000 episodes at most 64 MiB over
// that at 1,000 (most of it the heap's warming up: 100,000 episodes take 15 MiB more than 20,000). Every prediction differs in its text from the reference, so both are run; seeds share recent results.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiledModule, PACKAGE_ROOT } from "../../dist/pipelines/package-root.js";
import { openSuite } from "../../dist/pipelines/record/suite.js";
import { runEvaluation } from "../../dist/scripts/eval.js";

const CONDITIONS = 3;
const PER_SECOND = 300;
const GROWTH_MIB = 64;

/** One run in a process of its own, so that its peak memory is its own. */
async function measure([path, predictions, run, limit, seeds]) {
  const started = performance.now();
  const { summary } = await runEvaluation(path, {
    out: run,
    run: join(run, "run"),
    quiet: true,
    json: false,
    asker: "none-adversarial",
    oracle: "deterministic",
    solver: `replay=${predictions}`,
    seeds: Array.from({ length: Number(seeds) }, (_, seed) => seed),
    limit: Number(limit),
    resume: false,
    jobs: 2,
  });
  const seconds = (performance.now() - started) / 1000;
  const { ambiqt } = summary.datasets;
  if (ambiqt.none.sr.mean !== 1) throw new Error("a replayed reference is not a match");
  const mib = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ episodes: ambiqt.episodes, seconds, mib }));
}

function inProcess(...args) {
  const self = fileURLToPath(import.meta.url);
  const child = spawnSync(process.execPath, [self, "--measure", ...args.map(String)], { encoding: "utf8" });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout);
}

function buildFolder(work) {
  const real = join(process.env.AMBITAB_DATA ?? join(PACKAGE_ROOT, "..", "shared", "data"), "ambiqt");
  const from = existsSync(real) ? real : join(PACKAGE_ROOT, "sources", "ambiqt", "sample");
  const words = ["build", "ambiqt", "--from", `ambiqt=${from}`, "--out", work, "--quiet"];
  const child = spawnSync(process.execPath, [compiledModule("scripts/ambitab"), ...words], { encoding: "utf8" });
  if (child.status !== 0) throw new Error(child.stderr);
  return join(work, "build");
}

async function main([given]) {
  const work = mkdtempSync(join(tmpdir(), "ambitab-bench-"));
  try {
    const path = given ?? buildFolder(work);
    const predictions = join(work, "predictions.jsonl");
    const lines = [];
    for await (const { record } of openSuite(path).datasets[0].records()) {
      const sql = `${record.verifier.reference_sql[0]} /* replayed */`;
      lines.push(JSON.stringify({ record_id: record.record_id, sql }));
    }
    writeFileSync(predictions, `${lines.join("\n")}\n`);
    const results = [1_000, 20_000].map((wanted) => {
      const limit = Math.min(lines.length, Math.ceil(wanted / CONDITIONS));
      const seeds = Math.ceil(wanted / CONDITIONS / limit);
      return { ...inProcess(path, predictions, join(work, String(wanted)), limit, seeds), limit, seeds };
    });
    for (const { episodes, seconds, mib, limit, seeds } of results) {
      const rate = Math.round(episodes / seconds);
      console.log(
        `${episodes} episodes (${limit} records, ${seeds} seeds): ${rate} a second, peak memory ${mib.toFixed(0)} MiB`,
      );
    }
    const [small, large] = results;
    const slowest = Math.min(...results.map(({ episodes, seconds }) => episodes / seconds));
    const growth = large.mib - small.mib;
    console.log(
      `slowest ${Math.round(slowest)} a second (budget ${PER_SECOND}); memory ${growth.toFixed(0)} MiB more (budget ${GROWTH_MIB})`,
    );
    if (slowest < PER_SECOND || growth > GROWTH_MIB) process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const [first, ...rest] = process.argv.slice(2);
if (first === "--measure") await measure(rest);
else await main(first === undefined ? [] : [first]);
