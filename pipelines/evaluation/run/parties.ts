/** Who takes part in a run: what a person named, found or loaded, and what of it belongs in the run's settings. */
import type { Dataset } from "../../../schemas/types/record.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import { UserError } from "../../errors.js";
import type { ModelRole } from "../../model/types.js";
import type { OracleSql } from "../../record/views.js";
import { type Asker, askerNamed, SPEC_RANDOMIZED, specRandomized } from "../askers/index.js";
import {
  callsModel,
  defaultOracleSql,
  type Oracle,
  oracleNamed,
  SYNTHETIC_ORACLE,
} from "../oracles/index.js";
import { MATCHER_TEMPLATE } from "../oracles/prompts/matcher.js";
import { RESPONDER_TEMPLATE } from "../oracles/prompts/responder.js";
import { isOwnPart, loadPart, type OwnPart } from "../own/load.js";
import { ownAsker, ownMatcher, ownResponder, ownSolver } from "../own/parts.js";
import { ASKING_STYLES, askerTemplate } from "../prompts/asker.js";
import { SOLVER_TEMPLATE } from "../prompts/solver.js";
import type { OracleTools } from "../protocol.js";
import { type Solver, solverNamed } from "../solvers/index.js";

/** Names as `--asker`, `--oracle`, `--matcher`, `--responder` and `--solver` take them. */
export interface PartyNames {
  readonly asker: string;
  readonly oracle: string;
  readonly solver: string;
  /** Whether an llm oracle's responder is shown the reference SQL; the dataset's default unless given. */
  readonly oracleSql?: OracleSql;
  /** A matcher of the user's own in place of the oracle's. */
  readonly matcher?: string;
  /** Likewise for the responder. */
  readonly responder?: string;
}

/** What a run's settings say of its parties. */
export type PartySettings = Pick<
  RunSettings,
  "asker" | "oracle" | "oracle_sql" | "solver" | "predictions_sha256" | "synthetic" | "parts" | "templates"
>;

export interface Parties {
  readonly asker: Asker;
  readonly solver: Solver;
  readonly oracleOf: (dataset: Dataset, tools: OracleTools) => Oracle;
  /** Roles whose models the run asks. */
  readonly roles: readonly ModelRole[];
  /** Whether anybody is waited for: a model, or a part of the user's own. */
  readonly waits: boolean;
  readonly settings: PartySettings;
}

/** Names of a user's own parts are told apart from ours. */
const OWN = "own:";

async function openAsker(name: string): Promise<{ asker: Asker; part?: OwnPart }> {
  if (name.startsWith(SPEC_RANDOMIZED)) {
    const { asker, ...rest } = await openAsker(name.slice(SPEC_RANDOMIZED.length));
    return { asker: specRandomized(asker), ...rest };
  }
  if (!isOwnPart(name)) return { asker: askerNamed(name) };
  const part = await loadPart("asker", name);
  return { asker: { ...ownAsker(part), name: `${OWN}${part.name}` }, part };
}

async function openSolver(name: string): Promise<{ solver: Solver & { sha256?: string }; part?: OwnPart }> {
  if (!isOwnPart(name)) return { solver: solverNamed(name) };
  const part = await loadPart("solver", name);
  return { solver: { ...ownSolver(part), name: `${OWN}${part.name}` }, part };
}

/** An oracle's name with the parts that stand in for its own. */
function oracleName(
  { oracle }: PartyNames,
  matcher: OwnPart | undefined,
  responder: OwnPart | undefined,
): string {
  const own = [
    ...(matcher === undefined ? [] : [`matcher ${OWN}${matcher.name}`]),
    ...(responder === undefined ? [] : [`responder ${OWN}${responder.name}`]),
  ];
  return [oracle, ...own].join(" with ");
}

