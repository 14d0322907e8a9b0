/** Comparing two streams of keyed objects, whatever they are: records of a release, rows of a source. */
import { createHash } from "node:crypto";
import { UserError } from "../../errors.js";
import { type FieldChange, fieldChanges } from "./fields.js";

/** An object with a key that is unique in its stream; `place` says where it stands, for messages. */
export interface Keyed {
  readonly key: string;
  readonly value: object;
  readonly place: string;
}

/** How two streams differ. Keys stand in the order of the stream that has them. */
export interface KeyedDiff {
  readonly before: number;
  readonly after: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly key: string; readonly fields: readonly FieldChange[] }[];
}

const digest = (value: object): string => createHash("md5").update(JSON.stringify(value)).digest("base64");

function once(known: ReadonlyMap<string, unknown>, { key, place }: Keyed): void {
  if (known.has(key))
    throw new UserError(`${place}: "${key}" is there twice`, { remedy: "mend that copy first" });
}

/**
 * Compares two streams by key. Both are read twice, and what is held is one short hash a key and the objects that
 * changed, so that two equal copies of any size compare in little memory.
 *
 * @throws UserError where a key occurs twice on one side, with its place
 */
export async function diffKeyed(
  before: () => AsyncIterable<Keyed>,
  after: () => AsyncIterable<Keyed>,
): Promise<KeyedDiff> {
  const old = new Map<string, string>();
  for await (const one of before()) {
    once(old, one);
    old.set(one.key, digest(one.value));
  }
  const now = new Map<string, boolean>();
  for await (const one of after()) {
    once(now, one);
    const known = old.get(one.key);
    now.set(one.key, known !== undefined && known !== digest(one.value));
  }
  const changed: { key: string; fields: readonly FieldChange[] }[] = [];
  const values = new Map<string, object>();
  if ([...now.values()].includes(true)) {
    for await (const { key, value } of before()) if (now.get(key) === true) values.set(key, value);
    for await (const { key, value } of after()) {
      const known = values.get(key);
      const fields = known === undefined ? [] : fieldChanges(known, value);
      // Only the order of keys differs: nothing that a reader of JSON could see.
      if (fields.length > 0) changed.push({ key, fields });
    }
  }
  return {
    before: old.size,
    after: now.size,
    added: [...now.keys()].filter((key) => !old.has(key)),
    removed: [...old.keys()].filter((key) => !now.has(key)),
    changed,
  };
}
