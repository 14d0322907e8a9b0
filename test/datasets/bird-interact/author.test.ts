import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../../model/model-server.mjs";
import { writeFiles } from "../../sources/temporary.js";
import { type Built, buildBirdInteract } from "./building.js";

const out = mkdtempSync(join(tmpdir(), "ambitab-author-"));
afterAll(() => rmSync(out, { recursive: true, force: true }));

const SQL = "SELECT name FROM ships WHERE length > 100 ORDER BY length DESC";
const TERMS = ["big ships", "late", "quiet", "busy", "deep", "cheap"] as const;
const task = {
  instance_id: "quay_1",
  selected_database: "quay",
  amb_user_query: "Show big ships, late and quiet, busy, deep and cheap.",
  category: "Query",
  conditions: { order: false },
  sol_sql: [SQL],
  user_query_ambiguity: {
    critical_ambiguity: TERMS.map((term, at) => ({
      term,
      sql_snippet: `x${at} > ${at}`,
      type: "semantic_ambiguity",
    })),
    non_critical_ambiguity: [{ term: "order", sql_snippet: "ORDER BY x", type: "sort_ambiguity" }],
  },
};
const json = (response: string): string => JSON.stringify({ response });
const about = (term: string): RegExp => new RegExp(`## The unclear term\\n${term}\\n`);

describe("the response author", () => {
  it("writes, is asked once more, and leaves to a person what does not pass; then all of it is frozen", async () => {
    const author: ModelServer = await startModelServer({
      rules: [
        {
          contains: about("big ships"),
          answer: json("By big ships I mean those longer than a hundred metres."),
        },
        {
          contains: about("late"),
          answer: [
            json(`late ones come when you ${SQL}`),
            `Sure!\n\`\`\`json\n${json("Late means after noon.")}\n\`\`\``,
          ],
        },
        { contains: about("quiet"), answer: ["no JSON at all", json("Quiet means under fifty decibels.")] },
        { contains: about("busy"), answer: json("Busy is COUNT(calls) beyond nine.") },
        { contains: about("deep"), answer: "never any JSON" },
        { contains: about("cheap"), answer: { text: json("Cheap means"), finish_reason: "length" } },
      ],
    });
    const { url, requests } = author;
    const source = join(out, "source");
    await writeFiles(source, { "bird_interact_data.jsonl": `${JSON.stringify(task)}\n` });
    const models = join(out, "models.json");
    const endpoints = { local: { base_url: url, api_key_env: null } };
    writeFileSync(
      models,
      JSON.stringify({ endpoints, roles: { "response-author": { endpoint: "local", model: "m" } } }),
    );
    const saidBy = (built: Built) =>
      built
        .record("quay_1")
        .oracle.ambiguities.map(({ term, response, response_status }) => [term, response_status, response]);

    const plain = await buildBirdInteract(join(out, "plain"), source);
    expect(new Set(saidBy(plain).map(([, status]) => status))).toEqual(new Set(["template"]));
    expect(requests).toHaveLength(0);

    const home = join(out, "home");
    const built = await buildBirdInteract(home, source, "--models", models);
    const expected = [
      ["big ships", "audited", "By big ships I mean those longer than a hundred metres."],
      ["late", "audited", "Late means after noon."],
      ["quiet", "audited", "Quiet means under fifty decibels."],
      ["busy", "needs_review", "Busy is COUNT(calls) beyond nine."],
      ["deep", "template", expect.any(String)],
      ["cheap", "template", expect.any(String)],
      ["order", "template", expect.any(String)],
    ];
    expect(saidBy(built)).toEqual(expected);
    expect(built.funnel.findings).toMatchObject({ response_needs_review: 1 });
    // One call for the good and the truncated one, two for the others, none for what does not count.
    expect(requests.map(({ prompt }) => TERMS.find((term) => about(term).test(prompt))).sort()).toEqual(
      ["big ships", "busy", "busy", "cheap", "deep", "deep", "late", "late", "quiet", "quiet"].sort(),
    );
    expect(requests.find(({ prompt }) => about("late").test(prompt))?.prompt).toContain(SQL);
    // The ledger may be published: it names calls by hash and holds no prompt.
    expect(built.text("ledger.jsonl")).not.toContain("FROM ships");

    const catalogue = join(home, "catalogue", "bird-interact.jsonl");
    const frozen = readFileSync(catalogue, "utf8");
    expect(frozen.split("\n").filter(Boolean)).toHaveLength(4);
    expect(frozen).toContain('"author":"m"');
    await author.close();

    // The person reviews one line; the server is gone, and nobody misses it.
    writeFileSync(
      catalogue,
      frozen
        .replace("Busy is COUNT(calls) beyond nine.", "Busy means more than nine calls.")
        .replace('"needs_review"', '"audited"'),
    );
    const again = await buildBirdInteract(home, source);
    expect(saidBy(again).slice(0, 4)).toEqual([
      ...expected.slice(0, 3),
      ["busy", "audited", "Busy means more than nine calls."],
    ]);

    // What was written for another annotation is not used.
    const changed = structuredClone(task);
    const [first] = changed.user_query_ambiguity.critical_ambiguity;
    if (first !== undefined) first.sql_snippet = "x0 > 999";
    await writeFiles(source, { "bird_interact_data.jsonl": `${JSON.stringify(changed)}\n` });
    const stale = await buildBirdInteract(home, source);
    expect(saidBy(stale)[0]?.[1]).toBe("template");
    expect(stale.funnel.findings).toMatchObject({ catalogue_stale: 1 });
  });
});
