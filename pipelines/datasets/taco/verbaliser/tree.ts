/** The nodes of the parser's syntax tree, each field checked. */
import { NoSentence } from "./no-sentence.js";

/** A node of the parser's tree. Its published types miss many of the nodes it makes, so each field is checked here. */
export type Node = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const unread = (what: string): NoSentence => new NoSentence("no_sentence", `no sentence for ${what}`);

/** A node that must be there. */
export function nodeAt(parent: Node, field: string): Node {
  const value = parent[field];
  if (!isNode(value)) throw unread(`a ${String(parent.type)} without ${field}`);
  return value;
}

export function nodesAt(parent: Node, field: string): Node[] {
  const value = parent[field];
  if (!Array.isArray(value) || !value.every(isNode))
    throw unread(`a ${String(parent.type)} without ${field}`);
  return value;
}
