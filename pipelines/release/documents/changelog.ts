/**
 * CHANGELOG.md: what has changed between a release and the version before it, record by record, from `diff`. Values are
 * not told, only ids and names of fields, so that the file travels with the public zone alone: a public-only release says
 * the same as the whole one of the same builds.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { ZONES } from "../../record/zones.js";
import type { DatabaseChange } from "../diff/databases.js";
import { fieldName } from "../diff/fields.js";
import type { KeyedDiff } from "../diff/keyed.js";
import type { DatasetDiff } from "../diff/suites.js";
import type { Difference } from "../version/history.js";
import { versionText } from "../version/semver.js";
import type { ReleaseContents } from "./contents.js";
import { counted, grouped } from "./grouped.js";
import { code, listed } from "./markdown.js";

export const CHANGELOG_FILE = "CHANGELOG.md";

/** How many ids or paths a line names; `ambitab diff` names all. */
const NAMED = 50;

/** How many changed databases have a line each. */
const DATABASES = 20;

const HEAD = `# Changelog

What has changed from version to version, by the records' own ids: written by \`ambitab release\`, which compares the
releases. \`ambitab diff A B\` tells every value. Results on records that are the same in two versions can be compared.
`;

type Entry = ReleaseManifest["datasets"][string];

const sizes = ({ records, databases }: Entry): string =>
  `${counted(records, "record")} over ${counted(databases, "database")}`;

/** The zone of a field, or what all zones share. */
function zoneOf(path: string): string {
  const first = /^[\w-]+/.exec(path)?.[0] ?? "";
  return ZONES.some((zone) => zone === first) ? first : "record";
}

/** Zone → name of the field → in how many records it has changed. */
function fieldCounts({ changed }: KeyedDiff): Map<string, Map<string, number>> {
  const zones = new Map<string, Map<string, number>>();
  for (const { fields } of changed) {
    for (const name of new Set(fields.map(({ path }) => fieldName(path)))) {
      const counts = zones.get(zoneOf(name)) ?? new Map<string, number>();
      zones.set(zoneOf(name), counts.set(name, (counts.get(name) ?? 0) + 1));
    }
  }
  return zones;
}

function fieldLines(records: KeyedDiff): string[] {
  const zones = fieldCounts(records);
  return ["record", ...ZONES].flatMap((zone) => {
    const counts = [...(zones.get(zone) ?? [])].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    if (counts.length === 0) return [];
    const named = counts.slice(0, NAMED).map(([name, records]) => `${code(name)} ${grouped(records)}`);
    const rest = counts.length > NAMED ? ` and ${grouped(counts.length - NAMED)} more fields` : "";
    return [`  - ${zone}: ${named.join(", ")}${rest}`];
  });
}

function tablesOf({ tables, problem }: DatabaseChange): string {
  if (problem !== undefined) return "other bytes";
  if (tables.length === 0) return "other bytes, the same tables";
  const rows = (value: number | null): string => (value === null ? "absent" : grouped(value));
  const told = tables.map(({ table, rows_before, rows_after }) =>
    rows_before === rows_after
      ? `${code(table)} other contents, ${rows(rows_after)} rows`
      : `${code(table)} ${rows(rows_before)} → ${rows(rows_after)} rows`,
  );
  return told.length > NAMED
    ? `${told.slice(0, NAMED).join(", ")} and ${grouped(told.length - NAMED)} more tables`
    : told.join(", ");
}

const some = (what: string, names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`- ${what}: ${listed(names, NAMED)}`];

function datasetLines(
  { zones, records, databases }: DatasetDiff,
  before: Entry | undefined,
  after: Entry | undefined,
): string[] {
  if (after === undefined)
    return [`- the dataset is gone${before === undefined ? "" : `: ${sizes(before)}`}`];
  if (before === undefined) return [`- a new dataset: ${sizes(after)}`];
  const { added, removed, changed } = records;
  const lines = [
    `- records ${grouped(records.before)} → ${grouped(records.after)}: ${grouped(added.length)} added, ${grouped(removed.length)} removed, ${grouped(changed.length)} changed`,
    ...some("added", added),
    ...some("removed", removed),
    ...some(
      "changed",
      changed.map(({ key }) => key),
    ),
    ...(changed.length > 0
      ? ["- fields that changed, and in how many records:", ...fieldLines(records)]
      : []),
    `- databases ${grouped(databases.before)} → ${grouped(databases.after)}: ${grouped(databases.added.length)} added, ${grouped(databases.removed.length)} removed, ${grouped(databases.changed.length)} changed`,
    ...some("databases added", databases.added),
    ...some("databases removed", databases.removed),
    ...databases.changed
      .slice(0, DATABASES)
      .map((one) => `- database changed: ${code(one.path)}: ${tablesOf(one)}`),
  ];
  const unnamed = databases.changed.length - DATABASES;
  if (unnamed > 0) lines.push(`- and ${counted(unnamed, "more changed database")}`);
  for (const field of ["source_version", "pipeline_version", "licence"] as const) {
    if (before[field] !== after[field])
      lines.push(`- ${field.replace("_", " ")} ${code(before[field])} → ${code(after[field])}`);
  }
  if (zones.length < ZONES.length)
    lines.push(`- compared were only the zones that both hold: ${zones.join(", ")}`);
  return lines;
}

const WHY = {
  major: "results on what has changed are not comparable with earlier ones",
  minor: "what was there before is unchanged",
  patch: "no record's content has changed",
} as const;

function changedEntry(version: string, manifest: ReleaseManifest, difference: Difference): string[] {
  const { from, step, datasets } = difference;
  const lines = [`## ${version}`, "", `Since ${versionText(from.version)}: a ${step} step, ${WHY[step]}.`];
  for (const diff of datasets) {
    const [before, after] = [difference.manifest, manifest].map(({ datasets: all }) => all[diff.dataset]);
    lines.push("", `### ${diff.dataset}`, "", ...datasetLines(diff, before, after));
  }
  return lines;
}

function firstEntry(version: string, manifest: ReleaseManifest): string[] {
  const datasets = Object.entries(manifest.datasets);
  return [
    `## ${version}`,
    "",
    "First release.",
    "",
    ...datasets.map(([dataset, entry]) => `- ${dataset}: ${sizes(entry)}`),
  ];
}

/** The entries of the release before, newest first; a line in their place where it has no changelog. */
function olderEntries({ from }: Difference): string {
  const path = join(from.folder, CHANGELOG_FILE);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const first = /^## /m.exec(text)?.index;
  const own = versionText(from.version);
  return first === undefined
    ? `## ${own}\n\nThat release came without a changelog.\n`
    : `${text.slice(first).trimEnd()}\n`;
}

/** Writes CHANGELOG.md: the version's entry, then those of the release before. A part of a release has brought its own. */
export function writeChangelog(work: string, { manifest, history }: ReleaseContents): void {
  if (history === undefined) return;
  const { version } = manifest;
  const entry =
    history.previous === undefined
      ? firstEntry(version, manifest)
      : changedEntry(version, manifest, history.previous);
  const older = history.previous === undefined ? "" : `\n${olderEntries(history.previous)}`;
  writeFileSync(join(work, CHANGELOG_FILE), `${HEAD}\n${entry.join("\n")}\n${older}`);
}
