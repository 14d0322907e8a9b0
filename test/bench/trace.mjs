// What `trace` takes after start-up on a build and a release's zones of 8,000 records of about 5 KB each, whose ledger has
// 12,000 rows with SQL and model evidence (budget 0.3 s each; reading the same bytes once is printed for comparison).
//   node test/bench/trace.mjs
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
const ours = (path) => import(pathToFileURL(join(root, "dist", "pipelines", path)).href);
const { trace, nearestIds } = await ours("audit/trace.js");
const { answersOf } = await ours("audit/traced-answers.js");
const { openSuite } = await ours("record/suite.js");

const home = mkdtempSync(join(tmpdir(), "ambitab-bench-trace-"));
const text = "how many of them are there, and since when? ".repeat(90);
const key = (row) => `bird/train/${row}`;
const hash = (row, call) => `${row.toString(16).padStart(40, "0")}${call.toString(16).padStart(24, "0")}`;
const isKept = (row) => row % 3 !== 1;
const ROWS = 12_000;

/** Half a kilobyte that packs to about half, as models' prose does. */
const said = (row, call) => createHash("sha512").update(hash(row, call)).digest("hex").repeat(2) + text.slice(0, 300);
const evidence = (row) => [
  { kind: "sql", outcome: "rows", first: "(1, 'a')", result_sha256: hash(row, 9), rows: 5, sql: text.slice(0, 600) },
  ...[0, 1, 2, 3].map((call) => ({ kind: "model", key: hash(row, call), outcome: "answered", role: "probe", verdict: "match" })),
];
const entry = (row) => ({
  key: key(row),
  dataset: "bird",
  source: "bird",
  origin: { file: "train/train.json", file_sha256: hash(1, 1), row, row_sha256: hash(row, 7) },
  steps: ["read-hints", "run-reference", "rewrite", "admit"].map((stage) => ({
    stage,
    version: "1",
    outcome: isKept(row) || stage !== "admit" ? "kept" : "dropped",
    evidence: evidence(row),
  })),
  record_ids: isKept(row) ? [`${key(row)}#1`] : [],
});
const record = (row) => ({
  record_id: `${key(row)}#1`,
  avt_id: key(row),
  public: { request: text },
  oracle: { ambiguities: [] },
  verifier: { reference_sql: ["SELECT 1"] },
  provenance: {},
});
const rows = Array.from({ length: ROWS }, (_, row) => row);
const kept = rows.filter(isKept);
const jsonl = (values) => `${values.map((one) => JSON.stringify(one)).join("\n")}\n`;

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const ledger = jsonl(rows.map(entry));
const build = join(home, "build", "bird");
const release = join(home, "release");
const answers = rows.flatMap((row) => [0, 1, 2, 3].map((call) => ({ key: hash(row, call), text: said(row, call) })));
const files = {
  build: [write(join(build, "ledger.jsonl"), ledger), write(join(build, "records.jsonl"), jsonl(kept.map(record)))],
  release: [write(join(release, "ledger", "bird.jsonl"), ledger)],
};
write(join(build, "lock.json"), "{}");
write(join(release, "manifest.json"), '{"version":"1.0.0"}');
write(join(release, "SHA256SUMS"), "");
for (const zone of ["public", "oracle", "verifier", "provenance"]) {
  const lines = kept.map(record).map((one) => ({ record_id: one.record_id, [zone]: one[zone] }));
  files.release.push(write(join(release, zone, "bird", "train.jsonl"), jsonl(lines)));
}
const archive = write(join(release, "responses", "bird.jsonl.gz"), gzipSync(jsonl(answers)));

/** Seconds by the clock, and of the processor, which others on the machine change less. */
const seconds = async (work) => {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return [(performance.now() - start) / 1000, (user + system) / 1e6];
};
const shown = ([clock, processor]) => `${clock.toFixed(3)} s (processor ${processor.toFixed(3)} s)`;

let worst = 0;
async function measure(suite, label, id, expected) {
  let found = [];
  const took = await seconds(async () => {
    found = await trace(suite.datasets, id);
    if (found.length === 0) await nearestIds(suite.datasets, id);
  });
  if (found.length !== expected) throw new Error(`${label}: found ${found.length}, expected ${expected}`);
  worst = Math.max(worst, took[0]);
  console.log(`  ${label.padEnd(32)} ${shown(took)}`);
  return found;
}

try {
  for (const [kind, path] of [
    ["build", home],
    ["release", release],
  ]) {
    const read = await seconds(() => files[kind].map((file) => readFileSync(file).length));
    const size = files[kind].reduce((sum, file) => sum + readFileSync(file).length, 0);
    console.log(`${kind}: ${(size / 1e6).toFixed(0)} MB, read once in ${shown(read)}`);
    const suite = openSuite(path);
    const last = kept.at(-1);
    await measure(suite, "the first record", `${key(0)}#1`, 1);
    await measure(suite, "the last record", `${key(last)}#1`, 1);
    await measure(suite, "the first row", key(0), 1);
    await measure(suite, "a dropped row", key(ROWS - 2), 1);
    await measure(suite, "the last row, by position", `bird/train/row-${ROWS - 1}`, 1);
    await measure(suite, "a row, by file and position", `bird/train/train.json:${ROWS / 2}`, 1);
    await measure(suite, "no such record, and the nearest", "bird/trian/11999#1", 0);
    if (kind !== "release") continue;
    const [found] = await trace(suite.datasets, key(last));
    const took = await seconds(async () => {
      const got = await answersOf(suite.datasets[0], [found.entry], join(home, "none.sqlite"));
      if (got.size !== 4) throw new Error(`${got.size} answers`);
    });
    worst = Math.max(worst, took[0]);
    const packed = readFileSync(archive).length / 1e6;
    console.log(`  ${"its answers, of 48,000".padEnd(32)} ${shown(took)}, archive ${packed.toFixed(1)} MB`);
  }
  console.log(`worst ${worst.toFixed(3)} s (budget 0.3 s)`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
