// A real HTTP server in the place of a model: answers by rule, and does on request what such servers do when they fail.
// Plain JavaScript, so that tests import it, benches run it, and system tests start it as a process of its own:
//   node test/model/model-server.mjs '{"rules": [...], "faults": {"share": 0.2}}'   prints {"url": "…"} and ends with its stdin
//   node test/model/model-server.mjs rules.mjs                                      the same, with the module's default export
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

/** Faults that a client gets over by asking again. */
export const PASSING_FAULTS = [
  "rate-limit-told",
  "rate-limit",
  "error-500",
  "reset",
  "hang",
  "hang-in-body",
  "error-body",
  "null-content",
  "truncated-json",
];
/** Faults that stay, whoever asks again. */
export const LASTING_FAULTS = ["context-overflow", "unauthorized", "not-found", "bad-request"];

/** What models wrap around an answer: name → the dressed text. */
export const DRESSES = {
  plain: (text) => text,
  "think-closed": (text) => `<think>\nMaybe {"output": "a draft"}, or ${"`"}x${"`"}.\n</think>\n\n${text}`,
  "think-open": (text) => `<think>\nLet me see, { that is it.\n\n${text}`,
  "think-tail": (text) => `so {"output": "a draft"} it is.\n</think>\n${text}`,
  fence: (text) => `Here you are:\n\`\`\`json\n${text}\n\`\`\`\nI hope this helps {really}.`,
  prose: (text) => `Sure! The answer is ${text} as you asked.`,
  "two-sql-blocks": (text) => `First try:\n\`\`\`sql\nSELECT 'a draft'\n\`\`\`\nBetter:\n\`\`\`sql\n${text}\n\`\`\`\n`,
};

const hash = (text) => createHash("sha256").update(text).digest();
/** A number in [0, 1) that depends on its arguments alone. */
const share = (...parts) => hash(JSON.stringify(parts)).readUInt32LE(0) / 2 ** 32;

const promptOf = ({ messages = [] }) => messages.map(({ content }) => content).join("\n");

function matches({ role, model, contains }, request) {
  if (role !== undefined && role !== request.role) return false;
  if (model !== undefined && model !== request.model) return false;
  if (contains === undefined) return true;
  return contains instanceof RegExp ? contains.test(request.prompt) : request.prompt.includes(contains);
}

const asAnswer = (answer) => (typeof answer === "string" ? { text: answer } : answer);

