/** Private text in what everybody reads beside the records: documents, file names, and what the databases hold. */
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { SqlError } from "../errors.js";
import { bared, SHORTEST_COPY } from "../record/bared.js";
import { eachCellText } from "../sql/index.js";
import type { Checks } from "./checks.js";
import { error, type Finding } from "./finding.js";
import { type Secret, secretText } from "./secrets.js";

type Search = (text: string) => Secret[];

/** Findings of one place are told so many times at most. */
const TOLD = 20;

const isDocument = (file: string): boolean => !file.includes("/") && /\.(?:md|json|jsonl|txt)$/.test(file);

/** Documents and file names of a release. The lock goes with the private zones and is no document. */
export function checkDocuments(
  path: string,
  present: readonly string[],
  search: Search,
  checks: Checks,
): Finding[] {
  const findings: Finding[] = [];
  for (const file of present) {
    for (const secret of search(file).slice(0, TOLD))
      findings.push(error("shared_leak", file, `the file's name holds ${secretText(secret)}`));
    if (!isDocument(file) || file === "lock.json") continue;
    const lines = readFileSync(join(path, file), "utf8").split("\n");
    checks.add("documents looked through for private text");
    const whole = search(lines.join("\n"));
    for (const secret of whole.slice(0, TOLD)) {
      const line = lines.findIndex((one) => bared(one).includes(secret.text));
      const place = line < 0 ? file : `${file}, line ${line + 1}`;
      findings.push(error("shared_leak", place, `the document holds ${secretText(secret)}`));
    }
  }
  checks.add("file names looked through for private text", present.length);
  return findings;
}

/** Bared text of a dump that is carried from line to line, so that what is broken over lines is found. */
const CARRIED = 4_000;

/** Looks through a PostgreSQL dump, line by line. */
async function searchDump(
  path: string,
  file: string,
  search: Search,
  tell: (secret: Secret, place: string) => void,
): Promise<number> {
  const bytes = createReadStream(path);
  const stream = file.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes;
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  let carried = "";
  let line = 0;
  for await (const text of lines) {
    line += 1;
    carried += bared(text);
    if (carried.length < CARRIED) continue;
    for (const secret of search(carried)) tell(secret, `${file}, line ${line}`);
    carried = carried.slice(-CARRIED / 2);
  }
  for (const secret of search(carried)) tell(secret, `${file}, line ${line}`);
  return line;
}

/**
 * Looks through every database for private text: the cells of SQLite's, the lines of PostgreSQL's dumps.
 *
 * @param files the release's files; those below `databases/` are looked at
 */
export async function checkDatabaseTexts(
  path: string,
  files: readonly string[],
  search: Search,
  checks: Checks,
  report: (text: string) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const told = new Set<string>();
  let seen = 0;
  for (const file of files.filter((one) => one.startsWith("databases/"))) {
    const tell = (secret: Secret, place: string): void => {
      const key = `${file}\n${secret.text}`;
      if (told.has(key)) return;
      told.add(key);
      findings.push(error("database_leak", place, `holds ${secretText(secret)}`));
    };
    const full = join(path, file);
    try {
      if (file.endsWith(".sqlite")) {
        const cells = eachCellText(full, SHORTEST_COPY, (text, table, column) => {
          for (const secret of search(text)) tell(secret, `${file}, table ${table}, column ${column}`);
        });
        checks.add("database cells looked through for private text", cells);
      } else if (/\.sql(?:\.gz)?$/.test(file)) {
        checks.add(
          "lines of dumps looked through for private text",
          await searchDump(full, file, search, tell),
        );
      }
    } catch (cause) {
      const code = (cause as { code?: unknown }).code;
      const isTheirs = cause instanceof SqlError || (typeof code === "string" && /^(?:SQLITE|Z)_/.test(code));
      if (!isTheirs) throw cause;
      findings.push(error("database", file, (cause as Error).message));
    }
    seen += 1;
    report(`private text: ${seen} databases`);
  }
  return findings;
}
