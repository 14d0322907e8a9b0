// Asks a model numbered questions through the compiled client, and says so when each is answered; for tests that kill it
// or run it twice at once:  node test/model/asking.mjs <base_url> <out> <questions> <slots>
import { configureModels, openModelClient } from "../../dist/pipelines/model/index.js";

const [base_url, out, questions, slots] = process.argv.slice(2);
const endpoints = { local: { base_url, concurrency: Number(slots), backoff_ms: 1, max_attempts: 12 } };
const client = await openModelClient({ models: configureModels({ endpoints }, {}), out });
const asked = Array.from({ length: Number(questions) }, async (_, n) => {
  const messages = [{ role: "user", content: `question ${n}` }];
  const { key, text } = await client.ask({ role: "solver", template: "test@1", messages });
  process.stdout.write(`${JSON.stringify({ n, key, text })}\n`);
});
await Promise.all(asked);
await client.close();
