/** How far apart two names may be and still be each other's slip: a quarter of what was typed, at least 3 characters. */
const limitFor = (typed: string): number => Math.max(3, Math.floor(typed.length / 4));

/** What two names have in common at their beginnings. */
function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

/**
 * Single-character changes from one text to the other (Levenshtein); `limit` + 1 where there are more than `limit`.
 * Ids share long beginnings and ends, so what is the same there is passed over first.
 */
export function changesBetween(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const start = sharedLength(a, b);
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const width = endB - start;
  let row = Uint16Array.from({ length: width + 1 }, (_, at) => at);
  let next = new Uint16Array(width + 1);
  for (let i = 1; i <= endA - start; i += 1) {
    next[0] = i;
    let best = i;
    for (let j = 1; j <= width; j += 1) {
      const same = a[start + i - 1] === b[start + j - 1];
      const replaced = (row[j - 1] ?? 0) + (same ? 0 : 1);
      const value = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next[j] = value;
      if (value < best) best = value;
    }
    if (best > limit) return limit + 1;
    [row, next] = [next, row];
  }
  return Math.min(row[width] ?? 0, limit + 1);
}

interface Near {
  name: string;
  changes: number;
  shared: number;
}

/**
 * The names that are most like what was typed, best first, by name among equals; where none is, the first that begin with
 * it. Upper and lower case are the same.
 */
export function nearestTo(typed: string, names: ReadonlySet<string>, most: number): string[] {
  const wanted = typed.toLowerCase();
  let limit = limitFor(typed);
  let near: Near[] = [];
  for (const name of names) {
    const other = name.toLowerCase();
    const changes = changesBetween(wanted, other, limit);
    if (changes > limit) continue;
    near.push({ name, changes, shared: sharedLength(wanted, other) });
    if (near.length < 4 * most) continue;
    near = best(near, most);
    limit = near.at(-1)?.changes ?? limit;
  }
  if (near.length > 0) return best(near, most).map(({ name }) => name);
  return [...names].filter((name) => wanted !== "" && name.toLowerCase().startsWith(wanted)).slice(0, most);
}

function best(near: readonly Near[], most: number): Near[] {
  const order = (a: Near, b: Near): number =>
    a.changes - b.changes || b.shared - a.shared || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  return near.toSorted(order).slice(0, most);
}
