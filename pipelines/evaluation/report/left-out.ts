import type { DatasetSummary } from "../../../schemas/types/summary.js";

type LeftOut = DatasetSummary["left_out"][number];

const times = (count: number, name: string): string => (count === 1 ? name : `${count} × ${name}`);
const each = <T>(values: readonly T[]): string => [...new Set(values)].join(", ");

/** A record's episodes that came to one verdict, on a line: `r1: 9 × unverifiable (none, asker, full; seeds 0, 1, 2)`. */
function line(of: readonly LeftOut[]): string {
  const [{ record, verdict } = { record: "", verdict: "" }] = of;
  const seeds = [...new Set(of.map(({ seed }) => seed))].sort((a, b) => a - b);
  const seedText = `seed${seeds.length === 1 ? "" : "s"} ${seeds.join(", ")}`;
  const conditions = each(of.map(({ condition }) => condition));
  return `${record}: ${times(of.length, verdict)} (${conditions}; ${seedText})`;
}

/** The episodes that SR leaves out, a line for each record and verdict, sorted by record. */
export function leftOutLines(episodes: readonly LeftOut[]): string[] {
  const groups = new Map<string, LeftOut[]>();
  for (const one of episodes) {
    const key = JSON.stringify([one.record, one.verdict]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, of]) => line(of));
}
