import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { UserError } from "../../pipelines/errors.js";
import {
  configureModels,
  MODEL_ROLES,
  modelsOfEnvironment,
  readModels,
  shownAddress,
} from "../../pipelines/model/index.js";
import { temporaryFolder } from "../sources/temporary.js";

function fileOf(content: unknown): string {
  const folder = temporaryFolder();
  mkdirSync(folder);
  const path = join(folder, "models.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** The error of a configuration file, with its remedy. */
function refusal(content: unknown, environment: Record<string, string> = {}): string {
  try {
    readModels(fileOf(content), environment);
  } catch (error) {
    if (error instanceof UserError) return `${error.message} | ${error.remedy}`;
    throw error;
  }
  throw new Error("it was accepted");
}

describe("without a file", () => {
  it("every role has the paper's model and decoding at the environment's endpoint", () => {
    const environment = { OPENAI_BASE_URL: "http://gpu:8000/v1/", OPENAI_API_KEY: "k" };
    const { roles, named } = modelsOfEnvironment(environment)!;
    expect(Object.keys(roles)).toEqual([...MODEL_ROLES]);
    expect(named).toEqual([]);
    expect(roles.asker.endpoint).toMatchObject({
      name: "default",
      base_url: "http://gpu:8000/v1",
      api_key_env: "OPENAI_API_KEY",
    });
    const short = Object.values(roles).map(
      ({ role, decoding: { model, temperature, top_p, top_k, thinking } }) =>
        [role, model.split("/")[1], temperature, top_p, top_k, thinking].join(" "),
    );
    expect(short).toEqual([
      "asker Qwen3-8B 0.7 0.8 20 false",
      "solver Qwen3-Coder-30B-A3B-Instruct 0.7 0.8  ",
      "oracle Qwen3-14B 0.7 0.8 20 false",
      "rewriter Qwen3-14B 0.7 0.8 20 false",
      "probe Qwen3-8B 0   false",
      "evidence-probe-a Qwen3-Coder-30B-A3B-Instruct 0   ",
      "evidence-probe-b gemma-3-27b-it 0   ",
      "judge gemma-3-27b-it 0   ",
      "response-author Qwen3-14B 0   false",
    ]);
  });

  it("and without an environment there are none; a key alone means OpenAI, an address alone a server without keys", () => {
    expect(modelsOfEnvironment({})).toBeUndefined();
    expect(modelsOfEnvironment({ OPENAI_BASE_URL: "", OPENAI_API_KEY: "" })).toBeUndefined();
    expect(modelsOfEnvironment({ OPENAI_API_KEY: "k" })!.roles.asker.endpoint.base_url).toBe(
      "https://api.openai.com/v1",
    );
    const keyless = modelsOfEnvironment({ OPENAI_BASE_URL: "http://localhost:11434/v1" })!;
    expect(keyless.roles.asker.endpoint.api_key_env).toBeUndefined();
  });
});

describe("a file", () => {
  it("changes what it names; its only endpoint is everybody's", () => {
    const { roles, named } = readModels(
      fileOf({
        $schema: "models.schema.json",
        endpoints: {
          local: { base_url: "http://a:1/v1", concurrency: 3, price: { prompt: 1, completion: 2 } },
        },
        roles: { oracle: { model: "google/gemma-3-27b-it", temperature: 1, top_k: 64, thinking: null } },
      }),
      {},
    );
    expect(named).toEqual(["oracle"]);
    expect(roles.asker.endpoint).toMatchObject({ name: "local", concurrency: 3, max_attempts: 6 });
    expect(roles.oracle).toMatchObject({
      served_as: "google/gemma-3-27b-it",
      decoding: { temperature: 1, top_p: 0.8, top_k: 64, thinking: null },
      price: { prompt: 1, completion: 2 },
    });
  });

  it("with several endpoints needs a role to name one, or one called default", () => {
    const endpoints = {
      a: { base_url: "http://a:1/v1" },
      b: { base_url: "http://b:1/v1", api_key_env: "B_KEY" },
    };
    const environment = { B_KEY: "k", OPENAI_BASE_URL: "http://d:1/v1" };
    const { roles } = configureModels({ endpoints, roles: { asker: { endpoint: "b" } } }, environment);
    expect(roles.asker.endpoint).toMatchObject({ name: "b", api_key_env: "B_KEY" });
    expect(roles.solver.endpoint).toMatchObject({ name: "default", base_url: "http://d:1/v1" });
  });

  const wrong: [string, unknown, RegExp][] = [
    ["no JSON", "{", /models\.json is no JSON: .*schemas\/models\.schema\.json/],
    ["an unknown field", { role: {} }, /models\.json: the object must NOT have additional properties "role"/],
    ["an unknown role", { roles: { askr: {} } }, /roles must NOT have additional properties "askr"/],
    ["a key in the file", { endpoints: { a: { api_key: "k" } } }, /endpoints\.a must NOT have .*"api_key"/],
    ["a wrong value", { endpoints: { a: { concurrency: 0 } } }, /endpoints\.a\.concurrency must be >= 1/],
    [
      "a wrong type",
      { roles: { asker: { temperature: "0" } } },
      /roles\.asker\.temperature must be number,null/,
    ],
    [
      "a wrong address",
      { endpoints: { a: { base_url: "gpu:8000" } } },
      /endpoints\.a\.base_url must match pattern/,
    ],
    [
      "no address",
      { endpoints: { a: { base_url: "http://" } } },
      /models\.json: the endpoint "a" has a base_url that is no URL/,
    ],
    [
      "an endpoint that is not there",
      { roles: { asker: { endpoint: "x" } } },
      /role "asker" names the endpoint "x".*endpoints: default/,
    ],
    [
      "a variable that is not set",
      { endpoints: { a: { api_key_env: "NOPE" } } },
      /variable NOPE, which is not set.*"api_key_env": null/,
    ],
    [
      "a field of our own in extra",
      { roles: { asker: { extra: { model: "x" } } } },
      /roles\.asker\.extra sets "model"/,
    ],
  ];
  for (const [name, content, words] of wrong) {
    it(`with ${name} is refused by name`, () => expect(refusal(content)).toMatch(words));
  }

  it("that is not there is a person's mistake", () =>
    expect(() => readModels("/nowhere/models.json")).toThrow(/nowhere\/models\.json cannot be read/));

  it("may hold a password in an address; messages do not", () =>
    expect(shownAddress("https://me:secret@host:1/v1?token=x")).toBe("https://host:1/v1"));
});
