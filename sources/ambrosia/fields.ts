import type { RowCheck } from "../row-check.js";
import { pathNameProblem } from "../row-check.js";

/** `data/<type>/<Domain>/<name>/<name>.sqlite`: what can be read off the path of a database. */
const DATABASE = /^data\/([^/]+)\/([^/]+)\/([^/]+)\/\3\.sqlite$/;

/** A row's database path, which may not leave the source's folder; undefined, and a fault noted, where it is another. */
export function checkDatabasePath(
  check: RowCheck,
  row: Record<string, unknown>,
  type: string | undefined,
): string | undefined {
  const path = check.text(row, "db_file");
  if (path === undefined) return undefined;
  const match = DATABASE.exec(path);
  const problem = match
    ?.slice(1)
    .map(pathNameProblem)
    .find((one) => one !== undefined);
  if (match === null || problem !== undefined || (type !== undefined && match[1] !== type)) {
    return check.fault(
      "db_file",
      `expected data/${type ?? "<type>"}/<Domain>/<name>/<name>.sqlite, found ${JSON.stringify(path)}`,
    );
  }
  return path;
}

/** A field that holds one of a few words; undefined, and a fault noted, where it holds another. */
export function checkWord<Word extends string>(
  check: RowCheck,
  row: Record<string, unknown>,
  field: string,
  words: readonly Word[],
): Word | undefined {
  const value = check.text(row, field);
  if (value === undefined) return undefined;
  const word = words.find((one) => one === value);
  return word ?? check.fault(field, `expected ${words.join(" or ")}, found ${JSON.stringify(value)}`);
}
