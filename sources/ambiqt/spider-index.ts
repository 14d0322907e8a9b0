import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJsonArray } from "../json-array.js";
import { isObject } from "../row-check.js";

/** Gives the Spider dev index of a row that does not state it, or says why there is none. */
export type IndexRule = (row: { db_id: string; question: string; row: number }) => number | string;

const DEV_FILES = ["spider/dev.json", "dev.json"] as const;

const key = (db_id: string, question: string): string => JSON.stringify([db_id, question]);

/**
 * How rows without `orig_example_idx` get one. Upstream's column file is made by a procedure that writes the field, while
 * its sister files (tbl-agg, tbl-split) were published without it, so a copy may lack it. With Spider's dev.json at hand
 * the index is the question's position there, found by database and wording (no two of its 1,034 agree in both), and a
 * question that is not there is an error. Without dev.json it is the row in which the question first occurs in this file:
 * still one number a question, though not Spider's.
 */
export async function spiderIndexRule(root: string): Promise<IndexRule> {
  const file = DEV_FILES.find((candidate) => existsSync(join(root, candidate)));
  const known = new Map<string, number>();
  if (file === undefined) {
    return ({ db_id, question, row }) => {
      const id = key(db_id, question);
      const first = known.get(id) ?? row;
      known.set(id, first);
      return first;
    };
  }
  await fill(root, file, known);
  return ({ db_id, question }) =>
    known.get(key(db_id, question)) ??
    `expected a whole number, found nothing, and ${file} does not have the question`;
}

async function fill(root: string, file: string, known: Map<string, number>): Promise<void> {
  for await (const { row, value } of readJsonArray(join(root, file), { name: file })) {
    if (!isObject(value) || typeof value.db_id !== "string" || typeof value.question !== "string") continue;
    const id = key(value.db_id, value.question);
    if (!known.has(id)) known.set(id, row);
  }
}
