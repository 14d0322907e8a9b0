/** A difference in words, for a terminal. */

import { ZONES } from "../../record/zones.js";
import type { DatabaseChange, DatabasesDiff } from "./databases.js";
import { type FieldChange, fieldName } from "./fields.js";
import type { KeyedDiff } from "./keyed.js";
import type { SourceDiff } from "./sources.js";
import type { SuiteDiff } from "./suites.js";

const thousands = (count: number): string => count.toLocaleString("en-US");
const plural = (count: number, one: string): string => `${thousands(count)} ${one}${count === 1 ? "" : "s"}`;

function shown(value: unknown): string {
  if (value === undefined) return "(absent)";
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

function some(lines: readonly string[], limit: number): string[] {
  if (limit === 0 || lines.length <= limit) return [...lines];
  return [...lines.slice(0, limit), `  … ${plural(lines.length - limit, "more line")} (--limit 0 shows all)`];
}

const fieldLine = ({ path, before, after }: FieldChange): string =>
  `      ${path}: ${shown(before)} → ${shown(after)}`;

/** How often each field changed, most often first: what an upstream correction touched. */
function fieldCounts({ changed }: KeyedDiff): string {
  const counts = new Map<string, number>();
  for (const { fields } of changed) {
    for (const name of new Set(fields.map(({ path }) => fieldName(path))))
      counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${thousands(count)}`)
    .join(", ");
}

function keyedLines(what: string, diff: KeyedDiff, limit: number): string[] {
  const { before, after, added, removed, changed } = diff;
  const same = after - added.length - changed.length;
  const head = `  ${what} ${thousands(before)} → ${thousands(after)}: ${thousands(added.length)} added, ${thousands(removed.length)} removed, ${thousands(changed.length)} changed, ${thousands(same)} the same`;
  const lines = [head];
  if (changed.length > 0) lines.push(`  fields that changed: ${fieldCounts(diff)}`);
  const details = [
    ...added.map((key) => `    + ${key}`),
    ...removed.map((key) => `    - ${key}`),
    ...changed.flatMap(({ key, fields }) => [`    ~ ${key}`, ...fields.map(fieldLine)]),
  ];
  return [...lines, ...some(details, limit)];
}

function tablesOf({ tables, problem }: DatabaseChange): string {
  if (problem !== undefined) return problem;
  if (tables.length === 0) return "other bytes, the same contents";
  return tables
    .map(({ table, rows_before, rows_after }) => {
      if (rows_before === null) return `table ${table} added, ${plural(rows_after ?? 0, "row")}`;
      if (rows_after === null) return `table ${table} removed, ${plural(rows_before, "row")}`;
      if (rows_before === rows_after) return `table ${table}: other contents in ${plural(rows_after, "row")}`;
      return `table ${table}: ${thousands(rows_before)} → ${plural(rows_after, "row")}`;
    })
    .join("; ");
}

function databaseLines({ before, after, added, removed, changed }: DatabasesDiff, limit: number): string[] {
  const head = `  databases ${thousands(before)} → ${thousands(after)}: ${thousands(added.length)} added, ${thousands(removed.length)} removed, ${thousands(changed.length)} changed`;
  const details = [
    ...added.map((path) => `    + ${path}`),
    ...removed.map((path) => `    - ${path}`),
    ...changed.map((one) => `    ~ ${one.path}: ${tablesOf(one)}`),
  ];
  return [head, ...some(details, limit)];
}

function suiteLines(diff: SuiteDiff, limit: number): string[] {
  const lines = [`${diff.before.name} → ${diff.after.name}`];
  for (const { dataset, zones, records, databases } of diff.datasets) {
    const less = `: only the zones that both hold were compared (${zones.join(", ")})`;
    lines.push(
      `${dataset}${zones.length < ZONES.length ? less : ""}`,
      ...keyedLines("records", records, limit),
      ...databaseLines(databases, limit),
    );
  }
  return lines;
}

function sourceLines(diff: SourceDiff, limit: number): string[] {
  const lines = [
    `${diff.before.name} → ${diff.after.name}`,
    `files: ${thousands(diff.added.length)} added, ${thousands(diff.removed.length)} removed, ${thousands(diff.files.length + diff.databases.changed.length)} changed, ${thousands(diff.same)} the same`,
    ...some(
      [...diff.added.map((file) => `  + ${file}`), ...diff.removed.map((file) => `  - ${file}`)],
      limit,
    ),
  ];
  for (const { file, rows, key, problem } of diff.files) {
    if (rows === undefined) lines.push(file, `  other bytes${problem === undefined ? "" : ` (${problem})`}`);
    else lines.push(file, ...keyedLines(key === null ? "rows by position" : `rows by ${key}`, rows, limit));
  }
  return [...lines, "databases", ...databaseLines(diff.databases, limit)];
}

/** The whole difference. @param limit detail lines under each heading; 0 for all */
export function diffText(diff: SuiteDiff | SourceDiff, limit: number): string {
  return (diff.kind === "suites" ? suiteLines(diff, limit) : sourceLines(diff, limit)).join("\n");
}
