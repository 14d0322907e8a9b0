import { SourceError, type SourcePlace } from "../../pipelines/errors.js";
import { readJsonLines } from "../json-lines.js";
import { isObject, RowCheck } from "../row-check.js";
import { rowSha256 } from "../row-hash.js";
import { isForSqlite } from "./layout.js";
import { statementList } from "./tasks.js";

/** What the authors withhold of a task and mail to whoever asks. */
export interface BirdInteractGroundTruth {
  sol_sql: string[];
  /** Python source of the task's own tests. */
  test_cases: string[];
  /** Ids of the knowledge entries that the solution uses. */
  external_knowledge: number[];
  /** What it adds to the second phase: solution, tests, knowledge. */
  follow_up: Record<string, unknown> | null;
}

/** One line of a ground-truth file. */
export interface GroundTruthLine extends BirdInteractGroundTruth {
  instance_id: string;
  file: string;
  row: number;
  line: number;
  /** Of the three withheld parts' canonical JSON: the same ground truth hashes the same in whichever file it lies. */
  sha256: string;
}

/** The hash by which a release names the ground truth that it does not hold. */
export function groundTruthSha256({
  sol_sql,
  test_cases,
  follow_up,
}: Pick<BirdInteractGroundTruth, "sol_sql" | "test_cases" | "follow_up">): string {
  return rowSha256({ sol_sql, test_cases, follow_up });
}

const SECOND_PHASE = ["sol_sql", "test_cases", "external_knowledge"] as const;

/** What is withheld of a second phase. Empty lists say as much as missing ones: the public release has them in every line. */
export function secondPhase(value: unknown): Record<string, unknown> | null {
  if (!isObject(value)) return null;
  const fields = SECOND_PHASE.flatMap((name) => {
    const one = value[name];
    const empty = one === undefined || one === null || (Array.isArray(one) && one.length === 0);
    return empty ? [] : [[name, one] as const];
  });
  return fields.length === 0 ? null : Object.fromEntries(fields);
}

/** The withheld fields of a row; undefined where it has no solution, as in the public release. */
export function readGroundTruth(
  place: SourcePlace & { file: string },
  row: Record<string, unknown>,
): BirdInteractGroundTruth | SourceError | undefined {
  const check = new RowCheck(place);
  const sol_sql = statementList(check, row, "sol_sql");
  const test_cases = statementList(check, row, "test_cases");
  const error = check.error();
  if (error !== undefined) return error;
  if (sol_sql.length === 0) return undefined;
  const ids = Array.isArray(row.external_knowledge) ? row.external_knowledge : [];
  const external_knowledge = ids.filter((id): id is number => typeof id === "number");
  return { sol_sql, test_cases, external_knowledge, follow_up: secondPhase(row.follow_up) };
}

/**
 * The lines of one ground-truth file. Lines without a solution are left out, faulty ones come as errors.
 *
 * @param file how errors name it
 */
export function readGroundTruthFile(
  text: string,
  file: string,
): { lines: GroundTruthLine[]; errors: SourceError[] } {
  const lines: GroundTruthLine[] = [];
  const errors: SourceError[] = [];
  for (const item of readJsonLines(text, file)) {
    if (item.kind === "error") {
      errors.push(item.error);
      continue;
    }
    const { row, line, value } = item;
    const place = { file, row, line };
    const check = new RowCheck(place);
    const instance_id = check.text(value, "instance_id");
    const truth = readGroundTruth(place, value);
    const error = check.error() ?? (truth instanceof SourceError ? truth : undefined);
    if (error !== undefined) errors.push(error);
    else if (truth !== undefined && !(truth instanceof SourceError) && instance_id !== undefined) {
      lines.push({ instance_id, ...truth, ...place, sha256: groundTruthSha256(truth) });
    }
  }
  return { lines, errors };
}

/** Ground truth by task. Two lines of one task that differ are an error with both places; equal ones are one. */
export class GroundTruthIndex {
  readonly #lines = new Map<string, GroundTruthLine>();
  readonly #clashes = new Map<string, SourceError>();
  /** Tasks whose ground truth only a file of SQLite statements has. */
  readonly #sqliteOnly = new Set<string>();

  add(line: GroundTruthLine): void {
    const known = this.#lines.get(line.instance_id);
    if (known === undefined) {
      this.#lines.set(line.instance_id, line);
      if (isForSqlite(line.file)) this.#sqliteOnly.add(line.instance_id);
      return;
    }
    // SQLite's files come last, and say nothing of a task that PostgreSQL's have.
    if (isForSqlite(line.file) && !isForSqlite(known.file)) return;
    if (known.sha256 === line.sha256) return;
    this.#clashes.set(
      line.instance_id,
      new SourceError(
        { file: line.file, line: line.line, row: line.row, field: "sol_sql" },
        `gives ${line.instance_id} another ground truth than ${known.file}, line ${known.line}: keep one of the two`,
      ),
    );
  }

  get(instance_id: string): GroundTruthLine | SourceError | undefined {
    return this.#clashes.get(instance_id) ?? this.#lines.get(instance_id);
  }

  isSqliteOnly(instance_id: string): boolean {
    return this.#sqliteOnly.has(instance_id);
  }

  get size(): number {
    return this.#lines.size;
  }
}
