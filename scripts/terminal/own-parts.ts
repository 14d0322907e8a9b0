import type { Command } from "commander";
import { checkPart, type PartCheck } from "../../pipelines/evaluation/own/conformance.js";
import { PART_KINDS, type PartKind } from "../../pipelines/evaluation/own/load.js";
import { columns } from "./say.js";

/** Parts of a user's own, by kind: a module's path or a URL. */
export type OwnPartOptions = Partial<Record<PartKind, string>>;

/** Adds an option for each kind of part. */
export function withOwnParts(command: Command): Command {
  for (const kind of PART_KINDS)
    command.option(`--${kind} <own>`, `check your own ${kind}: a module's path or a URL`);
  return command;
}

/** Tries every part that is named; undefined where none is. */
export async function checkOwnParts(options: OwnPartOptions): Promise<PartCheck[] | undefined> {
  const named = PART_KINDS.filter((kind) => options[kind] !== undefined);
  if (named.length === 0) return undefined;
  const checks: PartCheck[] = [];
  for (const kind of named) checks.push(...(await checkPart(kind, options[kind]!)));
  return checks;
}

/** The checks as a table. */
export function ownPartsTable(checks: readonly PartCheck[]): string {
  const rows = checks.map(({ ok, part, check, note }) => [ok ? "ok" : "!!", part, check, note]);
  return columns(["ok?", "part", "call", "what came back"], rows);
}
