import { type Entry, folded } from "./catalogue.js";

/** What a list of records is narrowed to; an empty text narrows nothing. */
export interface Filter {
  readonly dataset: string;
  readonly split: string;
  readonly kind: string;
  /** An id, or a part of ids. */
  readonly database: string;
  /** Words that all must be in the id, the request, a term or the database's id. */
  readonly q: string;
}

export const FACETS = ["dataset", "split", "kind", "database"] as const;
export type Facet = (typeof FACETS)[number];

export interface Filtered {
  readonly found: readonly Entry[];
  /** Facet → value → records that the other filters leave. */
  readonly counts: Readonly<Record<Facet, ReadonlyMap<string, number>>>;
}

/** Narrows entries down, and counts what each value of each facet would give. One pass over all. */
export function filterEntries(
  entries: readonly Entry[],
  filter: Filter,
  databases: ReadonlySet<string>,
): Filtered {
  const words = folded(filter.q).split(/\s+/).filter(Boolean);
  const exact = databases.has(filter.database);
  const part = folded(filter.database);
  const found: Entry[] = [];
  const counts = { dataset: new Map(), split: new Map(), kind: new Map(), database: new Map() };
  const add = (facet: Facet, value: string): void => {
    counts[facet].set(value, (counts[facet].get(value) ?? 0) + 1);
  };
  for (const entry of entries) {
    const misses: Facet[] = [];
    if (filter.dataset !== "" && entry.dataset !== filter.dataset) misses.push("dataset");
    if (filter.split !== "" && entry.split !== filter.split) misses.push("split");
    if (filter.kind !== "" && !entry.kinds.includes(filter.kind)) misses.push("kind");
    const inDatabase = exact
      ? entry.database_id === filter.database
      : folded(entry.database_id).includes(part);
    if (filter.database !== "" && !inDatabase) misses.push("database");
    if (misses.length > 1 || !words.every((word) => entry.search.includes(word))) continue;
    const [miss] = misses;
    if (miss === undefined) found.push(entry);
    // A value counts where its own facet is the only one in the way.
    if (miss === undefined || miss === "dataset") add("dataset", entry.dataset);
    if (miss === undefined || miss === "split") add("split", entry.split);
    if (miss === undefined || miss === "kind") for (const kind of entry.kinds) add("kind", kind);
    if (miss === undefined || miss === "database") add("database", entry.database_id);
  }
  return { found, counts };
}
