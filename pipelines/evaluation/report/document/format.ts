/** Numbers as people read them. Every renderer uses these, so that a value looks the same everywhere. */
import type { Cell, Interval, PaperValue, Unit, ValueCell } from "./types.js";

/** A minus sign, and no sign before zero. */
function fixed(value: number, decimals: number, signed: boolean): string {
  const text = Math.abs(value).toFixed(decimals);
  if (Number(text) === 0) return text;
  return value < 0 ? `−${text}` : signed ? `+${text}` : text;
}

/** `1,722`. */
export const formatCount = (value: number): string => value.toLocaleString("en-US");

const scaleOf = (unit: Unit): number => (unit === "number" ? 1 : 100);

/** `26.3`, `+4.2`, `−0.4`: a share in percent, a difference in points, or a plain number. A dash for null. */
export function formatNumber(value: number | null | undefined, unit: Unit, decimals = 1): string {
  if (value === null || value === undefined) return "–";
  if (unit === "number" && decimals === 0) return formatCount(Math.round(value));
  return fixed(value * scaleOf(unit), decimals, unit === "points");
}

export function formatInterval({ lo, hi }: Interval, unit: Unit, decimals = 1): string {
  return `[${fixed(lo * scaleOf(unit), decimals, false)}, ${fixed(hi * scaleOf(unit), decimals, false)}]`;
}

/** `66.7 ± 1.4`: what the paper prints, which is percent or points already. */
export function formatPaper({ mean, sd, interval, decimals }: PaperValue): string {
  const spread = sd === null || sd === undefined ? "" : ` ± ${sd.toFixed(decimals)}`;
  const range =
    interval === undefined
      ? ""
      : ` [${fixed(interval.lo, decimals, false)}, ${fixed(interval.hi, decimals, false)}]`;
  return `${fixed(mean, decimals, false)}${spread}${range}`;
}

/** A value's parts as texts: `main` is mean ± SD, the others may be empty. */
export interface ValueTexts {
  readonly main: string;
  readonly interval: string;
  readonly n: string;
  readonly paper: string;
}

export function valueTexts(cell: ValueCell): ValueTexts {
  const { unit, mean, sd, interval, n, decimals = 1, paper, mark = "" } = cell;
  const spread =
    mean === null || sd === null || sd === undefined
      ? ""
      : ` ± ${fixed(sd * scaleOf(unit), decimals, false)}`;
  return {
    main: `${formatNumber(mean, unit, decimals)}${spread}${mark}`,
    interval:
      mean === null || interval === null || interval === undefined
        ? ""
        : formatInterval(interval, unit, decimals),
    n: n === undefined || mean === null ? "" : `n ${formatCount(n)}`,
    paper: paper === undefined ? "" : `paper ${formatPaper(paper)}`,
  };
}

/** A cell on one line. */
export function cellText(cell: Cell): string {
  if (cell.kind === "text") return cell.text;
  const { main, interval, n, paper } = valueTexts(cell);
  const aside = [n, paper].filter((part) => part !== "").join("; ");
  return [main, interval, aside === "" ? "" : `(${aside})`].filter((part) => part !== "").join(" ");
}

/** A column's heading with its unit. */
export const headingText = ({ label, unit }: { label: string; unit?: string | undefined }): string =>
  unit === undefined ? label : `${label} (${unit})`;
