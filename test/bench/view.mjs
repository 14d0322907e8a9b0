// What looking into a build of 8,000 records costs (budgets: first paint under 1 s, a filter under 100 ms, the index under
// 1 s): the server's start and memory, and in Chromium the first paint of the list, and from a key's press to the new rows.
//   node scripts/build.mjs && node test/bench/view.mjs
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
const home = mkdtempSync(join(tmpdir(), "ambitab-bench-view-"));
const RECORDS = 8000;
const WORDS = ["harbour", "boat", "berth", "length", "priority", "owner", "customer", "price"];

function build() {
  const folder = join(home, "build", "taco");
  mkdirSync(folder, { recursive: true });
  const text = "how many of them are there, and since when? ".repeat(20);
  const lines = Array.from({ length: RECORDS }, (_, at) => {
    const word = WORDS[at % WORDS.length];
    return JSON.stringify({
      schema_version: "1.0.0",
      record_id: `taco/all/${at}#1`,
      avt_id: `taco/all/${at}`,
      dataset: "taco",
      split: "all",
      slices: [],
      public: {
        request: `Which ${word} is number ${at}? ${at % 20 === 0 ? text : ""}`,
        database: { engine: "sqlite", database_id: `d${at % 800}`, path: `d${at % 800}/d${at % 800}.sqlite` },
        column_meanings: { "t.a": text.repeat(3) },
      },
      oracle: { ambiguities: [{ ambiguity_id: "a", term: word, aliases: [], kind: "table_choice", counts: true, resolution: text, response: text, response_status: "template" }] },
      verifier: { reference_sql: ["SELECT 1"], comparison: { policy: "multiset", ordered: false }, verifiable: true, success: "comparison", category: "query" },
      provenance: { source: "taco", source_version: "v", file: "f", file_sha256: "0".repeat(64), row: at, row_sha256: "0".repeat(64), pipeline_version: "v", decisions_ref: "ledger.jsonl#x" },
    });
  });
  writeFileSync(join(folder, "records.jsonl"), `${lines.join("\n")}\n`);
  writeFileSync(join(folder, "lock.json"), "{}");
  return { folder, bytes: lines.reduce((sum, line) => sum + line.length + 1, 0) };
}

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (value) => `${value.toFixed(0)} ms`;

/** Reading and parsing the same lines once: what the machine can do right now. */
function straight(folder) {
  const start = performance.now();
  for (const line of readFileSync(join(folder, "records.jsonl"), "utf8").trim().split("\n")) JSON.parse(line);
  return performance.now() - start;
}

/** The first value of an expression that is one; the page's policy forbids the page itself to evaluate text. */
async function until(page, expression) {
  for (;;) {
    const value = await page.evaluate(expression);
    if (value) return value;
  }
}

let child;
let browser;
try {
  const { folder, bytes } = build();
  const parsed = straight(folder);
  const { openCatalogue } = await import(join(root, "dist", "pipelines", "view", "read", "catalogue.js"));
  const { openSuite } = await import(join(root, "dist", "pipelines", "record", "suite.js"));
  const before = performance.now();
  await openCatalogue(openSuite(folder));
  console.log(`records          ${RECORDS} of ${(bytes / RECORDS / 1000).toFixed(1)} kB`);
  console.log(`parsing once     ${ms(parsed)}`);
  console.log(`index            ${ms(performance.now() - before)} (budget 1 s)`);

  const started = performance.now();
  child = spawn(process.execPath, [join(root, "dist", "scripts", "ambitab.js"), "view", folder, "--port", "0", "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = await once(createInterface({ input: child.stdout }), "line");
  console.log(`command to ready ${ms(performance.now() - started)}`);

  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const paints = [];
  const page = await browser.newPage();
  for (let time = 0; time < 5; time += 1) {
    await page.goto(`${url}records`);
    paints.push(await until(page, "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"));
  }
  console.log(`first paint      ${ms(paints[0])} the first time, ${ms(middle(paints))} in the middle (budget 1 s)`);

  // From the input event to the new rows in the page, as the page itself sees it.
  await page.evaluate(`
    window.took = [];
    document.addEventListener("input", () => { window.began = performance.now(); }, true);
    new MutationObserver((changes) => {
      if (changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.id === "results"))) window.took.push(performance.now() - window.began);
    }).observe(document.querySelector("main"), { childList: true });
  `);
  for (const [at, word] of [...WORDS, "number 7", "boat 31", "nothing", ""].entries()) {
    await page.fill("#search", word);
    await until(page, `window.took.length > ${at}`);
  }
  const took = await page.evaluate("window.took");
  console.log(`filter           ${ms(middle(took))} in the middle, ${ms(Math.max(...took))} at most of ${took.length} (budget 100 ms)`);
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
  if (rss !== undefined) console.log(`server's memory  ${(Number(rss) / 1024).toFixed(0)} MiB`);
} finally {
  await browser?.close();
  child?.kill("SIGTERM");
  rmSync(home, { recursive: true, force: true });
}
