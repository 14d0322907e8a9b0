/**
 * How long a server tells to wait, in ms: `retry-after-ms`, or `Retry-After` in seconds or as an HTTP date. Undefined
 * where it tells nothing, or nothing that can be read.
 */
export function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number(headers?.get("retry-after-ms")?.trim() || Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const told = headers?.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(told)) return Number(told) * 1000;
  // Date.parse takes "-1" for a year; an HTTP date has letters.
  const date = /[a-z]/i.test(told) ? Date.parse(told) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
