/** Small parts of a release's Markdown documents. Nothing here depends on a locale. */

/** A whole number, its digits in groups of three. */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** `1 record`, `2,000 records`. */
export const counted = (value: number, one: string): string =>
  `${count(value)} ${one}${value === 1 ? "" : "s"}`;

/** A text as it stands, on one line: longer back ticks around it than it has inside. */
export function code(text: string): string {
  const line = text.replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, (one) => JSON.stringify(one).slice(1, -1));
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(line) ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** The first of some names as code, and how many are left. */
export function listed(names: readonly string[], limit: number): string {
  const shown = names.slice(0, limit).map(code).join(", ");
  return names.length > limit ? `${shown} and ${count(names.length - limit)} more` : shown;
}
