import type { Execution } from "../execution.js";
export function compareExecutions(
  _p: string,
  ordered: boolean,
  a: Execution,
  b: Execution,
): { verdict: string } {
  if (a.outcome !== "rows" || b.outcome !== "rows") return { verdict: "x" };
  const f = (e: { rows: readonly unknown[] }) => {
    const l = e.rows.map((r) => JSON.stringify(r));
    return ordered ? l.join() : l.sort().join();
  };
  return { verdict: f(a) === f(b) ? "match" : "mismatch" };
}
