// Writes sources/bird/sample/responses/bird.jsonl.gz: the answers of answers.mjs to all that a build of the sample's AmbiTab-Bird asks, as a
// response archive, so that the sample builds without a model. SYNTHETIC: no model had a part in it; the archive says so in
// each line's served_model. Build the package first; run it again after a change of a prompt, the rows or the answers.
//   node scripts/build.mjs && node test/datasets/bird/make-sample-responses.mjs [folder]
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { configureModels, openModelClient } from "../../../dist/pipelines/model/index.js";
import { runPipeline } from "../../../dist/pipelines/engine/run.js";
import { PIPELINES } from "../../../dist/pipelines/datasets/index.js";
import { startModelServer } from "../../model/model-server.mjs";
import { reply } from "../../../sources/bird/sample/answers.mjs";

const home = join(dirname(fileURLToPath(import.meta.url)), "../../../sources/bird/sample");
const folder = process.argv[2] ?? home;
const out = mkdtempSync(join(tmpdir(), "ambitab-responses-"));
const server = await startModelServer({
  rules: [{ answer: ({ role, body }) => ({ text: reply(role, body.messages), model: "scripted answers, no model" }) }],
});
try {
  const models = configureModels({ endpoints: { local: { base_url: server.url } } }, {});
  const model = await openModelClient({ models, out });
  await runPipeline(await PIPELINES.find(({ dataset }) => dataset === "bird").load(), {
    out,
    root: home,
    sourceVersion: "sample",
    settings: { seed: 1, limit: null, strict_readings: false, keep_going: false },
    model,
    resume: "",
  });
  const archive = join(out, "bird.jsonl.gz");
  const { responses } = model.exportArchive(archive);
  await model.close();
  // How long a made-up answer took says nothing; without it the same bytes come out every time.
  const lines = gunzipSync(readFileSync(archive)).toString("utf8").replaceAll(/"latency_ms":\d+/g, '"latency_ms":0');
  const bytes = gzipSync(lines, { level: 9 });
  bytes[9] = 255;
  mkdirSync(join(folder, "responses"), { recursive: true });
  writeFileSync(join(folder, "responses", "bird.jsonl.gz"), bytes);
  console.log(`${responses} made-up answers`);
} finally {
  await server.close();
  rmSync(out, { recursive: true, force: true });
}
