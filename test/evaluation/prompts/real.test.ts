/**
 * The prompts of real records of each dataset, held by hash: upstream's text is not ours to commit. A copy of the source
 * with other bytes has other records, and is left alone. Of AmbiTab-Bird the rows are BIRD's and the models' answers are
 * made up; TACO's US part makes no record of the copies that are public, so its records are of Beijing's database.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bird } from "../../../pipelines/datasets/bird/pipeline.js";
import { runPipeline } from "../../../pipelines/engine/run.js";
import { SchemaCache } from "../../../pipelines/evaluation/agent-context.js";
import { matcherMessages } from "../../../pipelines/evaluation/oracles/prompts/matcher.js";
import { responderMessages } from "../../../pipelines/evaluation/oracles/prompts/responder.js";
import { ASKING_STYLES, askerMessages } from "../../../pipelines/evaluation/prompts/asker.js";
import { solverMessages } from "../../../pipelines/evaluation/prompts/solver.js";
import { taskOf } from "../../../pipelines/evaluation/task.js";
import type { ModelMessage } from "../../../pipelines/model/types.js";
import { REFUSAL } from "../../../pipelines/oracle/index.js";
import { sha256 } from "../../../pipelines/record/ids.js";
import { estimateTokens, schemaText } from "../../../pipelines/record/schema-text.js";
import { openSqlEngines } from "../../../pipelines/sql/engines.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { buildDatasets } from "../../../scripts/build.js";
import { madeUpModel } from "../../datasets/bird/made-up-model.js";
import { rowsOf } from "../../datasets/bird/readings/real-rows.js";
import { recordsOf, temporaryFolder } from "../../release/sample.js";
import { realData } from "../../sources/temporary.js";

/** Tokens that a prompt's schema may take here: the default of a run. */
const SCHEMA_TOKENS = 8000;
/** BIRD's rows up to the first of superhero, the one database that the copy has. */
const SUPERHERO_ROWS = 730;

interface Golden {
  readonly record_id: string;
  readonly file_sha256: string;
  /** Of what askers and the solver are sent. */
  readonly prompts_sha256: string;
  /** Of what the oracle's matcher and responder are sent. */
  readonly oracle_sha256: string;
}

/** A folder into which the prompts are written, for whoever wants to read them. */
const SHOWN = process.env.AMBITAB_SHOW_PROMPTS;

type Given = Partial<Parameters<typeof buildDatasets>[1]>;

async function build(dataset: string, source: string, given: Given): Promise<string> {
  const out = temporaryFolder();
  await buildDatasets([dataset], {
    out,
    jobs: 2,
    from: { [source]: realData(source) ?? "" },
    seed: 1,
    quiet: true,
    json: false,
    keepGoing: true,
    strictReadings: false,
    ...given,
  });
  return join(out, "build", dataset);
}

const predictions = join(realData("bird") ?? "", "predictions");
const RELEASE = "dev_20240627";

async function buildBird(): Promise<string> {
  const out = temporaryFolder();
  const { folder } = await runPipeline(bird, {
    out,
    root: realData("bird") ?? "",
    settings: {
      seed: 1,
      limit: SUPERHERO_ROWS,
      strict_readings: false,
      keep_going: true,
      source_release: RELEASE,
    },
    jobs: 2,
    model: madeUpModel(rowsOf("dev/dev.json")),
  });
  return folder;
}

/** Dataset → its source, how it is built, and which records are looked at: the first of each database. */
const REAL: Record<string, { source: string; build: () => Promise<string>; records: number }> = {
  ambiqt: { source: "ambiqt", build: () => build("ambiqt", "ambiqt", { limit: 20 }), records: 1 },
  ambrosia: { source: "ambrosia", build: () => build("ambrosia", "ambrosia", { limit: 20 }), records: 1 },
  taco: { source: "taco", build: () => build("taco", "taco", { allRegions: true }), records: 2 },
  "ew-bird": {
    source: "bird",
    build: () =>
      build("ew-bird", "bird", {
        limit: SUPERHERO_ROWS,
        sourceRelease: RELEASE,
        probe: {
          without: join(predictions, "turbo_predict_dev.json"),
          with: join(predictions, "turbo_kg_predict_dev.json"),
        },
      }),
    records: 1,
  },
  bird: { source: "bird", build: buildBird, records: 1 },
  // Tasks of the full set, whose databases no public copy has, and after them alien_1.
  "bird-interact": {
    source: "bird-interact",
    build: () => build("bird-interact", "bird-interact", {}),
    records: 11,
  },
};

