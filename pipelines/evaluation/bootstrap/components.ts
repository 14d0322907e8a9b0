/** Connected components: which AVTs must be resampled together (spec 5; paper section A.4). */

/** A forest of names; two names with the same root belong to one component. */
class Forest {
  readonly #parents = new Map<string, string>();

  root(name: string): string {
    let top = name;
    for (let next = this.#parents.get(top); next !== undefined; next = this.#parents.get(top)) top = next;
    // Every name on the way is hung below the root, so that the next look-up is short.
    for (let at = name; at !== top; ) {
      const next = this.#parents.get(at)!;
      this.#parents.set(at, top);
      at = next;
    }
    return top;
  }

  join(a: string, b: string): void {
    const [first, second] = [this.root(a), this.root(b)].sort() as [string, string];
    if (first !== second) this.#parents.set(second, first);
  }
}

/**
 * The component of each name: the smallest name in it, so that the order of links changes nothing.
 *
 * @param names all names, linked or not
 * @param links pairs that belong together; names that stand only here are in the result too
 */
export function components(
  names: Iterable<string>,
  links: Iterable<readonly [string, string]>,
): ReadonlyMap<string, string> {
  const forest = new Forest();
  const all = new Set(names);
  for (const [a, b] of links) {
    all.add(a).add(b);
    forest.join(a, b);
  }
  return new Map([...all].map((name) => [name, forest.root(name)]));
}
