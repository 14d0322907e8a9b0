// What comparing two builds costs: 8,000 records of about 5 KB a side, a tenth of them changed, over 800 databases of which a
// tenth changed (budget 5 s). Prints the ratio against reading and parsing the same files once as well.
//   node test/bench/diff.mjs
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
const home = mkdtempSync(join(tmpdir(), "ambitab-bench-diff-"));
const text = "how many of them are there, and since when? ".repeat(100);

function build(name, changed) {
  const folder = join(home, name, "build", "taco");
  mkdirSync(folder, { recursive: true });
  const lines = Array.from({ length: 8000 }, (_, at) =>
    JSON.stringify({
      record_id: `taco/all/${at}`,
      avt_id: `taco/all/${at}`,
      public: { request: `${changed && at % 10 === 0 ? "new" : "old"} ${text}` },
      oracle: { ambiguities: [] },
      verifier: {},
      provenance: {},
    }),
  );
  writeFileSync(join(folder, "records.jsonl"), `${lines.join("\n")}\n`);
  writeFileSync(join(folder, "lock.json"), JSON.stringify({ name }));
  for (let at = 0; at < 800; at += 1) {
    const path = join(folder, "databases", `d${at}`, `d${at}.sqlite`);
    mkdirSync(dirname(path), { recursive: true });
    const database = new Database(path);
    database.exec("CREATE TABLE t(a, b)");
    const insert = database.prepare("INSERT INTO t VALUES (?, ?)");
    database.transaction(() => {
      for (let row = 0; row < 100; row += 1) insert.run(row, `${changed && at % 10 === 0 ? "new" : "old"} ${row}`);
    })();
    database.close();
  }
  return join(home, name);
}

const seconds = (work) => {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
};

try {
  const [a, b] = [build("a", false), build("b", true)];
  const straight = seconds(() => {
    for (const folder of [a, b]) {
      const lines = readFileSync(join(folder, "build", "taco", "records.jsonl"), "utf8").trim().split("\n");
      for (const line of lines) JSON.parse(line);
    }
  });
  const command = [join(root, "dist", "scripts", "ambitab.js"), "diff", a, b, "--quiet"];
  let output = "";
  const ours = seconds(() => {
    output = spawnSync(process.execPath, command, { encoding: "utf8" }).stdout;
  });
  console.log(output.split("\n").find((line) => line.includes("records")));
  console.log(`parsing once   ${straight.toFixed(2)} s`);
  console.log(`ambitab diff   ${ours.toFixed(2)} s   ratio ${(ours / straight).toFixed(1)} (budget 5 s in all)`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
