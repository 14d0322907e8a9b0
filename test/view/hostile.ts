/** A build and a run in which every text from elsewhere tries to become markup, a script or an address. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { quoteIdentifier, quoteLiteral } from "../../pipelines/sql/index.js";
import type { DroppedRow } from "../../schemas/types/dropped.js";
import type { EpisodeRecord } from "../../schemas/types/episode.js";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import type { RunSettings } from "../../schemas/types/run.js";

/** Sets `window.pwned` if a browser ever takes a part of it for anything but text. */
export const evil = (where: string): string =>
  `${where}"'\`><script>window.pwned="${where}"</script><img src=x onerror="window.pwned=1"><svg onload="window.pwned=2"></svg>` +
  `</textarea></title></style><a href="javascript:window.pwned=3">${where}</a>&lt;b&gt;\u202Eesrever\u0000 é 漢`;

export const RECORD = `ambiqt/validation/${evil("id")}#1`;
export const SIBLING = `ambiqt/validation/${evil("id")}#2`;
export const TABLE = evil("table");
export const DATABASE = evil("database");
export const KEY = `ambiqt/validation/${evil("key")}`;
export const EPISODE = `asker/0/${RECORD}`;

const HASH = "0".repeat(64);
const PROMPT = "a".repeat(64);

/** @param path of its database, relative to the build's databases */
export function hostileRecord(record_id: string, path = "evil/evil.sqlite"): TaskRecord {
  return {
    schema_version: "1.0.0",
    record_id,
    avt_id: evil("avt"),
    dataset: "ambiqt",
    split: "all",
    slices: [],
    public: {
      request: `Show ${evil("term")} please: ${evil("request")}`,
      database: { engine: "sqlite", database_id: DATABASE, path },
      column_meanings: { [evil("column")]: evil("meaning") },
      external_knowledge: [
        { id: evil("kid"), name: evil("kname"), description: evil("kdesc"), definition: evil("kdef") },
      ],
    },
    oracle: {
      clear_request: evil("clear"),
      withheld_evidence: evil("evidence"),
      ambiguities: [
        {
          ambiguity_id: evil("aid"),
          term: evil("term"),
          aliases: [evil("alias")],
          kind: "column_choice",
          counts: true,
          resolution: evil("resolution"),
          response: evil("response"),
          response_status: "template",
          concepts: [evil("concept")],
          sql_snippet: evil("snippet"),
        },
      ],
    },
    verifier: {
      reference_sql: [`SELECT ${quoteLiteral(evil("cell").replaceAll("\u0000", ""))} AS x, 1 AS y`],
      alternative_sql: [`SELECT ${evil("broken")}`, "SELECT 2, 2"],
      comparison: { policy: "multiset", ordered: false },
      verifiable: true,
      success: "comparison",
      category: "query",
      test_cases: [evil("test")],
      setup_sql: [evil("setup")],
      follow_up: { text: evil("follow") },
    },
    provenance: {
      source: "ambiqt",
      source_version: evil("version"),
      file: evil("file"),
      file_sha256: HASH,
      row: 3,
      row_sha256: HASH,
      pipeline_version: evil("pipeline"),
      decisions_ref: `ledger.jsonl#${KEY}`,
      notes: [evil("note")],
    },
  };
}

const ledger: LedgerEntry = {
  key: KEY,
  dataset: "ambiqt",
  source: evil("source"),
  origin: { file: evil("file"), file_sha256: HASH, row: 3, row_sha256: HASH },
  steps: [
    {
      stage: evil("stage"),
      version: "1",
      outcome: "kept",
      item: evil("item"),
      evidence: [{ kind: evil("kind"), ...{ [evil("name")]: evil("value"), sql: evil("sql") } }],
    },
    {
      stage: evil("stage2"),
      version: "1",
      outcome: "dropped",
      reason: evil("reason"),
      detail: evil("detail"),
      subject: evil("subject"),
    },
  ],
  record_ids: [RECORD, SIBLING],
};

