// The README's example of an asker behind an address: node example-asker.mjs 8001, then --asker http://127.0.0.1:8001
import { createServer } from "node:http";

const done = { type: "done", output: null };

/** Asks about the first column whose name ends in a word of the request, once. */
function decide({ view, dialogue }) {
  const words = view.request.toLowerCase().split(/\W+/);
  const columns = view.schema.flatMap((table) => table.columns.map(({ name }) => name));
  const doubtful = columns.find((name) => words.some((word) => word !== "" && name.endsWith(`_${word}`)));
  if (doubtful === undefined || dialogue.length > 0) return done;
  return { type: "clarification", output: `Do you mean "${doubtful}"?` };
}

createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  response.end(JSON.stringify(decide(JSON.parse(body))));
}).listen(Number(process.argv[2]), "127.0.0.1", () => console.log("ready"));
