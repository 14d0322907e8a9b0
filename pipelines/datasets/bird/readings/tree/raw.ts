/** Reading a parser's own tree, whose published types miss many of the nodes it makes: each field is checked here. */
import { Unreadable } from "./statement.js";

export type Raw = Readonly<Record<string, unknown>>;

export function isRaw(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function rawAt(parent: Raw, field: string): Raw {
  const value = parent[field];
  if (!isRaw(value)) throw new Unreadable(`a part of the tree has no ${field}`);
  return value;
}

export function rawsAt(parent: Raw, field: string): Raw[] {
  const value = parent[field];
  if (!Array.isArray(value) || !value.every(isRaw))
    throw new Unreadable(`a part of the tree has no ${field}`);
  return value;
}

export function textAt(parent: Raw, field: string): string {
  const value = parent[field];
  if (typeof value !== "string") throw new Unreadable(`a part of the tree has no ${field}`);
  return value;
}

export const optionalText = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

/** Whether the node has nothing but these fields: an unknown one may change its meaning. */
export function hasOnly(node: Raw, ...fields: string[]): boolean {
  return Object.entries(node).every(
    ([field, value]) => fields.includes(field) || value === null || value === undefined || value === false,
  );
}
