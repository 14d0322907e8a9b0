import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SourceError } from "../../pipelines/errors.js";
import type { FileDigest } from "../fetch/hash.js";
import { found, isObject, RowCheck } from "../row-check.js";
import type { AmbiguityType } from "./questions.js";

/** What concepts.json says of a database: the names of what is ambiguous in the questions about it. */
export type AmbrosiaConcepts =
  | { type: "scope"; entities: string; components: string }
  | {
      type: "attachment";
      general_class: string;
      class1: string;
      class2: string;
      common_property: string;
      common_value: string;
    }
  | { type: "vague"; subject: string; focus: string; general_category1: string; general_category2: string };

const FIELDS = {
  scope: ["entities", "components"],
  attachment: ["general_class", "class1", "class2", "common_property", "common_value"],
  vague: ["subject", "focus", "general_category1", "general_category2"],
} as const satisfies Record<AmbiguityType, readonly string[]>;

/** An annotation that is there; `file` is relative to the source's folder. */
export type LocatedConcepts =
  | ({ kind: "concepts"; file: string; concepts: AmbrosiaConcepts } & FileDigest)
  | { kind: "missing"; file: string };

/**
 * The annotation beside a database.
 *
 * @throws SourceError when it is there and is not JSON, or lacks a name that its type has
 */
export function readConcepts(root: string, db_file: string, type: AmbiguityType): LocatedConcepts {
  const file = `${dirname(db_file)}/concepts.json`;
  if (!existsSync(join(root, file))) return { kind: "missing", file };
  const content = readFileSync(join(root, file));
  let object: unknown;
  try {
    object = JSON.parse(content.toString("utf8"));
  } catch (cause) {
    throw new SourceError({ file }, "expected a JSON object, found something that is not JSON", { cause });
  }
  if (!isObject(object)) throw new SourceError({ file }, `expected a JSON object, found ${found(object)}`);
  const check = new RowCheck({ file });
  const names: [string, string | undefined][] = [];
  for (const field of FIELDS[type]) names.push([field, check.text(object, field)?.trim()]);
  const error = check.error();
  if (error !== undefined) throw error;
  const concepts = { type, ...Object.fromEntries(names) } as AmbrosiaConcepts;
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { kind: "concepts", file, concepts, bytes: content.length, sha256 };
}
