/**
 * Which records depend on what nothing decides: the clock, ties under LIMIT, the order in which tables are read. What the
 * SQL leaves open is run both ways and the results are compared under the record's own policy, so that only what could
 * change a verdict is told.
 */
import { join } from "node:path";
import type { TaskRecord } from "../../schemas/types/record.js";
import { mapOrdered } from "../engine/ordered.js";
import { sha256 } from "../record/ids.js";
import type { DatasetFolder } from "../record/suite.js";
import type { SqlEngines } from "../sql/engines.js";
import { compareExecutions, type Execution, type TieBroken, tieBroken } from "../sql/index.js";
import type { Checks } from "./checks.js";
import { clockIn } from "./clock.js";
import type { FindingCode } from "./codes.js";
import { type Finding, warning } from "./finding.js";
import { RecordedResults } from "./recorded-results.js";

/** What was found of one statement: a code and a sentence. */
type Told = readonly [code: FindingCode, message: string];

/** Runs a statement on the record's database, or on the same with every table read in reverse. */
type Run = (sql: string, reversed?: boolean) => Promise<Execution>;

const CHECK = "reference SQL run with ties and row order turned round";

function clockFindings({ record_id, public: { database }, verifier }: TaskRecord): Finding[] {
  const told = new Set<string>();
  const lists = [
    ["reference", verifier.reference_sql],
    ["alternative", verifier.alternative_sql ?? []],
  ] as const;
  for (const [whose, list] of lists) {
    for (const sql of list) {
      const call = clockIn(sql, database.engine);
      if (call !== undefined) told.add(`the ${whose} SQL depends on ${call}`);
    }
  }
  return [...told].map((message) => warning("clock_dependent", record_id, message));
}

/** Whether two results of one statement would be told apart by the record's comparison. */
const differ = (
  { policy }: TaskRecord["verifier"]["comparison"],
  ordered: boolean,
  a: Execution,
  b: Execution,
): boolean => compareExecutions(policy, ordered, a, b).verdict === "mismatch";

/** What the outcome of both tie-breaks says. */
function tiesTold(
  comparison: TaskRecord["verifier"]["comparison"],
  broken: TieBroken,
  up: Execution,
  down: Execution,
): Told[] {
  if (up.outcome !== "rows" || down.outcome !== "rows") return [];
  if (differ(comparison, false, up, down)) {
    return [
      broken.unorderedLimit && !broken.orderedLimit
        ? ["limit_without_order", "LIMIT has no ORDER BY, and which rows it keeps changes the result"]
        : [
            "tie_under_limit",
            "LIMIT cuts through rows that ORDER BY leaves tied, and which it keeps changes the result",
          ],
    ];
  }
  return comparison.ordered && differ(comparison, true, up, down)
    ? [["order_not_decided", "rows are compared in order, and ORDER BY leaves some of them tied"]]
    : [];
}

/** What a run over reversed tables says beside that. */
function orderTold(
  comparison: TaskRecord["verifier"]["comparison"],
  plain: Execution,
  reversed: Execution,
): Told[] {
  if (reversed.outcome !== "rows") return [];
  if (differ(comparison, false, reversed, plain)) {
    return compareExecutions("multiset", false, reversed, plain).verdict === "match"
      ? [["float_order", "the last digits of a number change with the order in which rows are read"]]
      : [["row_order_dependent", "with every table read in reverse the result is another"]];
  }
  return comparison.ordered && differ(comparison, true, reversed, plain)
    ? [["order_not_decided", "rows are compared in order, and nothing in the SQL decides that order"]]
    : [];
}

/** What running a reference came to. */
interface Ran {
  told: Told[];
  /** Of the rows that it gives. */
  result_sha256: string;
}

/** Everything that is undecided in a SQLite record's reference; undefined where it could not be run. */
async function undecided({ verifier }: TaskRecord, run: Run): Promise<Ran | undefined> {
  const { comparison, reference_sql } = verifier;
  const [sql] = reference_sql;
  if (sql === undefined) return undefined;
  const plain = await run(sql);
  if (plain.outcome !== "rows") return undefined;
  const told: Told[] = [];
  const broken = tieBroken(sql, plain.columns.length, { ordered: comparison.ordered });
  if (broken !== undefined) {
    const [up, down] = await Promise.all([run(broken.ascending), run(broken.descending)]);
    told.push(...tiesTold(comparison, broken, up, down));
  }
  // A tie shows in reversed tables too: it is told once.
  if (told.length === 0) told.push(...orderTold(comparison, plain, await run(sql, true)));
  return { told, result_sha256: sha256(JSON.stringify(plain.rows)) };
}

/** Two readings, and records of one request, often share a statement: it is run once. */
class RunOnce {
  readonly #told = new Map<string, Promise<Ran | undefined>>();

  of(record: TaskRecord, database: string, engines: SqlEngines): Promise<Ran | undefined> {
    const { comparison, reference_sql } = record.verifier;
    const key = JSON.stringify([database, reference_sql[0], comparison.policy, comparison.ordered]);
    const known = this.#told.get(key);
    if (known !== undefined) return known;
    const made = undecided(record, (sql, reversed = false) =>
      engines.run({ database, sql, ...(reversed ? { reversed: true as const } : {}) }),
    );
    this.#told.set(key, made);
    return made;
  }
}

/**
 * Looks at every verifiable record: for the clock in its reference and alternatives, and, on SQLite, by running its
 * reference with ties broken both ways and with every table read in reverse. Findings are warnings: upstream wrote the SQL.
 */
export async function checkStability(
  datasets: readonly DatasetFolder[],
  engines: SqlEngines,
  width: number,
  checks: Checks,
  report: (text: string) => void = () => undefined,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let seen = 0;
  for (const dataset of datasets) {
    const once = new RunOnce();
    const recorded = await RecordedResults.of(dataset);
    const results = mapOrdered(dataset.records(), width, async ({ record }) => {
      const found = clockFindings(record);
      const { engine, path } = record.public.database;
      const runs = record.verifier.verifiable && engine === "sqlite" && found.length === 0;
      const ran = runs ? await once.of(record, join(dataset.databases, path), engines) : undefined;
      if (ran !== undefined) {
        found.push(...ran.told.map(([code, message]) => warning(code, record.record_id, message)));
        found.push(...recorded.compare(record, ran.result_sha256));
      }
      const compared = ran !== undefined && recorded.has(record.record_id);
      return { found, ran: ran !== undefined, compared, postgres: engine === "postgres" };
    });
    for await (const { found, ran, compared, postgres } of results) {
      findings.push(...found.map((one) => ({ ...one, dataset: dataset.dataset })));
      checks.add("SQL looked through for the clock and for chance");
      if (compared) checks.add("reference results against those that the ledger recorded");
      if (ran) checks.add(CHECK);
      else if (postgres)
        checks.leftOut(CHECK, "records on PostgreSQL are looked through for the clock alone");
      seen += 1;
      report(`ties and row order: ${seen} records`);
    }
  }
  return findings;
}
