import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SourceError } from "../../pipelines/errors.js";
import {
  type AmbrosiaItem,
  type AmbrosiaQuestion,
  locateAmbrosiaDatabase,
  readAmbrosia,
  readConcepts,
} from "../../sources/ambrosia/index.js";
import { sampleFolder } from "../../sources/index.js";
import { failureOf, realData, temporaryFolder, writeFiles } from "./temporary.js";

const sample = sampleFolder("ambrosia");
const CSV = "data/ambrosia.csv";

async function itemsOf(root: string): Promise<AmbrosiaItem[]> {
  const items: AmbrosiaItem[] = [];
  for await (const item of (await readAmbrosia(root)).questions()) items.push(item);
  return items;
}
async function questionsOf(root: string): Promise<AmbrosiaQuestion[]> {
  return (await itemsOf(root)).map((item) => {
    if (item.kind === "error") throw item.error;
    return item.value;
  });
}
const messagesOf = (items: AmbrosiaItem[]): string[] =>
  items.flatMap((item) => (item.kind === "error" ? [item.error.message] : []));

/** A folder that holds one CSV. */
async function withCsv(text: string): Promise<string> {
  const root = temporaryFolder();
  await writeFiles(root, { [CSV]: text });
  return root;
}

/** A copy of the sample without its CSV. */
function foldersOnly(): string {
  const root = temporaryFolder();
  cpSync(sample, root, { recursive: true });
  rmSync(join(root, CSV));
  return root;
}

/** What both layouts say of a question. */
const told = ({ question, db_file, number, type, domain, readings }: AmbrosiaQuestion): string =>
  JSON.stringify({
    question,
    db_file,
    number,
    type,
    domain,
    readings: readings.map(({ sentence, sql }) => [sentence, sql]),
  });

const HEADER = "question,gold_queries,is_ambiguous,ambig_type,domain,db_file,ambig_question,split";
const DB = "data/vague/D/x/x.sqlite";
const row = (question: string, sql: string, ambiguous: boolean, of: string): string =>
  [question, sql, ambiguous ? "True" : "False", "vague", "D", DB, of, "test"].join(",");

describe("readAmbrosia", () => {
  it("gives each question of the CSV with its readings, SQL to the last carriage return", async () => {
    const questions = await questionsOf(sample);
    const exhibits = questions.find(({ question }) => question.startsWith("Show oil paintings"));
    expect(exhibits).toMatchObject({
      type: "attachment",
      domain: "Museums",
      split: "test",
      number: 0,
      db_file: "data/attachment/Museums/attachment_1tab_val_exhibits/attachment_1tab_val_exhibits.sqlite",
    });
    expect(exhibits?.readings.map(({ sql }) => sql)).toEqual([
      'SELECT title\r\nFROM Exhibits\r\nWHERE (kind = "Oil Painting" OR kind = "Bronze Statue") AND donor = "Family Okafor"',
      'SELECT title\r\nFROM Exhibits\r\nWHERE kind = "Oil Painting" OR kind = "Bronze Statue" AND donor = "Family Okafor"',
    ]);
    expect(exhibits?.readings.map(({ row: at }) => at - (exhibits?.row ?? 0))).toEqual([1, 2]);
  });

  it("reads the same questions from the examples beside the databases, without the split", async () => {
    const [csv, folders] = [await questionsOf(sample), await questionsOf(foldersOnly())];
    expect(folders.map(told).sort()).toEqual(csv.map(told).sort());
    expect(folders.every(({ split }) => split === null)).toBe(true);
    expect((await readAmbrosia(foldersOnly())).layout).toBe("folders");
  });

  it("pairs questions and readings wherever they stand, with a byte order mark or without", async () => {
    const [q, a, b] = [row("Q", "S1;S2", true, "Q"), row("A", "S1", false, "Q"), row("B", "S2", false, "Q")];
    for (const lines of [
      [q, a, b],
      [b, q, a],
      [a, b, q],
    ]) {
      for (const [start, end] of [
        ["", "\n"],
        ["\ufeff", "\r\n"],
      ] as const) {
        const root = await withCsv(start + [HEADER, ...lines, ""].join(end));
        const [question, ...more] = await questionsOf(root);
        expect(more).toEqual([]);
        expect(question?.readings.map(({ sentence }) => sentence).sort()).toEqual(["A", "B"]);
      }
    }
  });

  it("reports every bad row with its place, and reads the good ones", async () => {
    const root = await withCsv(readFileSync(join(sample, "with-bad-rows.csv"), "utf8"));
    const items = await itemsOf(root);
    const bad = messagesOf(items);
    expect(items.length - bad.length).toBe((await questionsOf(sample)).length);
    for (const message of bad) expect(message).toMatch(/^data\/ambrosia\.csv, line \d+, row \d+/);
    for (const part of [
      'field "question": expected a text, found an empty one',
      'field "ambig_type": expected attachment or scope or vague, found "irony"',
      'field "is_ambiguous": expected True or False, found "maybe"',
      'field "db_file": expected data/scope/<Domain>/<name>/<name>.sqlite, found "../../../etc/passwd"',
      'field "ambig_question": expected a question of this database, found none like it',
      'field "question": expected at least two readings of this question, found 0',
      "expected 12 cells, found 4",
    ]) {
      expect(bad.filter((message) => message.includes(part)).length, part).toBe(1);
    }
    expect(bad.length).toBe(7);
  });

  const groups: [string, string[], string][] = [
    [
      "the same question twice",
      [row("Q", "S1", true, "Q"), row("Q", "S1", true, "Q")],
      "found this one in row 0 too",
    ],
    [
      "a reading whose SQL the question does not list",
      [row("Q", "S1", true, "Q"), row("A", "S1", false, "Q"), row("B", "S9", false, "Q")],
      "expected the SQL of all its readings, found nothing of row 2",
    ],
    [
      "a reading on another side of the split",
      [
        row("Q", "S1;S2", true, "Q"),
        row("A", "S1", false, "Q"),
        row("B", "S2", false, "Q").replace(/test$/, "few_shot_examples"),
      ],
      "found vague and few_shot_examples in row 2",
    ],
  ];
  it.each(groups)("reports %s", async (_, rows, message) => {
    expect(messagesOf(await itemsOf(await withCsv([HEADER, ...rows].join("\n")))).join("\n")).toContain(
      message,
    );
  });

  it.each([
    ["an empty file", "", "expected a header, found an empty file"],
    ["other columns", "question,sql\nQ,S\n", "found none named gold_queries"],
    ["a quote that never closes", `${HEADER}\n"Q,S\n`, "from here on this is not CSV"],
  ])("stops at %s", async (_, text, message) => {
    const error = await failureOf(itemsOf(await withCsv(text)));
    expect(error).toBeInstanceOf(SourceError);
    expect(error.message).toContain(message);
  });

  it("reports examples that are not of the format, and leaves copies alone", async () => {
    const root = temporaryFolder();
    const place = "data/scope/D/x";
    const good = {
      question: "Q",
      sql_query1: "S",
      interpretation1: "A",
      sql_query2: "T",
      interpretation2: "B",
    };
    await writeFiles(root, {
      [`${place}/examples.json`]: JSON.stringify([
        good,
        { ...good, question: " " },
        { question: "R", sql_query1: "S", interpretation1: "A" },
        { question: "T", sql_query1: "S", interpretation1: "A", interpretation2: "B" },
        good,
        "text",
      ]),
      "data/scope/D/x_copy/examples.json": JSON.stringify([good]),
    });
    const items = await itemsOf(root);
    expect(items.filter(({ kind }) => kind === "question").length).toBe(1);
    expect(
      messagesOf(items).map((message) => message.slice(place.length + "/examples.json, ".length)),
    ).toEqual([
      'line 1, row 1, field "question": expected a text, found an empty one',
      'line 1, row 2, field "interpretation2": expected at least two readings, found 1',
      'line 1, row 3, field "sql_query2": expected a string, found nothing',
      'line 1, row 4, field "question": expected each question of a database once, found this one in row 0 too',
      'line 1, row 5: expected an example, found "text"',
    ]);
  });

  it("says where the questions should be when there are none", async () => {
    const error = await failureOf(readAmbrosia(temporaryFolder()));
    expect(error).toBeInstanceOf(SourceError);
    expect(error.message).toContain("data/<type>/<Domain>/<name>/examples.json");
  });
});

