/**
 * Whose specification a spec-randomized asker is shown (spec 5; paper sections A.3 and C.3). Q_x is uniform over the
 * dataset's records on a different database. One donor is drawn for each group of records that share a database and the
 * set of ambiguity terms, and it stays the same over seeds: the draws hang on the group alone.
 */
import type { Donor as DonorLine } from "../../../schemas/types/donor.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import { drawsFor } from "../../engine/random.js";
import { UserError } from "../../errors.js";
import type { DatasetFolder } from "../../record/suite.js";
import type { SqlEngines } from "../../sql/engines.js";
import type { SchemaCache } from "../agent-context.js";
import { agentViewOf, type Donor, prepareSchema } from "../task.js";
import { isInScope } from "./scope.js";

/** The same for every run, so that all runs of a campaign share their donors. */
const DONOR_SEED = 0;

type PublicPart = Pick<TaskRecord, "record_id" | "public">;

/** What is known of each record before donors are drawn. */
interface Listed {
  readonly record_id: string;
  readonly avt_id: string;
  readonly database: string;
  readonly group: string;
}

/** Records that share it share a donor. Only the run itself reads the terms; no agent does. */
function groupOf({ public: open, oracle }: Pick<TaskRecord, "public" | "oracle">): string {
  const terms = oracle.ambiguities.filter(({ counts }) => counts).map(({ term }) => term);
  return JSON.stringify([open.database.database_id, terms.sort()]);
}

async function listRecords(dataset: DatasetFolder, settings: RunSettings): Promise<Listed[]> {
  const listed: Listed[] = [];
  // The terms are needed: without the oracle zone this says so.
  for await (const { record } of dataset.records()) {
    if (!isInScope(settings, record)) continue;
    const { record_id, avt_id } = record;
    listed.push({ record_id, avt_id, database: record.public.database.database_id, group: groupOf(record) });
  }
  return listed;
}

/** Records by database, each with its place in the file, so that a draw over all others need not list them. */
function drawOne(
  group: string,
  database: string,
  listed: readonly Listed[],
  own: ReadonlyMap<string, number>,
): Listed {
  const others = listed.length - (own.get(database) ?? 0);
  let place = drawsFor(DONOR_SEED, "spec-randomized/donor", group).below(others);
  for (const one of listed) {
    if (one.database === database) continue;
    if (place === 0) return one;
    place -= 1;
  }
  throw new Error(`no donor at its place among ${others} records`);
}

/** The donors of one dataset. */
export interface DonorMap {
  /** Every record's donor, in file order, as it is stored in the run. */
  readonly lines: readonly DonorLine[];
  /** The donor of a record as its asker sees it. */
  of(recordId: string, schemas: SchemaCache, sandbox: SqlEngines, run: string): Promise<Donor>;
}

/**
 * Draws the donors of a dataset's records within the run's split and slice; a limit does not change them.
 *
 * @throws UserError where all records are on one database
 */
export async function drawDonors(dataset: DatasetFolder, settings: RunSettings): Promise<DonorMap> {
  const listed = await listRecords(dataset, settings);
  const own = new Map<string, number>();
  for (const { database } of listed) own.set(database, (own.get(database) ?? 0) + 1);
  if (own.size < 2) {
    throw new UserError(
      `${dataset.dataset} has records on ${own.size} database, so a record has no donor on another`,
      {
        remedy: "a spec-randomized asker needs records on two databases or more; widen --split or --slice",
      },
    );
  }
  const drawn = new Map<string, Listed>();
  for (const { group, database } of listed) {
    if (!drawn.has(group)) drawn.set(group, drawOne(group, database, listed, own));
  }
  const groups = new Map(listed.map((one) => [one.record_id, one.group]));
  const wanted = new Set([...drawn.values()].map(({ record_id }) => record_id));
  const open = new Map<string, PublicPart>();
  for await (const { record } of dataset.publicRecords()) {
    if (wanted.has(record.record_id)) open.set(record.record_id, record);
  }
  return {
    lines: listed.map(({ record_id, avt_id, group }) => {
      const donor = drawn.get(group)!;
      return {
        dataset: dataset.dataset,
        record_id,
        avt_id,
        donor: donor.record_id,
        donor_avt_id: donor.avt_id,
      };
    }),
    async of(recordId, schemas, sandbox, run) {
      const { record_id } = drawn.get(groups.get(recordId)!)!;
      const donor = open.get(record_id)!;
      await prepareSchema(donor, dataset.databases, schemas, sandbox);
      return { record_id, view: agentViewOf(donor, dataset.databases, schemas, run) };
    },
  };
}
