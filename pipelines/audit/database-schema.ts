import { SqlError } from "../errors.js";
import { bared } from "../record/bared.js";
import { schemaStatements, tokens } from "../sql/index.js";
import { pairsOf, wordsOf } from "./near-verbatim.js";

/** The text of a database's schema, as agents may read it. */
export interface SchemaText {
  /** All statements, bared. */
  text: string;
  /** Word pairs of its comments. */
  comments: ReadonlySet<string>;
}

const NONE: SchemaText = { text: "", comments: new Set() };

/** Reads each database's schema once. */
export class SchemaTexts {
  readonly #known = new Map<string, SchemaText>();
  /** Files that could not be read, and why. */
  readonly broken = new Map<string, string>();

  of(path: string): SchemaText {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const made = this.#read(path);
    this.#known.set(path, made);
    return made;
  }

  #read(path: string): SchemaText {
    try {
      const all = schemaStatements(path);
      const comments = all.flatMap((sql) => tokens(sql).filter(({ kind }) => kind === "comment"));
      const words = comments.flatMap(({ text }) => wordsOf(text));
      return { text: bared(all.join("\n")), comments: pairsOf(words) };
    } catch (cause) {
      if (!(cause instanceof SqlError) && !(cause instanceof Error && cause.name === "SqliteError"))
        throw cause;
      this.broken.set(path, cause.message);
      return NONE;
    }
  }
}
