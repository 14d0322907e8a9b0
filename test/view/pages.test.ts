/** The view over HTTP: what its pages say, what they refuse, and that no text from elsewhere is markup. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UserError } from "../../pipelines/errors.js";
import { serveView, type View } from "../../pipelines/view/index.js";
import { buildSample, releaseSample, temporaryFolder } from "../release/sample.js";
import { start } from "../system/command.js";
import { DATABASE, EPISODE, evil, KEY, RECORD, SIBLING, TABLE, writeHostile } from "./hostile.js";

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** A request as it is typed: no path is tidied, and any Host header goes. */
function get(
  view: View,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Answer> {
  const { hostname, port } = new URL(view.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
      );
    });
    sent.once("error", reject);
    sent.end();
  });
}

const at = (path: string, query: Record<string, string>): string => `${path}?${new URLSearchParams(query)}`;

/** Texts that are shown in parts (SQL is coloured word by word) or as JSON, where quotes look otherwise. */
const IN_PARTS = new Set(["snippet", "broken", "setup", "sql", "follow"]);

describe("a view of hostile texts", () => {
  const home = temporaryFolder();
  let view: View;
  let run: string;
  beforeAll(async () => {
    const made = writeHostile(home);
    run = made.run.slice(home.length + 1);
    view = await serveView({ path: made.build, runs: [made.run], port: 0 });
  });
  afterAll(() => view.close());

  const table = TABLE.replaceAll("\u0000", "");
  it.each<[string, () => string, readonly string[]]>([
    ["overview", () => "/", ["stage", "reason"]],
    ["records", () => at("/records", { q: "term" }), ["request", "id", "database"]],
    [
      "records, by what is typed",
      () => at("/records", { q: evil("typed"), dataset: evil("typed") }),
      ["typed"],
    ],
    [
      "record",
      () => at("/record", { id: RECORD }),
      `request term meaning kname kdesc kdef clear evidence alias resolution response concept snippet broken test setup follow
       version file pipeline note stage item name value reason detail subject`.split(/\s+/),
    ],
    ["results", () => at("/results", { id: RECORD }), ["cell", "broken"]],
    [
      "database",
      () => at("/database", { dataset: "ambiqt", database: DATABASE, table }),
      ["table", "column", "cell"],
    ],
    ["dropped rows", () => "/dropped", ["detail", "key", "reason", "stage"]],
    ["row", () => at("/row", { key: KEY }), ["source", "file", "detail", "kind", "value"]],
    ["runs", () => "/runs", ["asker", "oracle", "solver"]],
    ["run", () => at("/run", { run }), ["asker", "suite"]],
    [
      "episode",
      () => at("/episode", { run, id: EPISODE }),
      "question answer routed why credit unread sql verdict flag role".split(" "),
    ],
    ["prompt", () => at("/prompt", { run, sha256: "a".repeat(64) }), ["prompt"]],
    ["no record", () => at("/record", { id: evil("nowhere") }), ["nowhere"]],
    ["no page", () => `/${encodeURIComponent(evil("path"))}`, []],
  ])("shows them as text: %s", async (_name, path, said) => {
    const { status, text } = await get(view, path());
    expect(status).not.toBe(500);
    for (const word of said)
      expect(text, word).toContain(`${word}${IN_PARTS.has(word) ? "" : "&quot;&#39;`"}`);
    expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/page\.js">)/);
    const bare = text.replaceAll(/="[^"]*"/g, "");
    expect(bare).not.toMatch(/<[a-z][^>]*\son[a-z]+/i);
    expect(text).not.toMatch(/<img|href="javascript|style="/i);
    // What would turn or hide text is named instead.
    expect(text).not.toMatch(/[\u0000\u202e]/);
  });

  it("names what it could not read and lists the rest", async () => {
    const { text } = await get(view, "/");
    expect(text).toContain("1 line could not be read");
    expect(text).toContain("records.jsonl, line 3");
    expect((await get(view, "/dropped")).text).toContain(
      "dropped.jsonl, line 2: expected one JSON object a line",
    );
    expect((await get(view, at("/run", { run }))).text).toContain("episodes.jsonl, line 2");
  });

  it("opens no database outside its folder", async () => {
    const { text } = await get(view, at("/results", { id: SIBLING }));
    expect(text).toContain("leads out of the folder of databases");
  });

  it("pages a table through the sandbox and refuses one that the schema does not have", async () => {
    const first = await get(view, at("/database", { dataset: "ambiqt", database: DATABASE, table }));
    expect(first.text).toContain("60 rows");
    expect(first.text).toContain("page 1 of 2");
    const second = await get(
      view,
      at("/database", { dataset: "ambiqt", database: DATABASE, table, page: "2" }),
    );
    expect(second.text).toContain('<td class="num">59</td>');
    expect(second.text).not.toContain('<td class="num">49</td>');
    const none = await get(
      view,
      at("/database", { dataset: "ambiqt", database: DATABASE, table: "sqlite_schema" }),
    );
    expect(none.status).toBe(404);
  });

  it("sends a policy under which nothing foreign and nothing inline runs", async () => {
    const { headers } = await get(view, "/");
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(headers["content-security-policy"]).not.toMatch(/unsafe|\*|data:/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["referrer-policy"]).toBe("no-referrer");
  });

  it.each([
    ["a name that was made to point here", { host: "evil.example" }, "GET", 403],
    ["such a name with a port", { host: "evil.example:80" }, "GET", 403],
    ["a name that only begins well", { host: "127.0.0.1.evil.example" }, "GET", 403],
    [
      "a part of another site's page",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
      "GET",
      403,
    ],
    ["writing", {}, "POST", 405],
    ["deleting", {}, "DELETE", 405],
  ])("refuses %s", async (_name, headers, method, status) => {
    const refused = await get(view, "/records", headers, method);
    expect(refused.status).toBe(status);
    expect(refused.text).not.toContain("ambiqt");
    expect(refused.headers["content-security-policy"]).toBeDefined();
  });

  it.each([
    { host: "localhost" },
    { host: "[::1]:4747" },
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
  ])("answers this machine and whoever follows a link: %j", async (headers) => {
    expect((await get(view, "/records", headers)).status).toBe(200);
  });

  it.each([
    "/assets/../app.js",
    "/assets/..%2f..%2f..%2f..%2fpackage.json",
    "/assets/%2e%2e/%2e%2e/package.json",
    "/assets/tsconfig.json",
    "/../../../../etc/passwd",
    "/assets/page.js%00.css",
  ])("serves no file but its own: %s", async (path) => {
    const { status, text } = await get(view, path);
    expect(status).toBe(404);
    expect(text).not.toMatch(/root:|"name": "ambitab"|compilerOptions/);
  });

  it.each([
    "/record",
    "/record?id=",
    "/database",
    "/row?key=ambiqt/none",
    "/row",
    "/run",
    "/episode?run=x",
    "/prompt",
  ])("says that there is no such thing: %s", async (path) => {
    const { status, text } = await get(view, path);
    expect(status).toBe(404);
    expect(text).toContain("<main");
  });

  it("takes any page number and any broken query", async () => {
    for (const query of [
      "page=0",
      "page=-1",
      "page=999999999",
      "page=1e9",
      "page=x",
      "q=%",
      "q=%ff%fe",
      "q=a&q=b",
    ])
      expect((await get(view, `/records?${query}`)).status, query).toBe(200);
  });
});

describe("a view of a release", () => {
  const home = temporaryFolder();
  let release: string;
  let view: View;
  beforeAll(async () => {
    await buildSample(home);
    release = await releaseSample(home);
  });
  afterAll(() => view?.close());
  const reopened = async (): Promise<View> => {
    await view?.close();
    view = await serveView({ path: release, runs: [], port: 0 });
    return view;
  };
  const idOf = (list: string): string => /href="\/record\?id=([^"]+)"/.exec(list)?.[1] ?? "none";

  it("joins zones, follows a record to its row and back, and finds it again by any filter", async () => {
    await reopened();
    const list = (await get(view, "/records")).text;
    const id = idOf(list);
    const record = (await get(view, `/record?id=${id}`)).text;
    for (const zone of ["public", "oracle", "verifier", "provenance"])
      expect(record).toContain(`<section class="zone ${zone}"`);
    expect(record).not.toContain("Not shown:");
    expect(record).toContain("Shows private zones");
    const [, row = ""] = /href="(\/row\?key=[^"]+)"/.exec(record) ?? [];
    expect((await get(view, row.replaceAll("&amp;", "&"))).text).toContain(`/record?id=${id}`);
    const [, database = ""] = /href="(\/database\?[^"]+)"/.exec(record) ?? [];
    expect((await get(view, database.replaceAll("&amp;", "&"))).status).toBe(200);
    const results = (await get(view, `/results?id=${id}`)).text;
    expect(results).toContain("differs from the reference");
    const word = decodeURIComponent(id.replaceAll("+", " ")).toUpperCase();
    const found = (
      await get(view, at("/records", { q: word, dataset: "ambiqt", split: "all", kind: "column_choice" }))
    ).text;
    expect(found).toContain(">1 record <");
    expect((await get(view, at("/records", { q: word, dataset: "taco" }))).text).toContain(">0 records <");
  });

  it("says which line breaks a zone, and shows the other zones", async () => {
    const file = join(release, "oracle", "ambiqt", "all.jsonl");
    writeFileSync(file, "not json\n");
    await reopened();
    const list = (await get(view, "/records")).text;
    const broken = (await get(view, `/record?id=${idOf(list)}`)).text;
    expect(broken).toContain("oracle/ambiqt/all.jsonl, line 1 cannot be read");
    expect(broken).toContain('<section class="zone verifier"');
    const [, last = ""] = /<a rel="next" href="([^"]+)"/.exec(broken) ?? [];
    expect((await get(view, last)).text).toContain("oracle/ambiqt/all.jsonl ends before line 2");
  });

  it("says of a file that has changed since, rather than show another record", async () => {
    await reopened();
    const id = idOf((await get(view, "/records")).text);
    const file = join(release, "verifier", "ambiqt", "all.jsonl");
    writeFileSync(file, `{"record_id":"x","verifier":{}}\n`);
    expect((await get(view, `/record?id=${id}`)).text).toMatch(
      /verifier\/ambiqt\/all\.jsonl, line 1 (cannot|holds)/,
    );
    rmSync(file);
    expect((await get(view, `/record?id=${id}`)).text).toContain("is not there any more");
  });

  it("shows of a public-only release what is there, and says so", async () => {
    for (const zone of ["oracle", "verifier", "provenance", "dropped", "ledger"])
      rmSync(join(release, zone), { recursive: true });
    await reopened();
    const overview = (await get(view, "/")).text;
    expect(overview).toContain("Zones that are here: public");
    expect(overview).not.toContain("Shows private zones");
    const record = await get(view, `/record?id=${idOf((await get(view, "/records")).text)}`);
    expect(record.status).toBe(200);
    expect(record.text).toContain("given out without its oracle zone");
    expect(record.text).not.toContain("select");
    expect((await get(view, "/dropped")).text).toContain("a public-only release leaves it out");
  });
});

