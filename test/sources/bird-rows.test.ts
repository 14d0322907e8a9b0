import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type BirdItem,
  findQuestionFiles,
  locateBirdDatabase,
  predictionFor,
  readPredictions,
  readQuestions,
} from "../../sources/bird/index.js";
import { BIRD_DEV_RELEASES } from "../../sources/bird/manifest.js";
import { sampleFolder } from "../../sources/index.js";
import { failureOf, realData, temporaryFolder, writeFiles } from "./temporary.js";

const ROW = { question_id: 0, db_id: "docks", question: "How many?", evidence: "", SQL: "SELECT 1" };

async function rowsOf(rows: unknown[], split: "dev" | "train" = "dev"): Promise<BirdItem[]> {
  const folder = temporaryFolder();
  await writeFiles(folder, { "dev.json": JSON.stringify(rows, null, 1) });
  const items: BirdItem[] = [];
  for await (const item of readQuestions(folder, "dev.json", split)) items.push(item);
  return items;
}

const complaint = (item: BirdItem | undefined): string =>
  item?.kind === "error" ? item.error.message : "it is a good row";

describe("BIRD's rows", () => {
  it("are read whole, without evidence and difficulty where train.json has none", async () => {
    const [dev] = await rowsOf([{ ...ROW, question_id: 7, difficulty: "simple" }]);
    expect(dev).toMatchObject({
      kind: "row",
      value: { question_id: 7, difficulty: "simple", sql: "SELECT 1" },
    });
    const { question_id: _id, evidence: _none, ...bare } = ROW;
    const [, second] = await rowsOf([bare, bare], "train");
    expect(second).toMatchObject({ kind: "row", value: { question_id: 1, evidence: "", difficulty: null } });
  });

  it.each([
    [{ ...ROW, db_id: "../docks" }, /field "db_id": expected a database name/],
    [{ ...ROW, question: " " }, /field "question": expected a text/],
    [{ ...ROW, SQL: undefined }, /field "SQL": expected a string, found nothing/],
    [{ ...ROW, evidence: 3 }, /field "evidence": expected a string, found 3/],
    [{ ...ROW, question_id: -1 }, /field "question_id": expected a whole number/],
    [{ ...ROW, question_id: "7" }, /field "question_id": expected a whole number/],
    ["row", /expected an object/],
  ])("say what is wrong with %j", async (row, message) => {
    const [item] = await rowsOf([row]);
    expect(complaint(item)).toMatch(message);
    expect(complaint(item)).toMatch(/^dev\.json, line 2, row 0/);
  });

  it("name both places of an id that comes twice", async () => {
    const items = await rowsOf([ROW, { ...ROW, question_id: 5 }, ROW]);
    expect(complaint(items[2])).toBe(
      'dev.json, line 16, row 2, field "question_id": expected each question once, found 0 here and in row 0',
    );
  });
});

describe("BIRD's releases", () => {
  const dev = (sql: string): string => JSON.stringify([{ ...ROW, SQL: sql }]);

  it("need a choice where a folder holds several, and are chosen by name or path", async () => {
    const folder = temporaryFolder();
    await writeFiles(folder, {
      "dev/dev.json": dev("SELECT 1"),
      "dev_2023/dev.json": readFileSync(join(sampleFolder("bird"), "dev/dev.json")),
    });
    const several = await failureOf(findQuestionFiles(folder));
    expect(several.message).toMatch(
      /several releases.*unknown \(dev\/dev\.json\), sample \(dev_2023\/dev\.json\)/,
    );
    for (const release of ["sample", "dev_2023/dev.json"]) {
      const { files, absent } = await findQuestionFiles(folder, { release });
      expect(files).toMatchObject([{ path: "dev_2023/dev.json", release: "sample", split: "dev" }]);
      expect(files[0]?.databases).toEqual([
        "dev_2023/dev_databases",
        "dev/dev_databases",
        "dev_20240627/dev_databases",
        "dev_databases",
      ]);
      expect(absent).toEqual(["train/train.json"]);
    }
    const none = await failureOf(findQuestionFiles(folder, { release: "dev_20240627" }));
    expect(none.message).toContain('no dev release "dev_20240627"');
  });

  it("are no choice where both files are the same", async () => {
    const folder = temporaryFolder();
    await writeFiles(folder, { "dev/dev.json": dev("SELECT 1"), "dev_2023/dev.json": dev("SELECT 1") });
    expect((await findQuestionFiles(folder)).files).toMatchObject([{ path: "dev/dev.json" }]);
  });

  it("are missing where there is nothing", async () => {
    expect((await failureOf(findQuestionFiles(temporaryFolder()))).message).toContain(
      "expected BIRD's questions",
    );
  });

  it("know the sample by its hash", () => {
    const bytes = readFileSync(join(sampleFolder("bird"), "dev/dev.json"));
    expect(BIRD_DEV_RELEASES.find(({ name }) => name === "sample")).toEqual({
      name: "sample",
      sha256: createHash("sha256").update(bytes).digest("hex"),
      bytes: bytes.length,
    });
  });
});

