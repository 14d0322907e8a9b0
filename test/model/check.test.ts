import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RoleCheck } from "../../pipelines/model/index.js";
import type { ModelsConfiguration } from "../../schemas/types/models.js";
import { usageText } from "../../scripts/terminal/usage.js";
import { temporaryFolder } from "../sources/temporary.js";
import { ambitabHere, type Outcome } from "../system/command.js";
import { client, request, server } from "./open-client.js";

const OK = '```json\n{"ok": true}\n```';

/** Runs `ambitab models check` on a configuration. */
function check(configuration: ModelsConfiguration | string, ...more: string[]): Promise<Outcome> {
  const folder = temporaryFolder();
  mkdirSync(folder);
  const path = join(folder, "models.json");
  writeFileSync(path, typeof configuration === "string" ? configuration : JSON.stringify(configuration));
  return ambitabHere(["models", "check", "--models", path, ...more]);
}

describe("ambitab models check", () => {
  it("calls each configured role once, and says what it found", async () => {
    const served = await server({
      models: ["Qwen/Qwen3-8B", "coder"],
      rules: [
        { role: "solver", answer: { text: OK, model: "coder-awq" } },
        { role: "oracle", answer: { text: "I would rather chat.", finish_reason: "length" } },
        { role: "judge", answer: { fault: "not-found" } },
        { answer: OK },
      ],
    });
    const gone = await server();
    await gone.close();
    const { code, stdout, stderr } = await check(
      {
        endpoints: { default: { base_url: served.url }, gone: { base_url: gone.url } },
        roles: {
          asker: {},
          solver: { served_as: "coder" },
          oracle: {},
          judge: {},
          rewriter: { endpoint: "gone" },
        },
      },
      "--json",
    );
    expect(stderr).toBe("");
    expect(code).toBe(1);
    const checks = JSON.parse(stdout) as RoleCheck[];
    const by = Object.fromEntries(checks.map((one) => [one.role, one]));
    expect(Object.keys(by)).toEqual(["asker", "solver", "oracle", "rewriter", "judge"]);
    expect(by.asker).toMatchObject({ ok: true, reachable: true, listed: true, obeys_json: true, note: "" });
    expect(by.asker!.latency_ms).toBeGreaterThanOrEqual(0);
    expect(by.solver).toMatchObject({ ok: true, listed: true, answers_as: "coder-awq" });
    expect(by.solver!.note).toBe("the server calls the model coder-awq");
    expect(by.oracle).toMatchObject({ ok: false, listed: false, obeys_json: false });
    expect(by.oracle!.note).toContain("does it think?");
    expect(by.judge).toMatchObject({ ok: false, reachable: true, latency_ms: null });
    expect(by.judge!.note).toContain("HTTP 404");
    expect(by.rewriter).toMatchObject({ ok: false, reachable: false });
    expect(by.rewriter!.note).toContain("ECONNREFUSED");
    expect(served.requests.length).toBe(4);
    expect(served.requests[0]!.body).toMatchObject({
      max_tokens: 64,
      chat_template_kwargs: { enable_thinking: false },
    });
  });

  it("is a table for people, and 0 when all is well", async () => {
    const { url } = await server({ rules: [{ answer: OK }] });
    const { code, stdout } = await check({ endpoints: { local: { base_url: url } }, roles: { asker: {} } });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^ +role +endpoint +model +reachable +listed +JSON +ms\nok +asker +local +Qwen\/Qwen3-8B +yes +no +yes +\d+/m,
    );
  });

  it("is 2 when the configuration is wrong, or there is none", async () => {
    const wrong = await check('{"roles": {"askr": {}}}');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('must NOT have additional properties "askr"');
    const none = await ambitabHere(["models", "check"]);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("no model is configured");
  });
});

describe("ambitab models export and import", () => {
  it("carry the stored answers over", async () => {
    const { url } = await server();
    const [out, other] = [temporaryFolder(), temporaryFolder()];
    const opened = await client(url, { out });
    await opened.ask(request("a"));
    await opened.close();
    const file = join(out, "all.jsonl.gz");
    const exported = await ambitabHere(["models", "export", file, "--out", out, "--json"]);
    expect(JSON.parse(exported.stdout)).toMatchObject({ responses: 1 });
    const imported = await ambitabHere(["models", "import", file, "--out", other]);
    expect(imported.stdout).toMatch(/^1 answers? of .* in /);
    const replay = await client("http://127.0.0.1:1/v1", { out: other, replayOnly: true });
    expect(await replay.ask(request("a"))).toMatchObject({ text: "echo: a", stored: true });
    const missing = await ambitabHere(["models", "import", join(out, "none.gz"), "--out", other]);
    expect(missing.code).toBe(2);
  });
});

describe("a run's usage", () => {
  it("is counted by role, with tokens and cost, and shown in a table", async () => {
    const { url } = await server({
      rules: [
        {
          contains: "fails",
          answer: [
            { fault: "error-500" },
            { text: "x", usage: { prompt_tokens: 1000, completion_tokens: 500 } },
          ],
        },
        { answer: { text: "x", usage: { prompt_tokens: 1000, completion_tokens: 500 } } },
      ],
    });
    const opened = await client(url, { endpoint: { price: { prompt: 2, completion: 4 } } });
    for (const content of ["fails", "b", "b"]) await opened.ask(request(content));
    const usage = opened.usage();
    expect(usage.solver).toEqual({
      asked: 3,
      stored: 1,
      sent: 3,
      retries: { server_error: 1 },
      answered: 3,
      truncated: 0,
      context_overflow: 0,
      model_error: 0,
      prompt_tokens: 2000,
      completion_tokens: 1000,
      cost: 0.008,
    });
    expect(usageText(usage)).toMatch(/^solver +3 +1 +3 +1 +0 +0 +0 +2,000 \+ 1,000 +0\.0080$/m);
    expect(usageText({})).toBeUndefined();
  });
});
