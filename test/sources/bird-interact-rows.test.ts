import { describe, expect, it } from "vitest";
import { readBirdInteract, readColumnMeanings, readKnowledge } from "../../sources/bird-interact/index.js";
import { failureOf, realData, temporaryFolder, writeFiles } from "./temporary.js";

const TASK = {
  instance_id: "quay_1",
  selected_database: "quay",
  amb_user_query: "Which ships are big?",
  preprocess_sql: [],
  clean_up_sqls: [],
  sol_sql: [],
  external_knowledge: [],
  test_cases: [],
  category: "Query",
  conditions: { decimal: [], distinct: false, order: true },
  user_query_ambiguity: {
    critical_ambiguity: [
      { term: "big", sql_snippet: "length > 100", is_mask: true, type: "semantic_ambiguity" },
    ],
    non_critical_ambiguity: [],
  },
  knowledge_ambiguity: [],
};
const TASKS = "bird-interact-full/bird_interact_data.jsonl";
const jsonl = (...rows: unknown[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

async function read(files: Record<string, string>) {
  const folder = temporaryFolder();
  await writeFiles(folder, files);
  const source = await readBirdInteract(folder);
  return { source, items: [...source.tasks()] };
}

const errorsOf = async (files: Record<string, string>): Promise<string[]> =>
  (await read(files)).items.flatMap((item) => (item.kind === "error" ? [item.error.message] : []));

async function taskOf(task: object, more: Record<string, string> = {}) {
  const [item] = (await read({ [TASKS]: jsonl(task), ...more })).items;
  if (item?.kind !== "task") throw new Error(item?.error.message ?? "no task");
  return item;
}

describe("a line of tasks", () => {
  it("keeps what is upstream's, and nothing of the ground truth but where it belongs", async () => {
    const follow_up = { query: "And the small ones?", sol_sql: ["SELECT 3"], test_cases: [], type: "x" };
    const { value } = await taskOf({ ...TASK, sol_sql: ["SELECT 2"], follow_up });
    expect(value).toMatchObject({ ordered: true, category: "query", query: null });
    expect(value.follow_up).toEqual({ query: "And the small ones?", type: "x" });
    expect(value.ground_truth).toMatchObject({
      here: true,
      sol_sql: ["SELECT 2"],
      follow_up: { sol_sql: ["SELECT 3"] },
      file: TASKS,
    });
  });

  it.each([
    [{ clean_up_sqls: ["DROP VIEW v"] }, ["DROP VIEW v"]],
    [{ clean_up_sqls: undefined, clean_up_sql: ["DROP VIEW v"] }, ["DROP VIEW v"]],
    [{ clean_up_sqls: undefined, clean_up_sql: "DROP VIEW v" }, ["DROP VIEW v"]],
    [{ clean_up_sqls: undefined }, []],
  ])("takes the statements after it by either name: %j", async (fields, expected) => {
    expect((await taskOf({ ...TASK, ...fields })).value.clean_up_sqls).toEqual(expected);
  });

  it.each([
    [4, [4]],
    [
      [4, 7],
      [4, 7],
    ],
    [undefined, []],
  ])("takes deleted knowledge %j", async (deleted_knowledge, expected) => {
    const knowledge_ambiguity = [
      { term: "Tonnage", sql_snippet: "t", type: "knowledge_ambiguity", deleted_knowledge },
    ];
    expect((await taskOf({ ...TASK, knowledge_ambiguity })).value.knowledge[0]?.deleted_knowledge).toEqual(
      expected,
    );
  });

  it("comes out as one error with all its faults, and the others go on", async () => {
    const bad = { ...TASK, instance_id: "", category: "Both", selected_database: "../quay" };
    const { items } = await read({
      [TASKS]: `${JSON.stringify(bad)}\n\n{"half": \n${JSON.stringify(TASK)}\n`,
    });
    expect(items.map(({ kind }) => kind)).toEqual(["error", "error", "task"]);
    const [first, second] = items.flatMap((item) => (item.kind === "error" ? [item.error.message] : []));
    expect(first).toContain(`${TASKS}, line 1, row 0, field "instance_id": expected a text`);
    expect(first).toContain('field "category": expected Query or Management, found "Both"');
    expect(first).toContain("holds a path separator");
    expect(second).toContain(`${TASKS}, line 3, row 1: expected JSON`);
  });

  it("that has an id of another line names both", async () => {
    const [error] = await errorsOf({ [TASKS]: jsonl(TASK, TASK) });
    expect(error).toBe(
      `${TASKS}, line 2, row 1, field "instance_id": expected each task once, found quay_1 at ${TASKS}, line 1 too`,
    );
  });
});

describe("the files of tasks", () => {
  const part = (name: string): string => `bird-interact-${name}`;
  const files = {
    [`${part("full")}/bird_interact_data.excerpt.jsonl`]: jsonl({ ...TASK, instance_id: "quay_2" }),
    [`${part("lite")}/bird_interact_data.jsonl`]: jsonl({ ...TASK, instance_id: "quay_3" }),
  };
  const idsIn = async (all: Record<string, string>): Promise<string[]> =>
    (await read(all)).items.map((item) => (item.kind === "task" ? item.value.instance_id : "?"));

  it("are read together where each is a part", async () => {
    expect(await idsIn(files)).toEqual(["quay_2", "quay_3"]);
  });
  it("but the full file is read alone: the published counts are its own", async () => {
    expect(await idsIn({ ...files, [TASKS]: jsonl(TASK) })).toEqual(["quay_1"]);
  });
  it("are missed by name", async () => {
    expect((await failureOf(read({ "ground-truth/x.jsonl": "" }))).message).toContain(TASKS);
  });
});

describe("the ground truth", () => {
  const truth = (sql: string) =>
    jsonl({ instance_id: "quay_1", sol_sql: [sql], test_cases: [], external_knowledge: [1] });
  it("is joined by instance_id, whichever file it is in", async () => {
    const { value } = await taskOf(TASK, { "ground-truth/a/gt.jsonl": truth("SELECT 1") });
    expect(value.ground_truth).toMatchObject({
      here: true,
      sol_sql: ["SELECT 1"],
      file: "ground-truth/a/gt.jsonl",
    });
  });
  it("that is missing is said with how to come by it", async () => {
    const { value } = await taskOf(TASK);
    expect(value.ground_truth.here).toBe(false);
    expect(JSON.stringify(value.ground_truth)).toContain("bird.bench23@gmail.com");
  });
  it("may lie in two files that say the same", async () => {
    const same = { "ground-truth/a.jsonl": truth("SELECT 1"), "ground-truth/b.jsonl": truth("SELECT 1") };
    expect((await taskOf(TASK, same)).value.ground_truth.here).toBe(true);
  });
  it("that two files give differently is an error with both places", async () => {
    const clash = { "ground-truth/a.jsonl": truth("SELECT 1"), "ground-truth/b.jsonl": truth("SELECT 2") };
    const [error] = await errorsOf({ [TASKS]: jsonl(TASK), ...clash });
    expect(error).toBe(
      'ground-truth/b.jsonl, line 1, row 0, field "sol_sql": gives quay_1 another ground truth than ground-truth/a.jsonl, line 1: keep one of the two',
    );
  });
  it("for SQLite is of no use on PostgreSQL, and gives way to the other", async () => {
    const sqlite = { "ground-truth/x-sqlite/a.jsonl": truth("SELECT 2") };
    expect(JSON.stringify((await taskOf(TASK, sqlite)).value.ground_truth)).toContain("for SQLite only");
    const both = { ...sqlite, "ground-truth/z.jsonl": truth("SELECT 1") };
    expect((await taskOf(TASK, both)).value.ground_truth).toMatchObject({ sol_sql: ["SELECT 1"] });
  });
});

describe("knowledge", () => {
  const entry = {
    id: 3,
    knowledge: "A",
    description: "d",
    definition: "f",
    type: "t",
    children_knowledge: -1,
  };
  it("has children or -1", () => {
    const [first, second] = readKnowledge(jsonl(entry, { ...entry, id: 9, children_knowledge: [3] }), "kb");
    expect([first?.children, second?.children]).toEqual([[], [3]]);
  });
  it.each([
    [jsonl(entry, entry), 'kb, line 2, row 1, field "id": expected each id once, found 3 in line 1 too'],
    [jsonl({ ...entry, id: "3" }), 'kb, line 1, row 0, field "id": expected a whole number, found "3"'],
    [jsonl({ ...entry, definition: null }), 'field "definition": expected a text, found null'],
    [
      jsonl({ ...entry, children_knowledge: "3" }),
      'field "children_knowledge": expected -1 or a list of ids',
    ],
  ])("faults are placed: %s", (text, message) => {
    expect(() => readKnowledge(text, "kb")).toThrow(message);
  });
  it("that is faulty is an error of each task of its database, and of no other", async () => {
    const { items } = await read({
      [TASKS]: jsonl(TASK, { ...TASK, instance_id: "x_1", selected_database: "x" }),
      "bird-interact-full/quay/quay_kb.jsonl": jsonl(entry, entry),
    });
    expect(items.map(({ kind }) => kind)).toEqual(["error", "task"]);
  });
});

describe("column meanings", () => {
  it("are named database|table|column", () => {
    expect(readColumnMeanings('{"d|T|C": "said"}', "m")).toEqual({ "T.C": "said" });
    expect(() => readColumnMeanings('{"T|C": "said"}', "m")).toThrow('m, field "T|C": expected the name');
    expect(() => readColumnMeanings('{"d|T|C": 5}', "m")).toThrow("expected a text or fields, found 5");
  });
});

const real = realData("bird-interact");
describe.skipIf(real === undefined)("the real files", () => {
  it("hold eleven tasks, all with ground truth, one with its database", async () => {
    const source = await readBirdInteract(real ?? "");
    const items = [...source.tasks()];
    expect(items.map(({ kind }) => kind)).toEqual(new Array(11).fill("task"));
    const tasks = items.flatMap((item) => (item.kind === "task" ? [item] : []));
    expect(tasks.every(({ value }) => value.ground_truth.here)).toBe(true);
    const whole = tasks.filter(({ database }) => database.dump.here);
    expect(whole.map(({ value }) => value.instance_id)).toEqual(["alien_1"]);
    const knowledge = whole[0]?.database.knowledge;
    expect(knowledge?.here === true && knowledge.entries.length).toBe(56);
    expect(Object.keys(whole[0]?.database.meanings ?? {})).toHaveLength(136);
    expect([...source.hashes.keys()].filter((path) => path.endsWith(".sql"))).toHaveLength(11);
  });
});
