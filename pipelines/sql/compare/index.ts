import type { Execution } from "../execution.js";

// stand-in until the sql branch lands
type V =
  | "match"
  | "mismatch"
  | "prediction_error"
  | "prediction_timeout"
  | "prediction_too_large"
  | "prediction_refused"
  | "gold_error"
  | "gold_timeout";
export function compareExecutions(
  _p: string,
  ordered: boolean,
  a: Execution,
  b: Execution,
): { verdict: V; flags: string[] } {
  if (b.outcome !== "rows")
    return { verdict: b.outcome === "timeout" ? "gold_timeout" : "gold_error", flags: [] };
  if (a.outcome !== "rows") return { verdict: `prediction_${a.outcome}` as V, flags: [] };
  const f = (e: { rows: readonly unknown[] }) => {
    const l = e.rows.map((r) => JSON.stringify(r));
    return ordered ? l.join() : l.sort().join();
  };
  return { verdict: f(a) === f(b) ? "match" : "mismatch", flags: [] };
}
