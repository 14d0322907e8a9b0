import type { SourcePlace } from "../pipelines/errors.js";
import { SourceError } from "../pipelines/errors.js";

/** How a value is named in a message: its kind, and the value itself where it is short. */
export function found(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Why `name` may not stand for a folder or file; undefined when it may. A database id becomes part of a path, so nothing
 * in it may leave the folder that it is looked up in.
 */
export function pathNameProblem(name: string): string | undefined {
  if (name === "") return "is empty";
  if (name === "." || name === "..") return "is a path, not a name";
  if (/[\\/]/.test(name)) return "holds a path separator";
  if (/[\u0000-\u001f\u007f]/.test(name)) return "holds a control character";
  if (/^[A-Za-z]:/.test(name)) return "begins with a drive letter";
  if (name.trim() !== name) return "begins or ends with white space";
  return undefined;
}

/** Collects what is wrong with one row, so that a row is reported once, with all its faults. */
export class RowCheck {
  private readonly place: SourcePlace;
  private readonly faults: { field: string; problem: string }[] = [];
  constructor(place: SourcePlace) {
    this.place = place;
  }

  fault(field: string, problem: string): undefined {
    this.faults.push({ field, problem });
    return undefined;
  }

  /** A string that is more than white space. */
  text(row: Record<string, unknown>, field: string): string | undefined {
    const value = row[field];
    if (typeof value !== "string") return this.fault(field, `expected a string, found ${found(value)}`);
    if (value.trim() === "") return this.fault(field, "expected a text, found an empty one");
    return value;
  }

  /** A string that may stand in a path. */
  name(row: Record<string, unknown>, field: string): string | undefined {
    const value = this.text(row, field);
    if (value === undefined) return undefined;
    const problem = pathNameProblem(value);
    return problem === undefined
      ? value
      : this.fault(field, `expected a database name, found ${found(value)}, which ${problem}`);
  }

  /** The row's error, placed at its first faulty field; undefined when nothing is wrong. */
  error(): SourceError | undefined {
    const [first, ...more] = this.faults;
    if (first === undefined) return undefined;
    const rest = more.map((fault) => `; field "${fault.field}": ${fault.problem}`).join("");
    return new SourceError({ ...this.place, field: first.field }, first.problem + rest);
  }
}