/** The prompts that a run uses. */
function templatesOf(asker: Asker, solver: Solver, names: PartyNames): string[] {
  const style = ASKING_STYLES.find((one) => asker.name.replace(SPEC_RANDOMIZED, "") === one);
  return [
    ...(style === undefined ? [] : [askerTemplate(style)]),
    ...(solver.name === "model" ? [SOLVER_TEMPLATE] : []),
    ...(callsModel(names.oracle) && names.matcher === undefined ? [MATCHER_TEMPLATE] : []),
    ...(names.oracle === "llm" && names.responder === undefined ? [RESPONDER_TEMPLATE] : []),
  ];
}

/** Whether a half of the oracle that is in use asks a model. */
function oracleAsks({ oracle, matcher, responder }: PartyNames): boolean {
  if (!callsModel(oracle)) return false;
  return matcher === undefined || (oracle === "llm" && responder === undefined);
}

/** Whether the responder is a model, by dataset, which may be shown the reference SQL. */
function oracleSqlOf(names: PartyNames, datasets: readonly Dataset[]): RunSettings["oracle_sql"] {
  const { oracle, responder, oracleSql } = names;
  const applies = oracle === "llm" && responder === undefined;
  if (!applies && oracleSql !== undefined) {
    throw new UserError(`--oracle-sql is for the responder of the llm oracle, and this is ${oracle}`);
  }
  if (!applies) return undefined;
  return Object.fromEntries(datasets.map((dataset) => [dataset, oracleSql ?? defaultOracleSql(dataset)]));
}

function rolesOf(asker: Asker, solver: Solver, names: PartyNames): ModelRole[] {
  const asks = asker.reads === "agent" && asker.prompted === true;
  const solves = solver.reads === "agent" && solver.prompted === true;
  return [
    ...(asks ? ["asker" as const] : []),
    ...(solves ? ["solver" as const] : []),
    ...(oracleAsks(names) ? ["oracle" as const] : []),
  ];
}

/**
 * Finds or loads the parties of a run on `datasets`.
 *
 * @throws UserError for a name that is none, a module that exports no such part, a predictions file that is not there
 */
export async function openParties(names: PartyNames, datasets: readonly Dataset[] = []): Promise<Parties> {
  const oracleSql = oracleSqlOf(names, datasets);
  for (const dataset of datasets) oracleNamed(names.oracle, dataset);
  const { asker, part: askerPart } = await openAsker(names.asker);
  const { solver, part: solverPart } = await openSolver(names.solver);
  const matcher = names.matcher === undefined ? undefined : await loadPart("matcher", names.matcher);
  const responder = names.responder === undefined ? undefined : await loadPart("responder", names.responder);
  const parts = [askerPart, solverPart, matcher, responder].filter((part) => part !== undefined);
  const templates = templatesOf(asker, solver, names);
  const roles = rolesOf(asker, solver, names);
  return {
    asker,
    solver,
    oracleOf(dataset, { model, signal }) {
      const sql = names.oracleSql === undefined ? {} : { sql: names.oracleSql };
      const oracle = oracleNamed(names.oracle, dataset, { model, ...sql });
      return {
        ...oracle,
        ...(matcher === undefined ? {} : { matcher: ownMatcher(matcher, signal) }),
        ...(responder === undefined ? {} : { responder: ownResponder(responder, signal) }),
      };
    },
    roles,
    waits: roles.length + parts.length > 0,
    settings: {
      asker: asker.name,
      oracle: oracleName(names, matcher, responder),
      solver: solver.name,
      ...(oracleSql === undefined ? {} : { oracle_sql: oracleSql }),
      ...(solver.sha256 === undefined ? {} : { predictions_sha256: solver.sha256 }),
      ...(templates.length === 0 ? {} : { templates }),
      ...(parts.length === 0 ? {} : { parts: partSettings(parts) }),
      synthetic: solver.reads === "verifier" || names.oracle.startsWith(SYNTHETIC_ORACLE),
    },
  };
}

function partSettings(parts: readonly OwnPart[]): NonNullable<RunSettings["parts"]> {
  const entries = parts.map(({ kind, address, sha256 }) => [
    kind,
    sha256 === undefined ? { address } : { address, sha256 },
  ]);
  return Object.fromEntries(entries) as NonNullable<RunSettings["parts"]>;
}