const dropped: DroppedRow = {
  key: KEY,
  file: evil("file"),
  row: 3,
  row_sha256: HASH,
  stage: evil("stage"),
  reason: evil("reason"),
  detail: evil("detail"),
  subject: evil("subject"),
};

const counts = { records: 2, databases: 1, ambiguities: 2 };
const funnel: Funnel = {
  dataset: "ambiqt",
  rows: 3,
  stages: [{ stage: evil("stage"), in: 3, kept: 2, out: 2, dropped: 1, reasons: { [evil("reason")]: 1 } }],
  ...counts,
  avts: 1,
  published: counts,
  missing: {},
  findings: {},
};

const episode: EpisodeRecord = {
  episode_id: EPISODE,
  record_id: RECORD,
  avt_id: evil("avt"),
  dataset: "ambiqt",
  split: "all",
  condition: "asker",
  asker: evil("asker"),
  seed: 0,
  ambiguities: 1,
  max_turn: 4,
  donor: SIBLING,
  turns: [
    {
      question: evil("question"),
      response: evil("answer"),
      action: { kind: "labeled", term: evil("routed") },
      why: evil("why"),
      live_credits: [evil("live")],
      credits: [evil("credit")],
      credit_source: "label",
    },
  ],
  stop: "fallback",
  fallback_stop: true,
  unread_reply: evil("unread"),
  sql: evil("sql"),
  verdict: "mismatch",
  detail: evil("verdict"),
  flags: [evil("flag")],
  prompts: [PROMPT],
  usage: { [evil("role")]: { calls: 1, prompt_tokens: 2, completion_tokens: 3 } },
  timings_ms: { asking: 1, solving: 1, verifying: 1 },
};

const settings: RunSettings = {
  schema_version: "1.0.0",
  tool: "ambitab 0.1.0",
  suite: { kind: "build", name: evil("suite"), hash: HASH },
  datasets: ["ambiqt"],
  split: null,
  slice: null,
  limit: null,
  asker: evil("asker"),
  oracle: evil("oracle"),
  solver: evil("solver"),
  synthetic: true,
  seeds: [0],
  conditions: { none: "none", asker: evil("asker"), full: "full" },
};

const lines = (values: readonly object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** Writes both below `home` and says where they are. */
export function writeHostile(home: string): { build: string; run: string } {
  const build = join(home, "build");
  const folder = join(build, "ambiqt");
  mkdirSync(join(folder, "databases", "evil"), { recursive: true });
  const records = [hostileRecord(RECORD), hostileRecord(SIBLING, "../../../outside.sqlite")];
  writeFileSync(join(folder, "records.jsonl"), `${lines(records)}{"record_id": "half <script>\n`);
  writeFileSync(join(folder, "dropped.jsonl"), `${lines([dropped])}[1]\n`);
  writeFileSync(join(folder, "ledger.jsonl"), lines([ledger]));
  writeFileSync(join(folder, "funnel.json"), JSON.stringify(funnel));
  writeFileSync(join(folder, "lock.json"), "{}");
  const database = new Database(join(folder, "databases", "evil", "evil.sqlite"));
  const [table, column] = [TABLE, evil("column")].map((name) =>
    quoteIdentifier(name.replaceAll("\u0000", "")),
  );
  database.exec(`CREATE TABLE ${table} (${column} TEXT, n INTEGER, b BLOB)`);
  const insert = database.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`);
  for (let row = 0; row < 60; row += 1)
    insert.run(row === 0 ? evil("cell") : null, row, Buffer.from([0, 255]));
  database.close();
  const run = join(home, evil("run").replaceAll(/[/\u0000]/g, ""));
  mkdirSync(run);
  writeFileSync(join(run, "run.json"), JSON.stringify(settings));
  writeFileSync(join(run, "episodes.jsonl"), `${lines([episode])}oops\n{"half`);
  writeFileSync(
    join(run, "prompts.jsonl"),
    lines([{ sha256: PROMPT, role: "context", text: evil("prompt") }]),
  );
  return { build, run };
}
