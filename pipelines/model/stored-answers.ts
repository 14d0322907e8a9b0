import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import type { ModelResponse } from "../../schemas/types/model-response.js";
import { UserError } from "../errors.js";

/** Opens a store for looking into it; undefined where there is none. Nothing in it is changed or made. */
function openToRead(path: string): Database.Database | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return new Database(path, { readonly: true, fileMustExist: true, timeout: 5000 });
  } catch (cause) {
    throw new UserError(`the store of model answers ${path} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function reading<T>(path: string, none: T, work: (db: Database.Database) => T): T {
  const db = openToRead(path);
  if (db === undefined) return none;
  try {
    const has = db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'responses'");
    return has.get() === undefined ? none : work(db);
  } catch (cause) {
    const code = String((cause as { code?: unknown }).code);
    if (!code.startsWith("SQLITE_")) throw cause;
    throw new UserError(`the store of model answers ${path} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  } finally {
    db.close();
  }
}

/**
 * Some of a store's answers, without opening it for writing; those that it does not have are left out.
 *
 * @param path the store; none there is an empty one
 * @throws UserError where the file is no store that can be read
 */
export function storedAnswers(path: string, keys: readonly string[]): ModelResponse[] {
  if (keys.length === 0) return [];
  return reading(path, [], (db) => {
    const read = db.prepare<[string], { response: string }>("SELECT response FROM responses WHERE key = ?");
    return keys.flatMap((key) => {
      const row = read.get(key);
      return row === undefined ? [] : [JSON.parse(row.response) as ModelResponse];
    });
  });
}

/** What a store's answers came to. */
export interface StoredTotals {
  readonly answers: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/**
 * How many answers a store holds and how many tokens they took.
 *
 * @throws UserError where the file is no store that can be read
 */
export function storedTotals(path: string): StoredTotals {
  const none: StoredTotals = { answers: 0, prompt_tokens: 0, completion_tokens: 0 };
  return reading(path, none, (db) => {
    const sum = (name: string): string =>
      `coalesce(sum(json_extract(response, '$.usage.${name}')), 0) AS ${name}`;
    const totals = db
      .prepare<[], StoredTotals>(
        `SELECT count(*) AS answers, ${sum("prompt_tokens")}, ${sum("completion_tokens")} FROM responses`,
      )
      .get();
    return totals ?? none;
  });
}
