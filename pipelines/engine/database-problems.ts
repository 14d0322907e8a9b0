import { checkIntegrity } from "../sql/index.js";

/**
 * What is wrong with a database file, one sentence each; empty for a sound one. Damage may also stop SQLite's integrity
 * check itself, which then is the finding.
 */
export function databaseProblems(path: string): string[] {
  try {
    return checkIntegrity(path);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    if (typeof code !== "string" || !/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error;
    return [message];
  }
}