describe("BIRD's databases", () => {
  it("are looked for in every place, and a pointer or a damaged file is told from none", async () => {
    const folder = temporaryFolder();
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\n";
    await writeFiles(folder, {
      "a/docks/docks.sqlite": pointer,
      "b/docks/docks.sqlite": "SQLite format 3\0 and more",
      "a/quays/quays.sqlite": "",
      "a/piers/piers.sqlite": pointer,
      "b/piers/database_description/._x.csv": "x",
      "b/piers/database_description/pier.csv": "x",
    });
    const at = async (name: string) => (await locateBirdDatabase(folder, ["a", "b"], name)).file;
    expect(await at("docks")).toMatchObject({ kind: "sqlite", path: "b/docks/docks.sqlite" });
    expect(await at("quays")).toEqual({ kind: "broken", reason: "a/quays/quays.sqlite is an empty file" });
    expect(await at("piers")).toMatchObject({
      kind: "missing",
      reason: expect.stringContaining("Git LFS pointer"),
    });
    expect(await at("moles")).toEqual({ kind: "missing", reason: "a/moles/moles.sqlite is not there" });
    const { descriptions } = await locateBirdDatabase(folder, ["a", "b"], "piers");
    expect(descriptions.map(({ path }) => path)).toEqual(["b/piers/database_description/pier.csv"]);
  });
});

describe("predictions", () => {
  const read = async (name: string, content: string) => {
    const folder = temporaryFolder();
    await writeFiles(folder, { [name]: content });
    return readPredictions(join(folder, name));
  };
  const of = (split: "dev" | "train", question_id: number) => ({ split, question_id });

  it("are read in BIRD's format: 0 is no answer, a bare id is a dev question", async () => {
    const predictions = await read(
      "p.json",
      JSON.stringify({
        0: "SELECT 1;\t----- bird -----\tdocks",
        1: 0,
        2: "\t----- bird -----\tdocks",
        "train/0": "SELECT 'a\t----- bird -----\tb'\t----- bird -----\tquays",
        3: "SELECT 3",
      }),
    );
    expect(predictionFor(predictions, of("dev", 0))).toEqual({ sql: "SELECT 1;", db_id: "docks" });
    expect(predictionFor(predictions, of("dev", 1))).toEqual({ sql: null, db_id: null });
    expect(predictionFor(predictions, of("dev", 2))).toEqual({ sql: null, db_id: "docks" });
    expect(predictionFor(predictions, of("dev", 3))).toEqual({ sql: "SELECT 3", db_id: null });
    expect(predictionFor(predictions, of("train", 0))?.sql).toBe("SELECT 'a\t----- bird -----\tb'");
    expect(predictionFor(predictions, of("train", 1))).toBeUndefined();
  });

  it("are read line by line", async () => {
    const predictions = await read(
      "p.jsonl",
      '{"question_id": 4, "db_id": "docks", "sql": "SELECT 4"}\n\n{"question_id": 4, "split": "train", "SQL": null}\n',
    );
    expect(predictionFor(predictions, of("dev", 4))).toEqual({ sql: "SELECT 4", db_id: "docks" });
    expect(predictionFor(predictions, of("train", 4))).toEqual({ sql: null, db_id: null });
  });

  it.each([
    ["p.json", '{"x": "SELECT 1"}', /p\.json, field "x": expected a question id/],
    ["p.json", '{"1": 7}', /p\.json, field "1": expected SQL or 0, found 7/],
    ["p.json", "[1]", /p\.json: expected an object/],
    ["p.json", '{"1": ', /p\.json: expected BIRD's predictions in JSON/],
    ["p.json", '{"1": 0, "dev/1": 0}', /p\.json, field "dev\/1": expected each question once/],
    ["p.jsonl", '{"question_id": 1, "sql": "x"}\n{', /p\.jsonl, line 2: expected JSON/],
    ["p.jsonl", "7", /p\.jsonl, line 1: expected an object/],
  ])("%s with %j is refused by file and place", async (name, content, message) => {
    expect((await failureOf(read(name, content))).message).toMatch(message);
  });

  it("that are not there are a person's mistake", async () => {
    const error = await failureOf(readPredictions(join(temporaryFolder(), "none.json")));
    expect(error).toMatchObject({ name: "UserError", remedy: expect.stringContaining("--probe") });
  });

  const root = realData("bird");
  it.skipIf(root === undefined)("of one real model lack 54 and 14 answers", async () => {
    for (const [name, none] of [
      ["turbo_predict_dev.json", 54],
      ["turbo_kg_predict_dev.json", 14],
    ] as const) {
      const { answers } = await readPredictions(join(root ?? "", "predictions", name));
      expect(answers.size).toBe(1534);
      expect([...answers.values()].filter(({ sql }) => sql === null)).toHaveLength(none);
    }
  });
});
