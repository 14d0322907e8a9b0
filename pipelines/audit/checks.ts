/** One kind of check that an audit made: over how many things, and why not where it was not made. */
export interface Check {
  /** What was looked at, such as `files' hashes`. */
  what: string;
  checked: number;
  /** Why nothing, or not all, was looked at. */
  left_out?: string;
}

/** Counts what an audit has looked at, so that it can say so also when it found nothing. Kept in the order of first use. */
export class Checks {
  readonly #checks = new Map<string, Check>();

  /** Adds things that were looked at. */
  add(what: string, checked = 1): void {
    const known = this.#checks.get(what) ?? { what, checked: 0 };
    known.checked += checked;
    this.#checks.set(what, known);
  }

  /** Says why a check was not made, or not for everything. */
  leftOut(what: string, why: string): void {
    this.add(what, 0);
    const known = this.#checks.get(what);
    if (known !== undefined) known.left_out ??= why;
  }

  all(): Check[] {
    return [...this.#checks.values()];
  }
}
