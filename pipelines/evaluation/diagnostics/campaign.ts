/** A campaign's folder: campaign.json, runs/ and what they come to. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Campaign, CampaignRun } from "../../../schemas/types/campaign.js";
import type { Donor } from "../../../schemas/types/donor.js";
import { UserError } from "../../errors.js";
import { schemaFaults } from "../../record/check-schema.js";
import { jsonFileText, writeWhole } from "../run/claim.js";
import { readLines } from "../run/log.js";
import { type ReadRun, readRun } from "../run/read.js";
import { type DiagnosticRuns, type DonorLink, diagnose, sqlAccess } from "./compute.js";
import type { CampaignResult, DatasetDiagnostics, SqlAccess } from "./types.js";

const FILE = "campaign.json";
const REFERENCE = "deterministic";

export const isCampaign = (folder: string): boolean => existsSync(join(folder, FILE));
export const campaignRunFolder = (campaign: string, run: string): string => join(campaign, "runs", run);

/** What campaign.json says. */
export function readPlan(folder: string): Campaign {
  const path = join(folder, FILE);
  let plan: Campaign;
  try {
    plan = JSON.parse(readFileSync(path, "utf8")) as Campaign;
  } catch (cause) {
    throw new UserError(`${path} cannot be read`, {
      remedy: "name a folder that ambitab diagnose wrote",
      cause,
    });
  }
  const faults = schemaFaults("campaign", plan);
  if (faults.length > 0) throw new UserError(`${path} holds no campaign: ${faults[0]}`);
  return plan;
}

const keyOf = ({ dataset, oracle, sql, role }: CampaignRun): string =>
  JSON.stringify([dataset, oracle, sql, role]);

/** Adds runs to a campaign's plan; a run for the same purpose takes the earlier one's place. */
export function writePlan(folder: string, plan: Campaign): void {
  const runs = new Map<string, CampaignRun>();
  const before = isCampaign(folder) ? readPlan(folder) : undefined;
  for (const field of ["suite_hash", "asker", "solver"] as const) {
    if (before !== undefined && before[field] !== plan[field]) {
      throw new UserError(`the campaign in ${folder} has another ${field}: ${before[field]}`, {
        remedy: "name another folder with --campaign",
      });
    }
  }
  for (const run of [...(before?.runs ?? []), ...plan.runs]) runs.set(keyOf(run), run);
  const sorted = [...runs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, run]) => run);
  writeWhole(join(folder, FILE), jsonFileText("campaign", { ...plan, runs: sorted }));
}

/** One dataset under one oracle and one condition of SQL access, with its runs' episodes. */
export interface CampaignLeg {
  readonly dataset: string;
  readonly oracle: string;
  readonly sql: "shown" | "hidden" | null;
  readonly runs: DiagnosticRuns;
}

export interface ReadCampaign {
  readonly result: CampaignResult;
  readonly legs: readonly CampaignLeg[];
}

async function donorsOf(folder: string, dataset: string): Promise<DonorLink[]> {
  const links: DonorLink[] = [];
  for await (const one of readLines<Donor>(join(folder, "donors.jsonl")))
    if (one.dataset === dataset) links.push({ avt: one.avt_id, donor: one.donor_avt_id });
  return links;
}

/** Runs by their folder, each read once. */
class Runs {
  readonly #folder: string;
  readonly #read = new Map<string, ReadRun>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(name: string): Promise<ReadRun> {
    const known = this.#read.get(name) ?? (await readRun(campaignRunFolder(this.#folder, name)));
    this.#read.set(name, known);
    return known;
  }

  get all(): ReadRun[] {
    return [...this.#read.values()];
  }
}

/** The episodes of a purpose; null where its run is not there. */
async function episodesOf(plan: Campaign, runs: Runs, wanted: Omit<CampaignRun, "run">) {
  const found = plan.runs.find((run) => keyOf(run) === keyOf({ ...wanted, run: "" }));
  if (found === undefined) return null;
  const { episodes } = await runs.get(found.run);
  return { run: found.run, episodes: episodes.filter(({ dataset }) => dataset === wanted.dataset) };
}

