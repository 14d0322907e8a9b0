const CREATED = /^\s*CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(?:"?\w+"?\.)?"?([\w$]+)"?/gim;
const REFERRED = /\bREFERENCES (?:"?\w+"?\.)?"?([\w$]+)"?/gi;

/**
 * The order in which a dump's files load one after the other: a table before those that refer to it, else as given. Tables
 * that refer to each other in a circle stay in the given order; the loader puts such keys off by itself.
 *
 * @returns positions in `scripts`
 */
export function dumpOrder(scripts: readonly string[]): number[] {
  const home = new Map<string, number>();
  for (const [at, script] of scripts.entries()) {
    for (const [, table = ""] of script.matchAll(CREATED)) home.set(table.toLowerCase(), at);
  }
  const needs = scripts.map((script) => {
    // Rows may hold any text, and a script of rows has no other lines: only statements about keys are looked at.
    const statements = script
      .replace(/^COPY [\s\S]*?^\\\.$/gim, "")
      .replace(/^(?:INSERT INTO|\t?\().*$/gim, "");
    return [...statements.matchAll(REFERRED)].flatMap(
      ([, table = ""]) => home.get(table.toLowerCase()) ?? [],
    );
  });
  const order: number[] = [];
  const state = new Array<"new" | "open" | "done">(scripts.length).fill("new");
  const visit = (at: number): void => {
    if (state[at] !== "new") return;
    state[at] = "open";
    for (const need of needs[at] ?? []) visit(need);
    state[at] = "done";
    order.push(at);
  };
  for (const at of scripts.keys()) visit(at);
  return order;
}