describe("a view of a run that goes on", () => {
  it("shows the episodes that have come since, and starts anew with a log that was replaced", async () => {
    const home = temporaryFolder();
    const { build, run } = writeHostile(home);
    const log = join(run, "episodes.jsonl");
    const line = JSON.stringify({ episode_id: "one", record_id: "r", turns: [], verdict: "match" });
    writeFileSync(log, `${line}\n`);
    const view = await serveView({ path: build, runs: [run], port: 0 });
    try {
      const path = at("/run", { run: run.slice(home.length + 1) });
      expect((await get(view, path)).text).toContain(">1 episode<");
      appendFileSync(log, `${line.replace("one", "two")}\n${line.slice(0, 20)}`);
      expect((await get(view, path)).text).toContain(">2 episodes<");
      appendFileSync(log, `${line.slice(20)}\n`);
      expect((await get(view, path)).text).toContain(">3 episodes<");
      writeFileSync(log, `${line}\n`);
      expect((await get(view, path)).text).toContain(">1 episode<");
    } finally {
      await view.close();
    }
  });
});

describe("a view of files that break their schemas", () => {
  it("lists what there is, and says of the rest which field is wrong", async () => {
    const home = temporaryFolder();
    const { build, run } = writeHostile(home);
    const file = (name: string): string => join(build, "ambiqt", name);
    const records = [
      { record_id: "ambiqt/1" },
      {
        record_id: "ambiqt/2",
        public: { request: 7, database: [] },
        oracle: { ambiguities: "none" },
        verifier: {},
      },
      {
        record_id: "ambiqt/3",
        public: {},
        oracle: { ambiguities: [null] },
        verifier: { reference_sql: 1 },
        provenance: {},
      },
    ];
    writeFileSync(file("records.jsonl"), records.map((one) => `${JSON.stringify(one)}\n`).join(""));
    writeFileSync(
      file("ledger.jsonl"),
      '{"key":"ambiqt/a"}\n{"key":"ambiqt/b","steps":[null],"record_ids":[],"origin":{}}\n',
    );
    writeFileSync(file("dropped.jsonl"), '{"key":"ambiqt/a"}\n{"reason":{}}\n');
    writeFileSync(file("funnel.json"), '{"stages":[{}]}');
    writeFileSync(
      join(run, "episodes.jsonl"),
      '{"episode_id":"e","turns":[null]}\n{"episode_id":"f","turns":7}\n',
    );
    const said: string[] = [];
    const view = await serveView({ path: build, runs: [run], port: 0, say: (text) => said.push(text) });
    try {
      const name = run.slice(home.length + 1);
      for (const path of ["/", "/records", "/dropped", "/runs", at("/run", { run: name })])
        expect((await get(view, path)).status, path).toBe(200);
      expect((await get(view, "/")).text).toContain("funnel.json breaks its schema");
      for (const [path, query] of [
        ["/record", { id: "ambiqt/3" }],
        ["/results", { id: "ambiqt/3" }],
        ["/row", { key: "ambiqt/b" }],
        ["/episode", { run: name, id: "e" }],
      ] as const) {
        const { status, text } = await get(view, at(path, query));
        expect(status, path).toBe(422);
        expect(text).toContain("breaks its schema");
      }
      for (const id of ["ambiqt/1", "ambiqt/2"])
        for (const path of ["/record", "/results"])
          expect([200, 404, 422], `${path} ${id}`).toContain((await get(view, at(path, { id }))).status);
      const database = await get(view, at("/database", { dataset: "ambiqt", database: "" }));
      expect(database.status).toBe(404);
      expect(said).toEqual([]);
      await get(view, "/", { host: "evil.example" });
      await get(view, "/", { host: "evil.example" });
      expect(said).toEqual([
        'refused a request ("evil.example"): this view answers to 127.0.0.1 and localhost only',
      ]);
    } finally {
      await view.close();
    }
  });
});

