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
      compare ? beside(name, funnel[name], published[name]) : `${name} ${count(funnel[name])}`,
    ),
    `requests ${count(funnel.avts)}`,
  ];
  const absent = Object.entries(missing).map(
    ([what, dropped]) => `${what} (${count(dropped)} ${dropped === 1 ? "row" : "rows"})`,
  );
  if (absent.length > 0) lines.push(`missing from this copy of the source: ${absent.join(", ")}`);
  const noted = Object.entries(findings).map(([code, number]) => `${count(number)} ${code}`);
  if (noted.length > 0) lines.push(`noticed and kept: ${noted.join(", ")}`);
  return lines.join("\n");
}
