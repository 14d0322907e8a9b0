import type { Funnel } from "../../schemas/types/funnel.js";
import { columns, styled } from "./say.js";

const count = (value: number): string => value.toLocaleString("en-US");

/** The published count beside ours, and how much of the difference missing sources may explain. */
function beside(label: string, ours: number, published: number): string {
  const difference = ours - published;
  const sign = difference > 0 ? "+" : "";
  const gap =
    difference === 0 ? "as published" : `published ${count(published)}, ${sign}${count(difference)}`;
  return `${label} ${count(ours)} (${gap})`;
}

/**
 * A funnel as a person reads it: rows to records, stage by stage, and the published counts beside ours (which say nothing
 * beside a sample's).
 */
export function funnelText(funnel: Funnel, { published: compare = true } = {}): string {
  const rows = funnel.stages.flatMap((stage) => {
    const reasons = Object.entries(stage.reasons).map(([reason, dropped]) => `${count(dropped)} ${reason}`);
    const numbers = [count(stage.in), count(stage.dropped), count(stage.out)];
    return [
      [stage.stage, ...numbers, reasons[0] ?? ""],
      ...reasons.slice(1).map((one) => ["", "", "", "", one]),
    ];
  });
  const { published, missing, findings } = funnel;
  const lines = [
    styled("bold", funnel.dataset),
    columns(["stage", "in", "dropped", "out", "why"], rows, [1, 2, 3]),
    "",
    ...(["records", "databases", "ambiguities"] as const).map((name) =>
      compare && published !== undefined
        ? beside(name, funnel[name], published[name])
        : `${name} ${count(funnel[name])}`,
    ),
    `requests ${count(funnel.avts)}`,
  ];
  for (const [split, { published: of, ...ours }] of Object.entries(funnel.splits ?? {})) {
    const counted = (["records", "databases", "ambiguities"] as const).map((name) =>
      compare ? beside(name, ours[name], of[name]) : `${name} ${count(ours[name])}`,
    );
    lines.push(`  of split ${split}: ${counted.join(", ")}`);
  }
  const counted = Object.entries(funnel.counts ?? {});
  if (counted.length > 0) {
    const table = counted.map(([name, { rows: all, records }]) => [name, count(all), count(records)]);
    lines.push("", columns(["counted", "in all rows", "in records"], table, [1, 2]));
  }
  const absent = Object.entries(missing).map(([what, dropped]) =>
    dropped === 0
      ? `${what} (the whole file)`
      : `${what} (${count(dropped)} ${dropped === 1 ? "row" : "rows"})`,
  );
  if (absent.length > 0) lines.push(`missing from this copy of the source: ${absent.join(", ")}`);
  const noted = Object.entries(findings).map(([code, number]) => `${count(number)} ${code}`);
  if (noted.length > 0) lines.push(`noticed and kept: ${noted.join(", ")}`);
  return lines.join("\n");
}
