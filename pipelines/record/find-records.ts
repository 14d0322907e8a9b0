import { inJson, type Needle, searchJsonl, stringFrom } from "./line-search.js";
import type { JoinedRecord } from "./zones.js";

/** What all of the ids begin with. */
function sharedStart(ids: ReadonlySet<string>): string {
  const [first = "", ...others] = ids;
  let length = first.length;
  for (const one of others) while (!one.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/**
 * Finds records by id without parsing others. Each group of files holds the same ids in the same order, one zone a file
 * or whole records; the parts of a record are put together.
 *
 * @returns the records that there are, in the order of the files
 */
export async function findRecords(
  groups: readonly (readonly string[])[],
  ids: ReadonlySet<string>,
): Promise<JoinedRecord[]> {
  if (ids.size === 0) return [];
  const start = sharedStart(ids);
  const needle: Needle = {
    text: `"record_id":"${inJson(start)}`,
    accepts(bytes, after) {
      const rest = stringFrom(bytes, after);
      return rest !== undefined && ids.has(start + rest);
    },
  };
  const found = new Map<string, Partial<JoinedRecord> & { record_id: string }>();
  for (const path of groups.flat()) {
    for await (const part of searchJsonl<JoinedRecord>(path, needle))
      found.set(part.record_id, { ...found.get(part.record_id), ...part });
  }
  return [...found.values()].filter((one): one is JoinedRecord => one.public !== undefined);
}
