import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { probeMessages } from "../../../pipelines/datasets/ew-bird/prompts/probe.js";
import { type ModelServer, type SeenRequest, startModelServer } from "../../model/model-server.mjs";
import { ambitab, type Built, builtIn, outFolder, removeFolders, SAMPLE } from "./building.js";

const servers: ModelServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
  removeFolders();
});

type Row = { db_id: string; question: string; evidence: string };
const rows = (file: string): Row[] => JSON.parse(readFileSync(join(SAMPLE, file), "utf8")) as Row[];
const answers = (given: string): Record<string, string | 0> =>
  JSON.parse(readFileSync(join(SAMPLE, "predictions", `${given}.json`), "utf8")) as Record<
    string,
    string | 0
  >;
const FILES = { without: answers("without"), with: answers("with") };
const ROWS: [string, Row][] = [
  ...rows("dev/dev.json").map((row, id): [string, Row] => [String(id), row]),
  ...rows("train/train.json").map((row, id): [string, Row] => [`train/${id}`, row]),
];

/** Answers as the sample's predictions do, in the form that the prompt asks for. */
function fromPredictions({ prompt }: SeenRequest): string {
  const [id, row] = ROWS.find(([, { question }]) => prompt.includes(`Question:\n${question}`)) ?? [];
  if (id === undefined || row === undefined) return "I know no such question.";
  const given = prompt.includes("Hint from the person who asks:") ? "with" : "without";
  const answer = FILES[given][id];
  if (typeof answer !== "string") return "I cannot answer that.";
  const [sql] = answer.split("\t----- bird -----\t");
  return JSON.stringify({ reasoning: "as asked", type: "final_sql", output: sql });
}

async function serve(options: Parameters<typeof startModelServer>[0] = {}): Promise<ModelServer> {
  const server = await startModelServer(options);
  servers.push(server);
  return server;
}

/** A configuration file whose endpoint is the server, with little patience. */
function modelsFile(server: ModelServer): string {
  const file = join(outFolder(), "models.json");
  const endpoint = {
    base_url: server.url,
    concurrency: 16,
    max_attempts: 6,
    backoff_ms: 1,
    max_backoff_ms: 20,
  };
  writeFileSync(file, JSON.stringify({ endpoints: { local: endpoint } }));
  return file;
}

const build = (out: string, ...more: string[]) =>
  ambitab(["build", "ew-bird", "--from", `bird=${SAMPLE}`, "--out", out, "--quiet", ...more]);

const folderOf = ({ text }: Built): string[] =>
  ["records.jsonl", "dropped.jsonl", "ledger.jsonl", "funnel.json", "lock.json"].map(text);

describe("a build whose probes are models", () => {
  it("keeps what the replayed predictions keep, survives a failing server, and rebuilds from its archive alone", async () => {
    const faulty = await serve({
      rules: [
        { model: "google/gemma-3-27b-it", answer: "no idea" },
        { contains: "", answer: fromPredictions },
      ],
      faults: { share: 0.2, seed: 3, kinds: ["error-500", "reset", "rate-limit-told", "null-content"] },
      retryAfterMs: 1,
    });
    const out = outFolder();
    const first = await build(out, "--models", modelsFile(faulty));
    expect(first.stderr).toBe("");
    const built = builtIn(out);
    expect(built.funnel.records).toBe(14);
    expect(Object.keys(faulty.faults).length).toBeGreaterThan(0);
    // The second model is asked where the first does not admit the row, and never says anything.
    expect(built.dropped.filter(({ reason }) => reason === "probe_no_answer")).toHaveLength(4);
    const { models } = built.lock.settings as { models: Record<string, { model: string }> };
    expect(Object.keys(models)).toEqual(["evidence-probe-a", "evidence-probe-b"]);
    expect(JSON.stringify(built.lock)).not.toContain(faulty.url);

    const archive = join(out, "answers.jsonl.gz");
    expect((await ambitab(["models", "export", archive, "--out", out])).status).toBe(0);
    await faulty.close();
    const elsewhere = outFolder();
    expect((await ambitab(["models", "import", archive, "--out", elsewhere])).status).toBe(0);
    const replayed = await build(elsewhere, "--replay-only");
    expect(replayed.stderr).toBe("");
    expect(folderOf(builtIn(elsewhere))).toEqual(folderOf(built));

    // Without the archive the replay says how much it lacks, and makes no folder.
    const empty = outFolder();
    const lacking = await build(empty, "--replay-only");
    expect(lacking.status).toBe(2);
    expect(lacking.stderr).toMatch(
      /36 model answers are missing: 36 of the role "evidence-probe-a" \(ew-bird-probe@1/,
    );
    expect(() => builtIn(empty)).toThrow(/ENOENT/);
  });

  it("does not decide a row for the server's fault, keeps what was answered, and goes on from there", async () => {
    let down = true;
    const server = await serve({
      rules: [
        {
          contains: "",
          answer: (request) =>
            down && request.prompt.includes("fast boats") ? { fault: "error-500" } : fromPredictions(request),
        },
      ],
    });
    const out = outFolder();
    const models = modelsFile(server);
    const broken = await build(out, "--models", models);
    expect(broken.status).toBe(2);
    expect(broken.stderr).toMatch(
      /a row of ew-bird could not be decided: the model for the role "evidence-probe-a"/,
    );
    const before = server.answered;
    down = false;
    rmSync(join(out, "cache", "stages.sqlite"), { force: true });
    expect(await build(out, "--models", models)).toMatchObject({ status: 0, stderr: "" });
    expect(builtIn(out).funnel.records).toBe(14);
    // What was answered before is not asked again.
    expect(server.answered - before).toBeLessThan(6);
  });

  it("shows a probe the schema and the question, and the evidence only where it is given", () => {
    const [system, without] = probeMessages("TABLE port (\n)", "How many ports?", null);
    const [, given] = probeMessages("TABLE port (\n)", "How many ports?", "ports refers to port");
    expect(system?.content).toContain('"type": "final_sql"');
    expect(without?.content).toBe("SQLite schema:\n\nTABLE port (\n)\n\nQuestion:\nHow many ports?");
    expect(given?.content).toBe(
      `${without?.content}\n\nHint from the person who asks:\nports refers to port`,
    );
  });
});