describe("ambitab view", () => {
  it("prints its address, serves it, and ends cleanly at Ctrl-C; a second one does not get the port", async () => {
    const home = temporaryFolder();
    const { build } = writeHostile(home);
    const { process: child, ended } = start(["view", build, "--port", "0", "--json"]);
    let line = "";
    for await (const part of child.stdout ?? []) {
      line += String(part);
      if (line.includes("\n")) break;
    }
    const { url, records, broken } = JSON.parse(line) as { url: string; records: number; broken: number };
    expect([records, broken]).toEqual([2, 1]);
    expect((await fetch(new URL("/records", url))).status).toBe(200);
    const taken = serveView({ path: build, runs: [], port: Number(new URL(url).port) });
    await expect(taken).rejects.toThrow(/port \d+ cannot be had/);
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toContain("to this machine only");
    await expect(fetch(url)).rejects.toThrow();
  });

  it("says what is wrong with a release without a manifest, and with a run that is none", async () => {
    const home = temporaryFolder();
    const { build } = writeHostile(home);
    await expect(serveView({ path: build, runs: [home], port: 0 })).rejects.toThrow(UserError);
    mkdirSync(join(home, "release", "public"), { recursive: true });
    writeFileSync(join(home, "release", "SHA256SUMS"), "");
    await expect(serveView({ path: join(home, "release"), runs: [], port: 0 })).rejects.toThrow(
      /manifest\.json cannot be read/,
    );
  });
});