const QUESTION = "What do you mean by that?";
const dialogue = [
  { question: QUESTION, response: "The first one." },
  { question: "And by this?", response: REFUSAL },
];

const engines = openSqlEngines({ children: 1 });
afterAll(() => engines.close());

const textOf = (messages: readonly ModelMessage[]): string =>
  messages.map(({ role, content }) => `=== ${role}\n${content}\n`).join("");

/** What a record's parties are sent, as text. */
async function promptsOf(record: TaskRecord, databases: string): Promise<{ agent: string; oracle: string }> {
  const schemas = new SchemaCache();
  const { database } = record.public;
  if (database.engine === "postgres") await schemas.prepare(join(databases, database.path), engines);
  const task = taskOf(record, databases, schemas, "run");
  const { text, cut } = schemaText(task.agent.schema, {
    columnMeanings: task.agent.column_meanings,
    budget: SCHEMA_TOKENS,
  });
  const styles = ASKING_STYLES.map((style) =>
    askerMessages(style, task.agent, dialogue, { turn: 3, maxTurn: 5 }, SCHEMA_TOKENS),
  );
  const agent = [...styles, solverMessages(task.agent, dialogue, SCHEMA_TOKENS)];
  for (const messages of agent) {
    const said = textOf(messages);
    for (const needed of [record.public.request, database.database_id, text]) expect(said).toContain(needed);
    for (const { name, definition } of record.public.external_knowledge ?? [])
      for (const part of [name, definition]) expect(said).toContain(part);
    if (cut !== "") expect(said).toContain(`(left out to save room: ${cut})`);
    else
      for (const meaning of Object.values(record.public.column_meanings ?? {}))
        expect(said).toContain(meaning.replace(/\s+/g, " ").trim());
    expect(said).not.toMatch(/: undefined|\[object |\bNaN\b/);
  }
  expect(estimateTokens(text)).toBeLessThanOrEqual(SCHEMA_TOKENS + 100);
  const [first] = record.oracle.ambiguities;
  const action =
    first === undefined
      ? ({ kind: "unanswerable" } as const)
      : ({ kind: "labeled", term: first.term } as const);
  const result = { credits: [], action, why: "" };
  const oracle = [
    matcherMessages(task.oracle.matcher(), QUESTION),
    ...(["hidden", "shown"] as const).map((sql) =>
      responderMessages(task.oracle.responder(sql), QUESTION, result),
    ),
  ];
  for (const messages of oracle) expect(textOf(messages)).not.toMatch(/: undefined|\[object |\bNaN\b/);
  return { agent: agent.map(textOf).join("\n"), oracle: oracle.map(textOf).join("\n") };
}

/** The files of the source that the records written down were made of; none where nothing was. */
function knownFiles(dataset: string): Set<string> {
  const path = new URL(`./goldens/real-${dataset}.json`, import.meta.url);
  if (!existsSync(path)) return new Set();
  return new Set((JSON.parse(readFileSync(path, "utf8")) as Golden[]).map(({ file_sha256 }) => file_sha256));
}

describe.each(Object.entries(REAL))(
  "real records of %s",
  (dataset, { source, build: make, records: most }) => {
    it.skipIf(realData(source) === undefined)(
      "have the prompts that were written down",
      async () => {
        const folder = await make();
        const found: Golden[] = [];
        for (const record of (await recordsOf(folder)).slice(0, most)) {
          const { agent, oracle } = await promptsOf(record, join(folder, "databases"));
          const { record_id, provenance } = record;
          if (SHOWN !== undefined)
            writeFileSync(join(SHOWN, `${dataset}-${found.length}.txt`), `${agent}\n${oracle}`);
          const { file_sha256 } = provenance;
          found.push({
            record_id,
            file_sha256,
            prompts_sha256: sha256(agent),
            oracle_sha256: sha256(oracle),
          });
        }
        expect(found.length).toBeGreaterThan(0);
        const files = knownFiles(dataset);
        if (files.size > 0 && !found.some(({ file_sha256 }) => files.has(file_sha256))) return;
        const written = `${JSON.stringify(found, null, 2)}\n`;
        await expect(written).toMatchFileSnapshot(`goldens/real-${dataset}.json`);
      },
      300_000,
    );
  },
);
