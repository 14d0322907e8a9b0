import { foldName } from "../schema.js";
import type { Literal } from "./query.js";

export interface PlainFunction {
  /** In capitals. */
  name: string;
  distinct: boolean;
  star: boolean;
}

/** A statement of stand-ins, and what each stands for. */
export interface PlainForm {
  sql: string;
  columns: ReadonlyMap<string, string>;
  functions: ReadonlyMap<string, PlainFunction>;
  literals: ReadonlyMap<string, Literal>;
  /** Stand-ins of patterns that follow GLOB. */
  globs: ReadonlySet<string>;
  /** Place of an ORDER BY term → where it says that NULLs go. */
  nulls: ReadonlyMap<number, "first" | "last">;
}

/** Stands for a LIMIT below zero, which to SQLite is none and which the parser does not read. */
export const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Writes a statement with stand-ins and remembers them. */
export class PlainWriter {
  readonly #out: string[] = [];
  readonly #columns = new Map<string, string>();
  readonly #functions = new Map<string, PlainFunction>();
  readonly #literals = new Map<string, Literal>();
  readonly #globs = new Set<string>();
  readonly #nulls = new Map<number, "first" | "last">();
  readonly #names: ReadonlyMap<string, { column: string; standIn: string }>;
  readonly #aliases = new Map<string, string>();

  /** @param columns of the table, as the database writes them */
  constructor(columns: readonly string[]) {
    this.#names = new Map(columns.map((column, at) => [foldName(column), { column, standIn: `c${at}` }]));
  }

  write(text: string): void {
    this.#out.push(text);
  }

  /** Writes the column of that name, if there is one. */
  column(name: string): boolean {
    const found = this.#names.get(foldName(name));
    if (found === undefined) return false;
    this.#columns.set(found.standIn, found.column);
    this.write(found.standIn);
    return true;
  }

  /** Writes what a result is called; the same stand-in wherever it is used. */
  alias(name: string): void {
    const standIn = this.#aliases.get(foldName(name)) ?? `a${this.#aliases.size}`;
    this.#aliases.set(foldName(name), standIn);
    this.write(standIn);
  }

  hasAlias(name: string): boolean {
    return this.#aliases.has(foldName(name));
  }

  /** Writes a function's name; DISTINCT and the star go with it. */
  call(form: PlainFunction): void {
    const standIn = `f${this.#functions.size}`;
    this.#functions.set(standIn, form);
    this.write(standIn);
  }

  literal(literal: Literal, glob = false): void {
    const standIn = `v${this.#literals.size}`;
    this.#literals.set(standIn, literal);
    if (glob) this.#globs.add(standIn);
    this.write(`'${standIn}'`);
  }

  nullsGo(term: number, where: "first" | "last"): void {
    this.#nulls.set(term, where);
  }

  form(): PlainForm {
    return {
      sql: this.#out.join(" "),
      columns: this.#columns,
      functions: this.#functions,
      literals: this.#literals,
      globs: this.#globs,
      nulls: this.#nulls,
    };
  }
}
