/** Where things stand in a statement: every expression with its clause, the queries around it, and how to replace it. */
import { sameName } from "../../../../sql/index.js";
import type { ColumnNode, Expression, FromItem, Query } from "./statement.js";

export type Clause = "items" | "on" | "where" | "groups" | "having" | "orders";

/** A way into the tree: field names and positions. */
export type Path = readonly (string | number)[];

/** One SELECT of the statement, with the ones around it. */
export interface Scope {
  query: Query;
  path: Path;
  outer: Scope | null;
}

export interface Place {
  path: Path;
  node: Expression;
  clause: Clause;
  scope: Scope;
  /** The expressions around it in its clause, from the outermost. */
  around: readonly Expression[];
}

const CLAUSES: readonly Exclude<Clause, "on">[] = ["items", "where", "groups", "having", "orders"];
const isQuery = (value: object): value is Query => "items" in value && "from" in value;

class Walk {
  readonly places: Place[] = [];

  query(query: Query, path: Path, outer: Scope | null): void {
    const scope: Scope = { query, path, outer };
    query.tables.forEach((table, at) => {
      this.query(table.query, [...path, "tables", at, "query"], null);
    });
    query.from.forEach((item, at) => {
      const here = [...path, "from", at];
      // A SELECT in FROM sees nothing of the one around it.
      if (item.source.kind === "query") this.query(item.source.query, [...here, "source", "query"], null);
      this.#inside(item.on, [...here, "on"], { clause: "on", scope, around: [] });
    });
    for (const clause of CLAUSES)
      this.#inside(query[clause], [...path, clause], { clause, scope, around: [] });
  }

  #inside(value: unknown, path: Path, at: Omit<Place, "path" | "node">): void {
    if (Array.isArray(value)) {
      for (const [index, part] of value.entries()) this.#inside(part, [...path, index], at);
    } else if (typeof value === "object" && value !== null) {
      if (isQuery(value)) {
        this.query(value, path, at.scope);
        return;
      }
      let { around } = at;
      if ("kind" in value) {
        const node = value as Expression;
        this.places.push({ ...at, path, node });
        around = [...around, node];
      }
      for (const [field, part] of Object.entries(value))
        this.#inside(part, [...path, field], { ...at, around });
    }
  }
}

/** Every expression of the statement, outer ones first, in the order in which the clauses are written. */
export function placesOf(query: Query): Place[] {
  const walk = new Walk();
  walk.query(query, [], null);
  return walk.places;
}

/** Every SELECT of the statement. */
export function scopesOf(query: Query): Scope[] {
  const scopes = new Map<Query, Scope>();
  for (const { scope } of placesOf(query)) scopes.set(scope.query, scope);
  return [...scopes.values()];
}

function set(value: unknown, path: Path, node: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return node;
  if (Array.isArray(value))
    return value.map((part: unknown, at) => (at === first ? set(part, rest, node) : part));
  if (typeof value !== "object" || value === null)
    throw new Error(`the tree has nothing at ${path.join(".")}`);
  return { ...value, [first]: set((value as Record<string, unknown>)[first], rest, node) };
}

/** The statement with something else at a place. */
export function replaceAt(query: Query, path: Path, node: unknown): Query {
  return set(query, path, node) as Query;
}

/** The SELECT at a path. */
export function queryAt(query: Query, path: Path): Query {
  let value: unknown = query;
  for (const step of path) value = (value as Record<string | number, unknown>)[step];
  return value as Query;
}

/** Whether one place is the other, or holds it. */
export function overlaps(a: Path, b: Path): boolean {
  const length = Math.min(a.length, b.length);
  return a.slice(0, length).every((step, at) => step === b[at]);
}

/** A table or SELECT in FROM under the name that columns are qualified with. */
export function nameInScope({ alias, source }: FromItem): string | null {
  return alias ?? (source.kind === "table" ? source.name : null);
}

/**
 * The table in FROM that a column belongs to. `has` says whether a table of the schema has a column: it decides for names
 * without a qualifier.
 */
export function sourceOf(
  column: ColumnNode,
  scope: Scope,
  has: (table: string, column: string) => boolean,
): FromItem | null {
  const fits = (item: FromItem): boolean => {
    const { table } = column;
    if (table !== null) return sameName(nameInScope(item) ?? "", table);
    return item.source.kind === "table" && has(item.source.name, column.name);
  };
  const found = scope.query.from.find(fits);
  if (found !== undefined) return found;
  return scope.outer === null ? null : sourceOf(column, scope.outer, has);
}
