/** Which fields of two JSON values differ. */
import { isDeepStrictEqual } from "node:util";

/** One field that differs. `path` names it as in `oracle.ambiguities[0].term`; an absent side is undefined. */
export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** A key as it stands in a path: plain where it can be, quoted where a dot or bracket in it would mislead. */
const step = (key: string): string => (/^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`);

function* changesAt(path: string, before: unknown, after: unknown): Generator<FieldChange> {
  if (isFields(before) && isFields(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      yield* changesAt(`${path}${step(key)}`, before[key], after[key]);
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (let at = 0; at < Math.max(before.length, after.length); at += 1) {
      yield* changesAt(`${path}[${at}]`, before[at], after[at]);
    }
  } else if (!isDeepStrictEqual(before, after)) {
    yield { path: path.replace(/^\./, ""), before, after };
  }
}

/** The smallest fields in which two values differ, in the order of the first value's keys, then the second's. */
export function fieldChanges(before: object, after: object): FieldChange[] {
  return [...changesAt("", before, after)];
}

/** A path without its positions, so that changes of many records can be counted: `oracle.ambiguities[].term`. */
export const fieldName = (path: string): string => path.replace(/\[\d+\]/g, "[]");
