/**
 * HTML is written with hono's `html` tag alone: what is put into it is escaped unless it is markup already. Nothing in
 * this room calls `raw`.
 */
import { html } from "hono/html";

export { html };

/** Escaped markup. */
export type Markup = ReturnType<typeof html>;

/** An address within the view; empty values are left out. `URLSearchParams` takes any text, half surrogates too. */
export function href(path: string, parameters: Readonly<Record<string, string | number>> = {}): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== "");
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string]))}`;
}

/** `1,722`: the same in every locale. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** `1 record`, `2 records`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${grouped(value)} ${value === 1 ? one : many}`;

/** A text cut in the middle of nothing: at most so many characters, and how many there were. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length)}… (${grouped(text.length)} characters)`;
}

/** Steers text direction or shows as nothing: in a text from elsewhere it can only mislead. */
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A finished page with every invisible character named in its place; our own markup holds none. */
export const madeVisible = (page: string): string =>
  page.replace(INVISIBLE, (found) => {
    const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${code}⟩`;
  });
