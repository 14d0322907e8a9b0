/**
 * The prompts of a real record of each dataset whose source is here, held by hash: upstream's text is not ours to commit.
 * A copy of the source with other bytes has other records, and is left alone.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { SchemaCache } from "../../../pipelines/evaluation/agent-context.js";
import { ASKING_STYLES, askerMessages } from "../../../pipelines/evaluation/prompts/asker.js";
import { solverMessages } from "../../../pipelines/evaluation/prompts/solver.js";
import { agentViewOf } from "../../../pipelines/evaluation/task.js";
import { REFUSAL } from "../../../pipelines/oracle/index.js";
import { sha256 } from "../../../pipelines/record/ids.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { buildDatasets } from "../../../scripts/build.js";
import { recordsOf, temporaryFolder } from "../../release/sample.js";

const DATA = process.env.AMBITAB_DATA ?? "../shared/data";
const GOLDEN = new URL("./goldens/real.json", import.meta.url);
/** Datasets whose real rows build quickly and without a model; their sources are called the same. */
const REAL = ["ambiqt", "ambrosia"] as const;

interface Golden {
  readonly record_id: string;
  readonly file_sha256: string;
  readonly prompts_sha256: string;
}

const dialogue = [
  { question: "What do you mean by that?", response: "The first one." },
  { question: "And by this?", response: REFUSAL },
];

function goldenOf(record: TaskRecord, build: string): Golden {
  const view = agentViewOf(record, join(build, record.dataset, "databases"), new SchemaCache(), "run");
  const asked = ASKING_STYLES.map((style) =>
    askerMessages(style, view, dialogue, { turn: 3, maxTurn: 5 }, 8000),
  );
  const { record_id, provenance } = record;
  const text = JSON.stringify([...asked, solverMessages(view, dialogue, 8000)]);
  expect(text).toContain(JSON.stringify(record.public.request).slice(1, -1));
  return { record_id, file_sha256: provenance.file_sha256, prompts_sha256: sha256(text) };
}

const here = REAL.filter((name) => existsSync(join(DATA, name)));

describe.skipIf(here.length === 0)(`real records of ${here.join(", ")} (source data in ${DATA})`, () => {
  const found = new Map<string, Golden>();
  beforeAll(async () => {
    const out = temporaryFolder();
    await buildDatasets(here, {
      out,
      jobs: 2,
      from: Object.fromEntries(here.map((name) => [name, join(DATA, name)])),
      seed: 1,
      limit: 20,
      quiet: true,
      json: false,
      keepGoing: true,
      strictReadings: false,
    });
    const build = join(out, "build");
    for (const record of await recordsOf(build)) {
      if (!found.has(record.dataset)) found.set(record.dataset, goldenOf(record, build));
    }
  }, 300_000);

  it("have the prompts that were written down", () => {
    const known = JSON.parse(readFileSync(GOLDEN, "utf8")) as Record<string, Golden>;
    const same = [...found].filter(([name, one]) => known[name]?.file_sha256 === one.file_sha256);
    expect(Object.fromEntries(same)).toEqual(Object.fromEntries(same.map(([name]) => [name, known[name]])));
    expect(found.size).toBeGreaterThan(0);
  });
});
