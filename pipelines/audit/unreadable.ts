import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describePlace, SourceError, UserError } from "../errors.js";
import { schemaFaults } from "../record/check-schema.js";
import type { FindingCode } from "./codes.js";
import { error, type Finding } from "./finding.js";

/** A file that is no JSON, is not there or is a folder: a fault of what is audited, never of the audit. */
function asFinding(cause: unknown, place: string): Finding | undefined {
  if (cause instanceof SourceError) return error("unreadable", describePlace(cause.place), cause.problem);
  // What a reader tells a person of a file that it could not read.
  if (cause instanceof UserError) return asFinding(cause.cause, place);
  if (!(cause instanceof Error)) return undefined;
  const { code } = cause as { code?: unknown };
  const misplaced = code === "ENOENT" || code === "ENOTDIR" || code === "EISDIR";
  return misplaced || cause instanceof SyntaxError ? error("unreadable", place, cause.message) : undefined;
}

/** Does work that reads what is audited; what it could not read is a finding. Anything else that is thrown is ours. */
export async function orUnreadable(
  findings: Finding[],
  place: string,
  work: () => Promise<void> | void,
): Promise<void> {
  try {
    await work();
  } catch (cause) {
    const finding = asFinding(cause, place);
    if (finding === undefined) throw cause;
    findings.push(finding);
  }
}

/** Faults of a value against a schema of ours, as findings of one code. Empty: it obeys. */
export const obeys = (schema: string, value: unknown, code: FindingCode, place: string): Finding[] =>
  schemaFaults(schema, value).map((fault) => error(code, place, fault));

/**
 * A JSON file that must obey a schema; undefined, with findings that say why, when it does not.
 *
 * @param each the file holds an object whose values must obey, such as one lock a dataset
 */
export async function readChecked<T>(
  findings: Finding[],
  folder: string,
  name: string,
  schema: "manifest" | "funnel" | "lock" | "run" | "statement",
  { each = false } = {},
): Promise<T | undefined> {
  let value: unknown;
  const before = findings.length;
  await orUnreadable(findings, name, () => {
    value = JSON.parse(readFileSync(join(folder, name), "utf8"));
    if (!each) findings.push(...obeys(schema, value, schema, name));
    else if (value === null || typeof value !== "object" || Array.isArray(value))
      findings.push(error(schema, name, "holds no object"));
    else
      for (const [key, one] of Object.entries(value))
        findings.push(...obeys(schema, one, schema, `${name}, ${key}`));
  });
  return findings.length > before ? undefined : (value as T);
}
