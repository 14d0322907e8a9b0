/** Colours that stay apart in print and for colour-blind eyes. Oracles have the paper's: navy, yellow, red. */
import { byOracle, oracleName } from "../labels.js";

const ORACLES: Readonly<Record<string, string>> = {
  deterministic: "#1f3a6e",
  "qwen3-14b": "#dfa321",
  "gemma-3-27b": "#b3352d",
};
const OTHERS = ["#2a8c82", "#7a4fa3", "#6b7686", "#c96a2b", "#4c8fd6"];

/** The Okabe–Ito palette, darkened where a thin mark on white needs it. */
const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#a8508a", "#b58900", "#3c3c3c", "#56b4e9", "#8c6d31"];

/** A scale of the oracles that are there, in the order of tables. */
export function oracleScale(keys: readonly string[]): { domain: string[]; range: string[] } {
  const sorted = [...new Set(keys)].sort(byOracle);
  let next = 0;
  const range = sorted.map((key) => ORACLES[key] ?? OTHERS[next++ % OTHERS.length]!);
  return { domain: sorted.map(oracleName), range };
}

export function paletteScale(names: readonly string[]): { domain: string[]; range: string[] } {
  const domain = [...new Set(names)];
  return { domain, range: domain.map((_, at) => PALETTE[at % PALETTE.length]!) };
}
