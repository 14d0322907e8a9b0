/**
 * Numbers of results as exact fractions: a double is a binary fraction, a decimal a decimal one, and whether they are
 * equal is decided without rounding either.
 */

/** `digits` × 10^`exponent`, with `digits` not a multiple of 10 (or 0). */
interface Decimal {
  digits: bigint;
  exponent: number;
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Reads a decimal as PostgreSQL or Python writes it; undefined for NaN and Infinity. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text.trim());
  if (match === null || `${match[2]}${match[3] ?? ""}` === "") return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const written = (whole + fraction).replace(/^0+(?=\d)/, "");
  const kept = written.replace(/0+$/, "");
  if (kept === "") return { digits: 0n, exponent: 0 };
  const digits = BigInt(kept) * (sign === "-" ? -1n : 1n);
  return { digits, exponent: Number(exponent) - fraction.length + (written.length - kept.length) };
}

/** A finite double as `digits` × 2^`exponent`, exactly. */
function binaryFraction(value: number): { digits: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const digits = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { digits: value < 0 ? -digits : digits, exponent: Math.max(biased, 1) - 1075 };
}

/** Whether a double is exactly the decimal: 0.5 is, 0.1 is not. */
function isExactly(value: number, decimal: Decimal): boolean {
  if (!Number.isFinite(value)) return false;
  const binary = binaryFraction(value);
  // digits × 10^e = digits' × 2^e', with the negative powers moved to the other side.
  let left = decimal.digits;
  let right = binary.digits;
  if (decimal.exponent >= 0) left *= 10n ** BigInt(decimal.exponent);
  else right *= 10n ** BigInt(-decimal.exponent);
  if (binary.exponent >= 0) right *= 2n ** BigInt(binary.exponent);
  else left *= 2n ** BigInt(-binary.exponent);
  return left === right;
}

/** The key of a double: equal keys, equal numbers. Whole numbers share their keys with integers. */
export function realKey(value: number): string {
  return Number.isInteger(value) ? `i${BigInt(value)}` : `r${value}`;
}

/** The key of a decimal: shared with the integer or the double that equals it exactly, if there is one. */
export function decimalKey(text: string): string {
  const decimal = parseDecimal(text);
  if (decimal === undefined) return `r${Number(text)}`;
  if (decimal.exponent >= 0) return `i${decimal.digits * 10n ** BigInt(decimal.exponent)}`;
  const nearest = Number(text);
  if (isExactly(nearest, decimal)) return `r${nearest}`;
  return `n${decimal.digits}e${decimal.exponent}`;
}

/** Rounds a decimal to two places, halves away from zero, as Python's ROUND_HALF_UP does. */
export function roundDecimalHalfUp(text: string): string {
  const decimal = parseDecimal(text);
  if (decimal === undefined || decimal.exponent >= -2) return text;
  const divisor = 10n ** BigInt(-2 - decimal.exponent);
  const magnitude = decimal.digits < 0n ? -decimal.digits : decimal.digits;
  const rounded = (magnitude * 2n + divisor) / (divisor * 2n);
  return `${decimal.digits < 0n ? -rounded : rounded}e-2`;
}

/**
 * Rounds a double to two places as Python's round() does: the nearest decimal to the exact binary value, and where two
 * are equally near (only multiples of 1/8 are) the even one.
 */
export function roundReal(value: number): number {
  // From 2^52 on every double is a whole number.
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 52) return value;
  const eighths = value * 8;
  if (Number.isInteger(eighths) && Math.abs(eighths % 2) === 1) {
    // Three places say such a value exactly; without the last it is the lesser neighbour.
    const lesser = value.toFixed(3).slice(0, -1);
    return Number(/[02468]$/.test(lesser) ? lesser : value.toFixed(2));
  }
  return Number(value.toFixed(2));
}