const json = (response, status, body, headers = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

/** Starts of a body that never comes to its end. */
function begin(response, body) {
  const text = JSON.stringify(body);
  response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
  response.write(text.slice(0, Math.ceil(text.length / 2)));
}

const failing = {
  "rate-limit-told": (response, { retryAfterMs }) =>
    json(response, 429, { error: { message: "slow down" } }, { "retry-after-ms": String(retryAfterMs) }),
  "rate-limit": (response) => json(response, 429, { error: { message: "slow down" } }),
  "error-500": (response) => response.writeHead(500, { "content-type": "text/html" }).end("<h1>Oops</h1>"),
  reset: (response, _, body) => {
    begin(response, body);
    setTimeout(() => response.destroy(), 1);
  },
  hang: () => undefined,
  "hang-in-body": (response, _, body) => begin(response, body),
  "error-body": (response) => json(response, 200, { error: { message: "engine died" } }),
  "null-content": (response, _, body) => {
    const [choice] = body.choices;
    json(response, 200, { ...body, choices: [{ ...choice, message: { role: "assistant", content: null } }] });
  },
  "truncated-json": (response, _, body) => {
    const text = JSON.stringify(body);
    response.writeHead(200, { "content-type": "application/json" }).end(text.slice(0, -20));
  },
  "context-overflow": (response) =>
    json(response, 400, {
      object: "error",
      message: "This model's maximum context length is 16384 tokens. However, you requested 20000 tokens.",
      code: 400,
    }),
  unauthorized: (response, _, __, request) =>
    json(response, 401, { error: { message: `Incorrect API key provided: ${request.authorization}` } }),
  "not-found": (response, _, __, { model }) =>
    json(response, 404, { error: { message: `The model ${model} does not exist.` } }),
  "bad-request": (response) => json(response, 400, { error: { message: "Unrecognized request argument" } }),
};

class ModelServer {
  #options;
  #server;
  #tries = new Map();
  #rules = new Map();
  #running = 0;
  url = "";
  /** Requests in the order of their coming: role, model, prompt, body, the fault they met, when (ms), answered whole. */
  requests = [];
  mostAtOnce = 0;

  constructor(options) {
    this.#options = { rules: [], delayMs: 0, retryAfterMs: 20, ...options };
    this.#server = createServer((request, response) => this.#receive(request, response));
  }

  get faults() {
    return count(this.requests.map(({ fault }) => fault).filter((fault) => fault !== undefined));
  }
  get answered() {
    return this.requests.filter(({ answered }) => answered).length;
  }
  /** Prompt → how often it was answered whole. */
  get answeredByPrompt() {
    return count(this.requests.filter(({ answered }) => answered).map(({ prompt }) => prompt));
  }

  async listen(port = 0) {
    await new Promise((ready, failed) => {
      this.#server.once("error", failed).listen(port, "127.0.0.1", ready);
    });
    this.url = `http://127.0.0.1:${this.#server.address().port}/v1`;
    return this;
  }

  close() {
    return new Promise((closed) => {
      this.#server.close(closed);
      this.#server.closeAllConnections();
    });
  }

  #receive(request, response) {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url.replace(/^\/v1/, "");
      if (request.method === "GET") this.#get(path, response);
      else this.#post(JSON.parse(Buffer.concat(chunks).toString("utf8")), request.headers, response);
    });
  }

  #get(path, response) {
    const { models } = this.#options;
    if (path === "/models" && models !== null) {
      const names = models ?? ["test-model"];
      json(response, 200, { object: "list", data: names.map((id) => ({ id, object: "model" })) });
    } else if (path === "/counters") {
      const { requests, faults, answered, answeredByPrompt, mostAtOnce } = this;
      json(response, 200, { requests: requests.length, faults, answered, answeredByPrompt, mostAtOnce });
    } else json(response, 404, { error: { message: `nothing at ${path}` } });
  }

  /** The rule that fits; a rule with several answers gives them in turn, and its last one from then on. */
  #answer(request) {
    const { rules } = this.#options;
    const at = rules.findIndex((rule) => matches(rule, request));
    if (at < 0) return { text: `echo: ${request.prompt}` };
    const { answer } = rules[at];
    const turn = this.#rules.get(at) ?? 0;
    this.#rules.set(at, turn + 1);
    if (typeof answer === "function") return asAnswer(answer(request, turn));
    return asAnswer(Array.isArray(answer) ? answer[Math.min(turn, answer.length - 1)] : answer);
  }

  /** Drawn from the seed, the request and how often it came, so that order and concurrency change nothing. */
  #drawnFault(request) {
    const { faults } = this.#options;
    if (faults === undefined) return undefined;
    const { share: wanted, seed = 0, kinds = PASSING_FAULTS } = faults;
    const body = JSON.stringify(request.body);
    const tries = this.#tries.get(body) ?? 0;
    this.#tries.set(body, tries + 1);
    if (share(seed, body, tries) >= wanted) return undefined;
    return kinds[Math.floor(share(seed, body, tries, "kind") * kinds.length)];
  }

  #post(body, headers, response) {
    this.#running += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#running);
    response.once("close", () => {
      this.#running -= 1;
    });
    const request = {
      body,
      role: headers["x-ambitab-role"],
      model: body.model,
      prompt: promptOf(body),
      authorization: headers.authorization,
      at: performance.now(),
      answered: false,
    };
    this.requests.push(request);
    const { apiKey, delayMs } = this.#options;
    const refused = apiKey !== undefined && headers.authorization !== `Bearer ${apiKey}`;
    const fault = refused ? "unauthorized" : this.#drawnFault(request);
    const answer = fault === undefined ? this.#answer(request) : { text: "never seen whole" };
    const send = () => this.#send(response, request, { ...answer, fault: fault ?? answer.fault });
    const wait = answer.delayMs ?? delayMs;
    if (wait > 0) setTimeout(send, wait);
    else send();
  }

  #send(response, request, answer) {
    const { text = "", dress = "plain", finish_reason = "stop", model = request.model, usage, fault } = answer;
    const body = {
      id: "chatcmpl-test",
      object: "chat.completion",
      created: 0,
      model,
      choices: [
        { index: 0, finish_reason, message: { role: "assistant", content: DRESSES[dress](text) } },
      ],
      usage: usage ?? {
        prompt_tokens: Math.ceil(request.prompt.length / 4),
        completion_tokens: Math.ceil(text.length / 4),
      },
    };
    if (fault !== undefined) {
      request.fault = fault;
      if (typeof fault === "string") failing[fault](response, this.#options, body, request);
      else json(response, fault.status, fault.body ?? { error: { message: "told to" } }, fault.headers);
      return;
    }
    response.once("finish", () => {
      request.answered = true;
    });
    json(response, 200, body);
  }
}

const count = (values) => {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

/** Starts a server on a free port of this machine. */
export function startModelServer(options = {}) {
  return new ModelServer(options).listen(options.port);
}

async function main(argument) {
  const options = argument.endsWith(".mjs")
    ? (await import(pathToFileURL(argument).href)).default
    : JSON.parse(argument);
  const server = await startModelServer(options);
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  process.stdin.resume().on("end", () => process.exit(0));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv[2] ?? "{}");
}