async function legOf(
  folder: string,
  plan: Campaign,
  runs: Runs,
  names: Pick<CampaignLeg, "dataset" | "oracle" | "sql">,
): Promise<CampaignLeg> {
  const { dataset, oracle, sql } = names;
  const of = (role: CampaignRun["role"], key = oracle, access = sql) =>
    episodesOf(plan, runs, { dataset, oracle: key, sql: access, role });
  // The hybrid oracle has no LLM responder, so that its runs serve both conditions of SQL access.
  const hybrid = await of("hybrid", oracle, null);
  const spec = await of("spec", oracle, null);
  const [asker, full, none] = [await of("asker"), await of("full"), await of("none")];
  const [fullReference, noneReference] = [
    await of("full", REFERENCE, null),
    await of("none", REFERENCE, null),
  ];
  return {
    ...names,
    runs: {
      asker: asker?.episodes ?? null,
      hybrid: hybrid?.episodes ?? null,
      spec:
        spec === null
          ? null
          : { episodes: spec.episodes, donors: await donorsOf(campaignRunFolder(folder, spec.run), dataset) },
      full: full?.episodes ?? null,
      fullReference: fullReference?.episodes ?? null,
      none: none?.episodes ?? null,
      noneReference: noneReference?.episodes ?? null,
    },
  };
}

/** Every dataset, oracle and condition that the plan has an asker's run for, and the reference of each dataset. */
function legNames({ runs }: Campaign): Pick<CampaignLeg, "dataset" | "oracle" | "sql">[] {
  const legs = runs
    .filter(({ oracle, role }) => role === "asker" || oracle === REFERENCE)
    .map(({ dataset, oracle, sql }) => ({ dataset, oracle, sql }));
  const distinct = new Map(legs.map((leg) => [JSON.stringify([leg.oracle, leg.dataset, leg.sql]), leg]));
  return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, leg]) => leg);
}

function accessOf(legs: readonly CampaignLeg[]): SqlAccess[] {
  return legs.flatMap((shown) => {
    if (shown.sql !== "shown") return [];
    const hidden = legs.find(
      ({ dataset, oracle, sql }) => dataset === shown.dataset && oracle === shown.oracle && sql === "hidden",
    );
    return hidden === undefined ? [] : [sqlAccess(shown.dataset, shown.oracle, shown.runs, hidden.runs)];
  });
}

/** What a run's settings say of the asker's model, for tables. */
const askerModel = (runs: readonly ReadRun[]): string | null => {
  for (const { settings } of runs) {
    const model = settings.models?.asker?.model;
    if (model !== undefined) return model.replace(/^.*\//, "").toLowerCase();
  }
  return null;
};

/** A campaign's diagnostics from its runs as they are now. */
export async function readCampaign(folder: string): Promise<ReadCampaign> {
  const plan = readPlan(folder);
  const runs = new Runs(folder);
  const legs: CampaignLeg[] = [];
  for (const names of legNames(plan)) legs.push(await legOf(folder, plan, runs, names));
  const datasets = legs.map(
    ({ runs: own, ...names }): DatasetDiagnostics => diagnose(names, own, names.oracle === REFERENCE),
  );
  const [first] = runs.all;
  const scopes = new Set(runs.all.map(({ settings }) => settings.limit));
  return {
    result: {
      campaign: basename(resolve(folder)),
      synthetic: runs.all.some(({ settings }) => settings.synthetic),
      suite_hash: plan.suite_hash,
      asker: plan.asker,
      asker_model: askerModel(runs.all),
      solver: plan.solver,
      limit: scopes.size === 1 ? (first?.settings.limit ?? null) : null,
      scopes: Object.fromEntries(
        runs.all.flatMap(({ settings: { datasets: own, split, slice } }) =>
          own.map((dataset) => [dataset, { split, slice }] as const),
        ),
      ),
      datasets,
      sql_access: accessOf(legs),
    },
    legs,
  };
}
