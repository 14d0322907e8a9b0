/**
 * The errors that a person sees. Anything thrown that is none of these is a bug of ours and shows a stack.
 * Exit codes are fixed by the command line's contract: see `exitCodeOf`.
 */

/** What a person typed, configured or left out. One line, and what to do about it. */
export class UserError extends Error {
  override readonly name: string = "UserError";
  readonly remedy: string | undefined;
  constructor(message: string, options: { remedy?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.remedy = options.remedy;
  }
}

/** Where in a source something is wrong. `row` counts from 0 as upstream arrays do; `line` and `column` from 1. */
export interface SourcePlace {
  file: string;
  row?: number;
  field?: string;
  line?: number;
  column?: number;
}

/** `benchmark/x.json, row 17, field "question"`: the form every message about a source uses. */
export function describePlace(place: SourcePlace): string {
  const parts = [place.file];
  if (place.line !== undefined) {
    parts.push(
      place.column === undefined ? `line ${place.line}` : `line ${place.line}, column ${place.column}`,
    );
  }
  if (place.row !== undefined) parts.push(`row ${place.row}`);
  if (place.field !== undefined) parts.push(`field "${place.field}"`);
  return parts.join(", ");
}

/** Upstream data that is not what its format promises: file, row, field, what was expected and what was found. */
export class SourceError extends Error {
  override readonly name: string = "SourceError";
  readonly place: SourcePlace;
  readonly problem: string;
  constructor(place: SourcePlace, problem: string, options: { cause?: unknown } = {}) {
    super(
      `${describePlace(place)}: ${problem}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.place = place;
    this.problem = problem;
  }
}

/** Several bad rows of one source, reported at once with their coordinates. */
export class SourceErrors extends Error {
  override readonly name: string = "SourceErrors";
  readonly errors: readonly SourceError[];
  constructor(source: string, errors: readonly SourceError[]) {
    const shown = errors.slice(0, 20).map((error) => `  ${error.message}`);
    if (errors.length > shown.length) shown.push(`  … and ${errors.length - shown.length} more`);
    super(
      `${errors.length} bad ${errors.length === 1 ? "row" : "rows"} in source ${source}:\n${shown.join("\n")}`,
    );
    this.errors = errors;
  }
}

/** SQL of our own, or a database file, that does not do what it must. Untrusted SQL never throws: it has an outcome. */
export class SqlError extends Error {
  override readonly name: string = "SqlError";
  readonly sql: string | undefined;
  constructor(message: string, options: { sql?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.sql = options.sql;
  }
}

/** A model call that no retry can help: a refused key, an unknown model, a server that is not there. Never holds a key. */
export class ModelError extends UserError {
  override readonly name: string = "ModelError";
}

/** The person (or a signal) stopped the work; `resume` is the command that goes on. */
export class Interrupted extends Error {
  override readonly name: string = "Interrupted";
  readonly resume: string | undefined;
  constructor(resume?: string) {
    super("interrupted");
    this.resume = resume;
  }
}

export const EXIT = { done: 0, checkFailed: 1, userMistake: 2, bug: 3, interrupted: 130 } as const;

/** Whether the system or SQLite found no room to write: a person's matter, and no bug. */
export function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === "ENOSPC" || code === "SQLITE_FULL";
}

/** The exit code that an error stands for. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof Interrupted) return EXIT.interrupted;
  if (isDiskFull(error)) return EXIT.userMistake;
  if (error instanceof UserError || error instanceof SourceError || error instanceof SourceErrors) {
    return EXIT.userMistake;
  }
  return EXIT.bug;
}
