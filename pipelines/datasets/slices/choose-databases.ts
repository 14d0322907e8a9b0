import { SubsetSums } from "./subset-sums.js";

/** The share of records that local-test is to have: paper Table 5, "toward a 20% test target". */
export const TEST_SHARE = 0.2;

/** A database and how many records it has; a database has questions of one type only. */
export interface WeighedDatabase {
  type: string;
  database_id: string;
  records: number;
}

/** How many test records each type gets. `deviation` is what the types together are off their own target. */
interface Plan {
  sums: number[];
  deviation: number;
}

/** Compares deviations, which are sums of multiples of a fifth, without the last bits of binary fractions. */
const closer = (a: number, b: number): boolean => a < b - 1e-9;

/**
 * The best plan for every total that the types can reach together: dynamic programming over types in the order of their
 * names. Ties go to the smaller deviation in the type whose name comes first, then to the smaller count there.
 */
function plansByTotal(types: readonly { reachable: readonly number[]; target: number }[]): Map<number, Plan> {
  let plans = new Map<number, Plan>([[0, { sums: [], deviation: 0 }]]);
  // From the last type to the first, so that among equal plans the first type's preference decides.
  for (const { reachable, target } of [...types].reverse()) {
    const next = new Map<number, Plan>();
    const byPreference = [...reachable].sort((a, b) => Math.abs(a - target) - Math.abs(b - target) || a - b);
    for (const sum of byPreference) {
      for (const [total, plan] of plans) {
        const deviation = plan.deviation + Math.abs(sum - target);
        const known = next.get(total + sum);
        if (known === undefined || closer(deviation, known.deviation)) {
          next.set(total + sum, { sums: [sum, ...plan.sums], deviation });
        }
      }
    }
    plans = next;
  }
  return plans;
}

/**
 * Chooses the databases of local-test (spec 2, ambrosia, step 5, which bird-interact follows): first the total nearest to 20 % of all records, then
 * the smallest summed deviation from 20 % within each type, ties by type name. Which databases make up a type's count
 * follows the drawn order.
 *
 * @param permutation draws an order of a type's databases
 * @returns the ids of the databases in local-test
 */
export function chooseTestDatabases(
  databases: readonly WeighedDatabase[],
  permutation: (type: string, length: number) => number[],
): Set<string> {
  const names = [...new Set(databases.map(({ type }) => type))].sort();
  const types = names.map((type) => {
    const own = databases
      .filter((database) => database.type === type)
      .sort((a, b) => (a.database_id < b.database_id ? -1 : 1));
    const drawn = permutation(type, own.length).flatMap((at) => own[at] ?? []);
    const sums = new SubsetSums(drawn.map(({ records }) => records));
    const target = TEST_SHARE * drawn.reduce((sum, { records }) => sum + records, 0);
    return { drawn, sums, reachable: sums.sums(), target };
  });
  const target = types.reduce((sum, type) => sum + type.target, 0);
  const off = (total: number): number => Math.abs(total - target);
  let best: { total: number; plan: Plan } | undefined;
  for (const [total, plan] of plansByTotal(types)) {
    const nearer = best === undefined || closer(off(total), off(best.total));
    const equal = best !== undefined && !closer(off(best.total), off(total));
    const better = best !== undefined && equal && closer(plan.deviation, best.plan.deviation);
    const smaller =
      best !== undefined && equal && !closer(best.plan.deviation, plan.deviation) && total < best.total;
    if (nearer || better || smaller) best = { total, plan };
  }
  const chosen = types.flatMap(({ drawn, sums }, at) =>
    sums.choose(best?.plan.sums[at] ?? 0).flatMap((index) => drawn[index]?.database_id ?? []),
  );
  return new Set(chosen);
}
