import type { RoleUsage } from "../../pipelines/model/index.js";
import { columns, sayer } from "./say.js";

const count = (value: number): string => value.toLocaleString("en-US");

/** What a run's calls came to, a line a role; undefined where it made none. For stderr: stored answers change it. */
export function usageText(usage: Readonly<Record<string, RoleUsage | undefined>>): string | undefined {
  const rows = Object.entries(usage).flatMap(([role, one]) => {
    if (one === undefined || one.asked === 0) return [];
    const retries = Object.values(one.retries).reduce((sum, times) => sum + times, 0);
    const tokens = `${count(one.prompt_tokens)} + ${count(one.completion_tokens)}`;
    const cost = one.cost === null ? "-" : one.cost.toFixed(4);
    const numbers = [
      one.asked,
      one.stored,
      one.sent,
      retries,
      one.truncated,
      one.context_overflow,
      one.model_error,
    ];
    return [[role, ...numbers.map(count), tokens, cost]];
  });
  if (rows.length === 0) return undefined;
  const header = [
    "role",
    "asked",
    "stored",
    "sent",
    "retried",
    "truncated",
    "overflow",
    "failed",
    "tokens",
    "cost",
  ];
  return columns(header, rows, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

/** Says on stderr what a command's model calls came to, unless it made none or is to be quiet. */
export function sayUsage(
  client: { usage(): Readonly<Record<string, RoleUsage | undefined>> } | undefined,
  quiet: boolean,
): void {
  const text = usageText(client?.usage() ?? {});
  if (text !== undefined) sayer(quiet)(text);
}
