import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { schemaText } from "../record/schema-text.js";
import { schemaOf } from "../record/sqlite-schema.js";
import type { AgentView, SchemaTable } from "../record/views.js";
import type { SqlEngines } from "../sql/engines.js";
import { schemaOnPostgres } from "./postgres-schema.js";

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
