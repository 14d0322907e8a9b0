import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";

/** A folder of its own for a test file's databases. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "ambitab-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Makes a database file from a script, in the way a stock SQLite would. */
export function makeDatabase(folder: string, name: string, script: string): string {
  const path = join(folder, `${name}.sqlite`);
  const database = new Database(path);
  database.exec(script);
  database.close();
  return path;
}

export function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Each file of a folder with its hash: what a run must leave as it was. */
export function stateOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ name }) => [name, sha256(join(folder, name))]));
}
