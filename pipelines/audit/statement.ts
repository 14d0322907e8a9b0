import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseStatement } from "../../schemas/types/statement.js";
import { filesBelow, SUMS_FILE } from "./checksums.js";
import { error, type Finding } from "./finding.js";
import { readChecked } from "./unreadable.js";

/** The in-toto statement of a release: an unsigned attestation, to be wrapped and signed by whoever vouches for it. */
export const STATEMENT_FILE = "provenance.intoto.json";

/**
 * Whether the statement's subjects are the release's files with their hashes: all but the statement itself and SHA256SUMS,
 * which lists it. By in-toto's rule a subject is matched by its digest; here the name must fit, too. A release without a
 * statement (an older one) has no finding; one that lost it is caught by SHA256SUMS. Where SHA256SUMS does not list the
 * files that are here, that is told already, and the statement has nothing to add: it speaks where that list was made anew.
 *
 * @param listed what SHA256SUMS says of each file, which the audit has compared with the files already
 */
export async function checkStatement(path: string, listed: ReadonlyMap<string, string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (!existsSync(join(path, STATEMENT_FILE))) return findings;
  const present = filesBelow(path);
  if (present.length !== listed.size || present.some((file) => !listed.has(file))) return findings;
  const statement = await readChecked<ReleaseStatement>(findings, path, STATEMENT_FILE, "statement");
  if (statement === undefined) return findings;
  const told = (file: string, message: string): void => {
    findings.push(error("statement", file, message));
  };
  const stated = new Map<string, string>();
  for (const { name, digest } of statement.subject) {
    if (stated.has(name)) told(name, `the statement names ${name} twice`);
    stated.set(name, digest.sha256);
  }
  const expected = [...listed].filter(([file]) => file !== STATEMENT_FILE && file !== SUMS_FILE);
  for (const [file, sha256] of expected) {
    const said = stated.get(file);
    if (said === undefined) told(file, `the statement does not name ${file}`);
    else if (said !== sha256) told(file, `the statement gives ${file} another sha256 than SHA256SUMS`);
    stated.delete(file);
  }
  for (const file of stated.keys()) told(file, `the statement names ${file}, which SHA256SUMS does not list`);
  return findings;
}
