/** Every prompt for a record of every dataset, word for word: a change of words is a change of results, and a version. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SchemaCache } from "../../../pipelines/evaluation/agent-context.js";
import { ASKING_STYLES, askerMessages, askerTemplate } from "../../../pipelines/evaluation/prompts/asker.js";
import { engineName } from "../../../pipelines/evaluation/prompts/context.js";
import { SOLVER_TEMPLATE, solverMessages } from "../../../pipelines/evaluation/prompts/solver.js";
import { agentViewOf } from "../../../pipelines/evaluation/task.js";
import type { ModelMessage } from "../../../pipelines/model/types.js";
import { REFUSAL } from "../../../pipelines/oracle/index.js";
import type { AgentView } from "../../../pipelines/record/views.js";
import { openSqlEngines } from "../../../pipelines/sql/engines.js";
import { buildSample, DATASETS, recordsOf, temporaryFolder } from "../../release/sample.js";

const engines = openSqlEngines({ children: 1 });
afterAll(() => engines.close());

const dialogue = [
  { question: "What do you mean by large?", response: "At least ten metres." },
  { question: "Which kind of price?", response: REFUSAL },
];

const shown = (messages: readonly ModelMessage[]): string =>
  messages.map(({ role, content }) => `=== ${role}\n${content}\n`).join("");

/** First record of each dataset, as an agent sees it. */
const views = new Map<string, AgentView>();
beforeAll(async () => {
  const build = await buildSample(temporaryFolder(), DATASETS);
  for (const record of await recordsOf(build)) {
    if (views.has(record.dataset)) continue;
    const databases = join(build, record.dataset, "databases");
    const schemas = new SchemaCache();
    const { engine, path } = record.public.database;
    if (engine === "postgres") await schemas.prepare(join(databases, path), engines);
    views.set(record.dataset, agentViewOf(record, databases, schemas, "run"));
  }
});

function allPrompts(view: AgentView): string {
  const budget = { turn: 3, maxTurn: 5 };
  const parts = ASKING_STYLES.map(
    (style) => `##### ${askerTemplate(style)}\n${shown(askerMessages(style, view, dialogue, budget, 8000))}`,
  );
  return [...parts, `##### ${SOLVER_TEMPLATE}\n${shown(solverMessages(view, dialogue, 8000))}`].join("\n");
}

describe("the prompts of a record", () => {
  it.each(DATASETS)("of %s are, word for word, what was written down", async (dataset) => {
    await expect(allPrompts(views.get(dataset)!)).toMatchFileSnapshot(`goldens/${dataset}.txt`);
  });

  it("tell turn and turns left, and on the last turn to stop", () => {
    const view = views.get("ambiqt")!;
    for (const style of ASKING_STYLES) {
      const asked = dialogue[0]!;
      const at = (turn: number): string => {
        const before = Array.from({ length: turn - 1 }, () => asked);
        return askerMessages(style, view, before, { turn, maxTurn: 4 }, 8000).at(-1)!.content;
      };
      expect(at(1)).toContain("Turn 1 of 4 (4 turns left)");
      expect(at(4)).toContain("Turn 4 of 4 (1 turn left)");
      expect(at(4)).toMatch(/stop now.*\{"type":"done","output":null\}/);
      expect(at(3)).not.toContain("stop now");
    }
  });

  it("hold all that spec 6 asks of them", () => {
    for (const view of views.values()) {
      const column = view.schema[0]!.columns[0]!.name;
      for (const style of ASKING_STYLES) {
        const [first, ...rest] = askerMessages(style, view, dialogue, { turn: 3, maxTurn: 5 }, 8000);
        const { content } = first!;
        for (const needed of [
          "data scientist",
          engineName(view),
          view.database_id,
          view.request,
          column,
          "separate model",
          "one question",
          "5 turns",
        ])
          expect(content, needed).toContain(needed);
        expect(content).toContain('{"type":"clarification","output":');
        expect(content).toContain('{"type":"done","output":null}');
        // What is public and stays the same comes first, and nothing of the dialogue is in it.
        expect(content).not.toContain("At least ten metres");
        const told = rest.map((message) => message.content).join("\n");
        for (const { question, response } of dialogue) {
          expect(told).toContain(question);
          expect(told).toContain(response);
        }
      }
      const solver = shown(solverMessages(view, dialogue, 8000));
      for (const needed of [
        engineName(view),
        view.database_id,
        view.request,
        column,
        ...(view.engine === "sqlite" ? ["one statement"] : []),
        "At least ten metres.",
        '"type":"final_sql"',
      ])
        expect(solver, needed).toContain(needed);
    }
  });

  it("file a refused question in the second list of the ledger, by its visible answer", () => {
    const { content } = askerMessages(
      "checklist-ledger",
      views.get("ambiqt")!,
      dialogue,
      { turn: 3, maxTurn: 5 },
      8000,
    )[1]!;
    const [resolved, refused] = content.split("# Asked, and the user could not answer");
    expect(resolved).toContain("What do you mean by large?");
    expect(resolved).not.toContain("Which kind of price?");
    expect(refused).toContain("Which kind of price?");
  });

  it("give checklist-chat its earlier turns as chat, and direct no checklist", () => {
    const view = views.get("ambiqt")!;
    const chat = askerMessages("checklist-chat", view, dialogue, { turn: 3, maxTurn: 5 }, 8000);
    expect(chat.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
    expect(JSON.parse(chat[2]!.content)).toEqual({ type: "clarification", output: dialogue[0]!.question });
    expect(shown(askerMessages("direct", view, [], { turn: 1, maxTurn: 5 }, 8000))).not.toMatch(/checklist/i);
  });
});
