import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { schemaText } from "../record/schema-text.js";
import type { AgentView, SchemaTable } from "../record/views.js";
import type { SqlEngines } from "../sql/engines.js";
import { describeConnection, quoteIdentifier } from "../sql/index.js";
import { schemaOnPostgres } from "./postgres-schema.js";

/** Values shown per column, and the longest one that is shown. */
const EXAMPLES = 3;
const LONGEST_EXAMPLE = 40;

/**
 * The schema of a SQLite database as an agent may see it, with a few values per column: the first distinct ones in the
 * table's own order, so that the text is the same every time. The database is public; the file is opened read-only.
 */
export function schemaOf(path: string): SchemaTable[] {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return describeConnection(db).tables.map(({ name, columns, foreign_keys }) => {
      const examples: Record<string, string[]> = {};
      for (const column of columns) {
        const field = quoteIdentifier(column.name);
        const values = db
          .prepare(
            `SELECT DISTINCT CAST(${field} AS TEXT) FROM (SELECT ${field} FROM ${quoteIdentifier(name)} LIMIT 200)
             WHERE ${field} IS NOT NULL AND typeof(${field}) <> 'blob' AND length(${field}) <= ${LONGEST_EXAMPLE} LIMIT ${EXAMPLES}`,
          )
          .pluck()
          .all() as string[];
        examples[column.name] = values;
      }
      return {
        name,
        columns: columns.map((column) => ({
          name: column.name,
          type: column.type,
          key: column.primary_key > 0 || foreign_keys.some((key) => key.columns.includes(column.name)),
        })),
        foreign_keys: foreign_keys.map(({ columns: from, table, references }) => ({
          columns: from,
          table,
          to: references ?? [],
        })),
        examples,
      };
    });
  } finally {
    db.close();
  }
}

const NO_DATABASE = new Set(["SQLITE_CANTOPEN", "SQLITE_NOTADB", "SQLITE_CORRUPT"]);

/** The schema, or none where the file is missing or holds no database. */
function readableSchema(path: string): SchemaTable[] {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  try {
    return schemaOf(path);
  } catch (error) {
    if (error instanceof Database.SqliteError && NO_DATABASE.has(error.code)) return [];
    throw error;
  }
}

/** Schemas of recent databases: records of one database come close together. */
export class SchemaCache {
  readonly #known = new Map<string, SchemaTable[]>();
  readonly #most: number;

  constructor(most = 256) {
    this.#most = most;
  }

  /** Reads a PostgreSQL schema, so that `get` has it: a server can only be waited for. */
  async prepare(path: string, { postgres }: SqlEngines): Promise<void> {
    if (postgres !== undefined && !this.#known.has(path)) {
      this.#keep(path, await schemaOnPostgres(postgres, path));
    }
  }

  /** A database that is missing or is none has no schema; the verifier says so of its every record (`gold_error`). */
  get(path: string): SchemaTable[] {
    let schema = this.#known.get(path);
    if (schema === undefined) {
      schema = readableSchema(path);
      this.#keep(path, schema);
    }
    return schema;
  }

  #keep(path: string, schema: SchemaTable[]): void {
    this.#known.set(path, schema);
    if (this.#known.size > this.#most) this.#known.delete(this.#known.keys().next().value!);
  }
}

/** All that an asker or a solver is told of a task besides the dialogue, as text. It does not name the run's handle. */
export function contextText(view: AgentView): string {
  const knowledge = view.external_knowledge.map(
    ({ name, description, definition }) => `  ${name}: ${description} (${definition})`,
  );
  const schema = schemaText(view.schema, { columnMeanings: view.column_meanings }).text;
  return [
    `engine ${view.engine}, database ${view.database_id}`,
    ...(schema === "" ? [] : [schema]),
    ...(knowledge.length > 0 ? ["external knowledge", ...knowledge] : []),
    `request: ${view.request}`,
  ].join("\n");
}

/** The clarification summary that the solver reads: every question with its answer, in order. */
export function clarificationText(dialogue: readonly { question: string; response: string }[]): string {
  return dialogue
    .map(({ question, response }, index) => `${index + 1}. Q: ${question}\n   A: ${response}`)
    .join("\n");
}
