/** The answering service by itself: what it refuses, what it bears, and every byte that crosses. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type Server } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ModelError, UserError } from "../../../pipelines/errors.js";
import { AnswersClient } from "../../../pipelines/evaluation/answers/client.js";
import { AnswerLog, GrowingAnswerLog } from "../../../pipelines/evaluation/answers/log.js";
import type { Asker } from "../../../pipelines/evaluation/askers/index.js";
import { predict } from "../../../pipelines/evaluation/run/index.js";
import { openParties } from "../../../pipelines/evaluation/run/parties.js";
import { runScope } from "../../../pipelines/evaluation/run/scope.js";
import { canonicalQuestion, REFUSAL } from "../../../pipelines/oracle/index.js";
import { openSuite, type Suite } from "../../../pipelines/record/suite.js";
import { openSqlEngines, type SqlEngines } from "../../../pipelines/sql/engines.js";
import type { Prediction } from "../../../schemas/types/prediction.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import { buildSample, recordsOf, temporaryFolder, writeRecords } from "../../release/sample.js";
import { withCanaries } from "../canaries.js";
import { type Holder, type HolderOptions, ownAsker, ownSolver, startHolder } from "./holder.js";

let out = "";
let build = "";
let suite: Suite;
let records: TaskRecord[];
let sandbox: SqlEngines;
let asker = "";
let solver = "";
beforeAll(async () => {
  out = temporaryFolder();
  build = await buildSample(out);
  suite = openSuite(build);
  records = await recordsOf(build);
  asker = ownAsker(out);
  solver = ownSolver(out, records);
  sandbox = openSqlEngines({ children: 2 });
}, 120_000);
afterAll(() => sandbox.close());

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let made = 0;
const fresh = (): string => join(out, `made-${++made}`, "run");

async function holder(options: Partial<HolderOptions> = {}): Promise<Holder> {
  const one = await startHolder({ suite, log: `${fresh()}.sqlite`, ...options });
  closing.push(() => one.close());
  return one;
}

/** Posts as any program might, and gives the status and the reply. */
async function post(
  address: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = { "content-type": "application/json" },
): Promise<{ status: number; reply: Record<string, unknown> }> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${address}${path}`, { method: "POST", headers, body: text });
  return { status: response.status, reply: (await response.json()) as Record<string, unknown> };
}

/** The call about a record's episode. */
const callOf = (record: TaskRecord, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  release: suite.publicHash,
  oracle: "deterministic",
  run: "run-1",
  record_id: record.record_id,
  condition: "asker",
  seed: 0,
  ...more,
});
const terms = ({ oracle }: TaskRecord): string[] =>
  oracle.ambiguities.filter(({ counts }) => counts).map(({ term }) => term);

describe("a question", () => {
  it("is answered in the oracle's words and with nothing else, and the same call again costs nothing", async () => {
    const { address, log } = await holder();
    const [record] = records;
    const opened = await post(address, "/open", callOf(record!));
    expect(opened).toEqual({ status: 200, reply: { max_turn: terms(record!).length + 3, asked: [] } });
    const question = canonicalQuestion(terms(record!)[0]!);
    const ask = callOf(record!, { dialogue: [], question });
    // Many at once: one of them is answered, the others are told the same.
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(address, "/ask", ask)));
    const { response } = record!.oracle.ambiguities[0]!;
    for (const reply of replies) {
      expect(reply).toEqual({ status: 200, reply: { response, questions_left: terms(record!).length + 1 } });
    }
    expect(log.counts()).toEqual({ questions: 1, runs: 1 });
    const dialogue = [{ question, response }];
    const none = await post(address, "/ask", callOf(record!, { dialogue, question: "Please elaborate." }));
    expect(none.reply).toEqual({ response: REFUSAL, questions_left: terms(record!).length });
    expect((await post(address, "/open", callOf(record!))).reply.asked).toEqual([
      question,
      "Please elaborate.",
    ]);
    // Another seed, condition or run is another episode.
    expect((await post(address, "/open", callOf(record!, { seed: 1 }))).reply.asked).toEqual([]);
  });

  it("beyond the budget, besides the dialogue or in place of another is refused", async () => {
    const { address, log } = await holder();
    const [record] = records;
    const dialogue: { question: string; response: string }[] = [];
    const most = terms(record!).length + 2;
    for (let turn = 1; turn <= most; turn += 1) {
      const question = `What is number ${turn}?`;
      const { reply } = await post(address, "/ask", callOf(record!, { dialogue, question }));
      expect(reply.questions_left).toBe(most - turn);
      dialogue.push({ question, response: String(reply.response) });
    }
    const refused = async (more: Record<string, unknown>): Promise<string> => {
      const { status, reply } = await post(address, "/ask", callOf(record!, more));
      expect(status).toBe(422);
      expect(Object.keys(reply)).toEqual(["error"]);
      return String(reply.error);
    };
    expect(await refused({ dialogue, question: "One more?" })).toMatch(new RegExp(`has ${most} questions`));
    expect(await refused({ dialogue: [], question: "Another?" })).toMatch(
      /question 1 of this episode was another/,
    );
    const forged = [{ question: dialogue[0]!.question, response: "It is resolved." }];
    expect(await refused({ dialogue: forged, question: "And?" })).toMatch(/turn 1 of the dialogue is not/);
    expect(await refused({ run: "run-2", dialogue, question: "And?" })).toMatch(
      /turn 1 of the dialogue is not/,
    );
    expect(log.counts()).toEqual({ questions: most, runs: 1 });
  });

  it("that is no proper call is refused, and says what is wrong with it", async () => {
    const { address } = await holder({ token: "a-secret-token" });
    const bearing = { "content-type": "application/json", authorization: "Bearer a-secret-token" };
    const [record] = records;
    const call = callOf(record!);
    const cases: [string, unknown, Record<string, string>, number, RegExp][] = [
      ["/open", call, { "content-type": "application/json" }, 401, /no token/],
      ["/open", call, { ...bearing, authorization: "Bearer another" }, 401, /no token, or a wrong one/],
      ["/open", call, { ...bearing, "content-type": "text/plain" }, 415, /application\/json/],
      ["/open", "{", bearing, 400, /no JSON/],
      ["/open", { ...call, more: 1 }, bearing, 400, /additional properties "more"/],
      ["/open", { ...call, seed: "0" }, bearing, 400, /seed must be integer/],
      ["/open", { ...call, condition: "none" }, bearing, 400, /condition must be/],
      ["/ask", call, bearing, 400, /comes with the dialogue/],
      ["/open", { ...call, record_id: "../../etc/passwd" }, bearing, 404, /no record/],
      [
        "/open",
        { ...call, release: "another" },
        bearing,
        412,
        new RegExp(`${suite.publicHash}.*not for another`),
      ],
      ["/open", { ...call, oracle: "llm" }, bearing, 412, /deterministic, not with llm/],
      ["/open", { ...call, condition: "full" }, bearing, 403, /has not allowed it/],
      ["/records", call, bearing, 404, /there is GET/],
      ["/ask", `{"dialogue":"${"x".repeat(17_000_000)}"}`, bearing, 413, /larger than/],
    ];
    for (const [path, body, headers, status, why] of cases) {
      const got = await post(address, path, body, headers);
      expect([path, got.status, got.reply.error]).toEqual([path, status, expect.stringMatching(why)]);
      expect(Object.keys(got.reply)).toEqual(["error"]);
    }
  });

  it("that the holder's models cannot answer is put off, and only the holder sees why", async () => {
    const { address, faults } = await holder({ oracle: "llm" });
    const [record] = records;
    const got = await post(
      address,
      "/ask",
      callOf(record!, { oracle: "llm", dialogue: [], question: "What?" }),
    );
    expect(got).toEqual({
      status: 503,
      reply: { error: "the service cannot answer now; its holder sees why" },
    });
    expect(String(faults[0])).toMatch(/model/);
  });
});

describe("the log", () => {
  it("keeps budgets over a restart, and is continued under the same settings alone", async () => {
    const path = `${fresh()}.sqlite`;
    const first = await startHolder({ suite, log: path });
    const call = callOf(records[0]!, { dialogue: [], question: "What?" });
    const before = await post(first.address, "/ask", call);
    await first.close();
    const second = await holder({ log: path });
    expect(await post(second.address, "/ask", call)).toEqual(before);
    expect(second.log.counts()).toEqual({ questions: 1, runs: 1 });
    await expect(startHolder({ suite, log: path, oracle: "hybrid" })).rejects.toThrow(
      /was begun with another release, oracle or model/,
    );
  });

  it("that is none is refused by name", () => {
    const path = join(out, "no log.sqlite");
    expect(() => AnswerLog.read(path)).toThrow(/there is no log/);
    writeFileSync(path, "This is a text, and as long as a database's header. ".repeat(20));
    const { kind, name, hash } = suite;
    expect(() => AnswerLog.read(path)).toThrow(/is no log of ambitab answer/);
    expect(() =>
      GrowingAnswerLog.open(path, { suite: { kind, name, hash }, oracle: "deterministic" }),
    ).toThrow(/is no log of ambitab answer/);
    expect(existsSync(path)).toBe(true);
  });
});

/** What a connection does to a request on its way. */
type Fault = "pass" | "lose the call" | "lose the answer" | "half an answer" | "429" | "500" | "no JSON";

/** Something between client and service that makes trouble; asks what to do with every request. */
async function trouble(target: () => string, next: (path: string) => Fault): Promise<string> {
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const fault = next(request.url ?? "");
      if (fault === "lose the call") return void request.socket.destroy();
      if (fault === "429") return void response.writeHead(429, { "retry-after": "0.05" }).end("{}");
      if (fault === "500") return void response.writeHead(500).end("<html>oh</html>");
      if (fault === "no JSON") return void response.writeHead(200).end("<html>hello</html>");
      const { method, headers, url = "" } = request;
      const onward = httpRequest(`${target()}${url}`, { method, headers }, (reply) => {
        const body: Buffer[] = [];
        reply.on("data", (chunk: Buffer) => body.push(chunk));
        reply.on("end", () => {
          const whole = Buffer.concat(body);
          if (fault === "lose the answer") return void request.socket.destroy();
          response.writeHead(reply.statusCode ?? 500, { ...reply.headers, "content-length": whole.length });
          if (fault === "pass") return void response.end(whole);
          response.write(whole.subarray(0, 5), () => request.socket.destroy());
        });
      });
      onward.on("error", () => response.writeHead(502).end("{}"));
      onward.end(Buffer.concat(chunks));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  closing.push(() => new Promise<void>((closed) => server.close(() => closed()).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function predicted(
  address: string,
  on: Suite,
  more: { asker?: Asker; folder?: string; resume?: boolean; limit?: number; patienceMs?: number } = {},
): Promise<{ folder: string; lines: Prediction[] }> {
  const { folder = fresh(), resume = false, limit = 8, patienceMs } = more;
  const answers = await AnswersClient.connect(address, patienceMs === undefined ? {} : { patienceMs });
  closing.push(() => answers.close());
  const parties = await openParties({ asker, oracle: "deterministic", solver }, ["ambiqt"]);
  const own = more.asker ?? parties.asker;
  const settings: RunSettings = {
    ...runScope(on, { datasets: ["ambiqt"], limit }),
    ...parties.settings,
    asker: own.name,
    conditions: { none: "none", asker: own.name },
    answered_by: { run: folder },
  };
  const { oracleOf } = parties;
  const rest = { suite: on, settings, sandbox, width: 3, resume, answers, oracleOf };
  await predict({ ...rest, asker: own, solver: parties.solver, folder });
  return { folder, lines: linesIn(folder) };
}
const linesIn = (folder: string): Prediction[] =>
  readFileSync(join(folder, "predictions.jsonl"), "utf8")
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Prediction)
    .sort((a, b) => (a.episode_id < b.episode_id ? -1 : 1));
const wordsOf = (lines: readonly Prediction[]) =>
  lines.map(({ episode_id, turns, stop, sql }) => ({ episode_id, turns, stop, sql }));

describe("faults on the way", () => {
  it("cost no question and change no prediction, a restart of the service in the middle included", async () => {
    const path = `${fresh()}.sqlite`;
    const quiet = await holder();
    const { lines: expected } = await predicted(quiet.address, suite);
    let current = await startHolder({ suite, log: path });
    closing.push(() => current.close());
    let asked = 0;
    const kinds: Fault[] = ["lose the answer", "429", "half an answer", "500", "lose the call", "no JSON"];
    const seen = new Set<Fault>();
    const address = await trouble(
      () => current.address,
      (url) => {
        if (url === "/") return "pass";
        asked += 1;
        if (asked === 9) {
          const old = current;
          // The old one ends and a new one begins, on another port; in between nobody is there.
          void old.close().then(async () => {
            current = await startHolder({ suite, log: path });
          });
        }
        const fault = asked % 3 === 0 ? kinds[(asked / 3) % kinds.length]! : "pass";
        seen.add(fault);
        return fault;
      },
    );
    const { lines } = await predicted(address, suite);
    expect(wordsOf(lines)).toEqual(wordsOf(expected));
    expect(seen.size).toBe(kinds.length + 1);
    const questions = expected.reduce((sum, { turns }) => sum + turns.length, 0);
    expect(current.log.counts()).toEqual({ questions, runs: 1 });
  });

  it("stop the run where nobody answers any more; it goes on when somebody does", async () => {
    let up = true;
    let asked = 0;
    const there = await holder();
    const address = await trouble(
      () => there.address,
      () => {
        asked += 1;
        if (asked > 8 && up) up = false;
        return up || asked > 60 ? "pass" : "lose the call";
      },
    );
    const folder = fresh();
    const stopped: unknown = await predicted(address, suite, { folder, patienceMs: 300 }).catch(
      (error: unknown) => error,
    );
    expect(stopped).toBeInstanceOf(ModelError);
    expect(String(stopped)).toMatch(/does not answer: .*connection/);
    const before = linesIn(folder).length;
    asked = 100;
    const { lines } = await predicted(address, suite, { folder, resume: true });
    expect(lines.length).toBeGreaterThan(before);
    const { lines: expected } = await predicted(there.address, suite);
    expect(wordsOf(lines)).toEqual(wordsOf(expected));
  });

  it("and a service that is none, or another release's, are told apart at the first call", async () => {
    await expect(AnswersClient.connect("http://127.0.0.1:1")).rejects.toThrow(
      /does not answer: ECONNREFUSED/,
    );
    await expect(AnswersClient.connect("http://user:secret@127.0.0.1:1")).rejects.not.toThrow(/secret/);
    const other = await trouble(
      () => "",
      () => "no JSON",
    );
    await expect(AnswersClient.connect(other)).rejects.toThrow(/no JSON/);
    const { address } = await holder({ token: "a-secret-token" });
    const refused: unknown = await AnswersClient.connect(address).catch((error: unknown) => error);
    expect(refused).toMatchObject({ remedy: expect.stringContaining("--oracle-token-file") });
    const client = await AnswersClient.connect(address, { token: "a-secret-token" });
    closing.push(() => client.close());
    expect(() => client.assertAnswers({ name: "2.0.0", publicHash: "abc" }, [])).toThrow(
      new RegExp(`${suite.publicHash}.*and this is 2\\.0\\.0 \\(abc\\)`),
    );
    expect(() => client.assertAnswers({ name: "2.0.0", publicHash: "abc" }, [])).toThrow(UserError);
    expect(() => client.assertAnswers(suite, ["ambiqt", "taco"])).toThrow(/does not answer for taco/);
  });
});

describe("an asker that does not say the same again", () => {
  it("keeps the questions that a stopped run has put: no episode asks more than its budget", async () => {
    const { address, log } = await holder();
    let said = 0;
    let fail = true;
    const moody: Asker = {
      reads: "agent",
      name: "moody",
      decide(_view, dialogue) {
        if (dialogue.length === 1 && fail) throw new ModelError("the asker fell over");
        said += 1;
        return dialogue.length < 2 ? { kind: "question", text: `What is ${said}?` } : { kind: "stop" };
      },
    };
    const folder = fresh();
    await expect(predicted(address, suite, { asker: moody, folder, limit: 2 })).rejects.toThrow(/fell over/);
    const put = log.counts().questions;
    expect(put).toBeGreaterThan(0);
    fail = false;
    const { lines } = await predicted(address, suite, { asker: moody, folder, limit: 2, resume: true });
    const asked = lines.flatMap(({ turns }) => turns.map(({ question }) => question));
    expect(asked).toHaveLength(4);
    expect(asked).toContain("What is 1?");
    expect(log.counts().questions).toBe(4);
  });
});

describe("every byte that crosses", () => {
  it("holds nothing private but the answers to what was asked", async () => {
    // Terms are left as they are, or nobody could ask about them.
    const planted = records.slice(0, 12).map((record, number) => {
      const { record: made, tokens } = withCanaries(record, number);
      const ambiguities = made.oracle.ambiguities.map((one, at) => ({
        ...one,
        term: record.oracle.ambiguities[at]!.term,
      }));
      return { record: { ...made, oracle: { ...made.oracle, ambiguities } }, tokens };
    });
    const home = join(out, "planted");
    mkdirSync(home);
    cpSync(join(build, "ambiqt"), join(home, "ambiqt"), { recursive: true });
    writeRecords(
      home,
      planted.map(({ record }) => record),
    );
    const on = openSuite(home);
    const there = await holder({ suite: on });
    const { lines, up, down } = await listening(there, on);
    const asked = lines.flatMap(({ turns }) => turns);
    expect(asked.filter(({ response }) => response !== REFUSAL).length).toBeGreaterThan(2);
    const tokens = (text: string): Set<string> => new Set(text.match(/zqcanary\d+x\d+zq/gi) ?? []);
    const told = tokens(asked.map(({ response }) => response).join("\n"));
    expect(told.size).toBeGreaterThan(0);
    expect(tokens(down)).toEqual(told);
    expect([...tokens(up)].filter((token) => !told.has(token))).toEqual([]);
    const fields = new Map(planted.flatMap(({ tokens: all }) => [...all]));
    for (const token of told) expect(fields.get(token)).toBe("record.oracle.ambiguities.response");
    expect(down).not.toMatch(/credit|labeled|"why"|"action"|sql_snippet|reference/);
    expect(tokens(JSON.stringify(lines))).toEqual(told);
  });

  /** Predicts through a plain TCP connection that is listened in on. */
  async function listening(
    there: Holder,
    on: Suite,
  ): Promise<{ lines: Prediction[]; up: string; down: string }> {
    const { port } = new URL(there.address);
    const ways: { up: Buffer[]; down: Buffer[] } = { up: [], down: [] };
    const tap = createTcpServer((near) => {
      const far = connect(Number(port), "127.0.0.1");
      near.on("data", (chunk) => ways.up.push(chunk)).pipe(far);
      far.on("data", (chunk) => ways.down.push(chunk)).pipe(near);
      near.on("error", () => far.destroy());
      far.on("error", () => near.destroy());
    });
    await new Promise<void>((ready) => tap.listen(0, "127.0.0.1", ready));
    closing.push(() => void tap.close());
    const { lines } = await predicted(`http://127.0.0.1:${(tap.address() as AddressInfo).port}`, on, {
      limit: 12,
    });
    const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString("utf8");
    return { lines, up: text(ways.up), down: text(ways.down) };
  }
});