describe("what lies beside the questions", () => {
  it("is a database, or a reason why there is none", async () => {
    const root = temporaryFolder();
    await writeFiles(root, {
      "a.sqlite": "version https://git-lfs.github.com/spec/v1\n",
      "b.sqlite": "",
      "c.sqlite": "no",
    });
    const reasons = ["a", "b", "c", "d"].map(async (name) => {
      const found = await locateAmbrosiaDatabase(root, `${name}.sqlite`);
      return found.kind === "missing" ? found.reason : found.kind;
    });
    expect(await Promise.all(reasons)).toEqual([
      "the file is a Git LFS pointer",
      "the file is empty",
      "the file is not a SQLite file",
      "it is not in this copy",
    ]);
  });

  it("is an annotation with the names of its type", async () => {
    const root = temporaryFolder();
    await writeFiles(root, {
      "good/concepts.json": JSON.stringify({ entities: " Farms ", components: "Crops", template: "…" }),
      "bad/concepts.json": JSON.stringify({ components: "Crops" }),
      "text/concepts.json": "{",
    });
    const read = async (folder: string) => readConcepts(root, `${folder}/x.sqlite`, "scope");
    expect(await read("good")).toMatchObject({
      concepts: { type: "scope", entities: "Farms", components: "Crops" },
    });
    expect(await read("none")).toEqual({ kind: "missing", file: "none/concepts.json" });
    expect((await failureOf(read("bad"))).message).toContain(
      'field "entities": expected a string, found nothing',
    );
    expect((await failureOf(read("text"))).message).toContain("text/concepts.json: expected a JSON object");
  });
});

const real = realData("ambrosia");
describe.skipIf(real === undefined)("the real AMBROSIA", () => {
  it("has 1,277 questions with 2,965 readings, the same in both layouts", async () => {
    const csv = await questionsOf(real ?? "");
    expect(csv.length).toBe(1277);
    expect(csv.flatMap(({ readings }) => readings).length).toBe(2965);
    expect(csv.filter(({ split }) => split === "test").length).toBe(1149);
    const { readFolderQuestions } = await import("../../sources/ambrosia/folders.js");
    const folders: string[] = [];
    for await (const item of readFolderQuestions(real ?? "")) {
      if (item.kind === "question") folders.push(told(item.value));
    }
    // The CSV names the domain in words of its own where the folder has an underscore.
    expect(folders.sort()).toEqual(csv.map(told).sort());
  });
});
