/** Options of the commands that run episodes, and what a run is made of by them. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { PIPELINES } from "../../pipelines/datasets/index.js";
import { UserError } from "../../pipelines/errors.js";
import type { AnswersClient } from "../../pipelines/evaluation/answers/client.js";
import { ASKER_NAMES } from "../../pipelines/evaluation/askers/index.js";
import { ORACLES, sqlShownOn } from "../../pipelines/evaluation/oracles/index.js";
import { SCHEMA_TOKENS } from "../../pipelines/evaluation/prompts/context.js";
import { openParties, type Parties, type PartyNames } from "../../pipelines/evaluation/run/parties.js";
import { runScope } from "../../pipelines/evaluation/run/scope.js";
import { SOLVERS } from "../../pipelines/evaluation/solvers/index.js";
import type { Models } from "../../pipelines/model/index.js";
import { sha256 } from "../../pipelines/record/ids.js";
import { openSuite, type Suite } from "../../pipelines/record/suite.js";
import type { OracleSql } from "../../pipelines/record/views.js";
import type { Dataset } from "../../schemas/types/record.js";
import type { RunSettings } from "../../schemas/types/run.js";
import { answeredBy, connectService, isService } from "./answers.js";
import { type ModelOptions, withModelOptions } from "./models.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./options.js";
import { quoted } from "./quoted.js";
import { modelSettings, modelSlots, modelsFor } from "./run-models.js";

export interface RunCommandOptions extends CommonOptions, ModelOptions {
  dataset?: string[];
  asker: string;
  oracle: string;
  oracleSql?: OracleSql;
  /** Of the service that answers. */
  oracleTokenFile?: string;
  solver: string;
  matcher?: string;
  responder?: string;
  seeds: number[];
  split?: string;
  slice?: string;
  limit?: number;
  deadline?: number;
  schemaTokens?: number;
  run?: string;
  resume: boolean;
  dryRun?: boolean;
  jobs?: number;
}

/** Model calls of one episode may take this long in all, in seconds. */
const DEADLINE_S = 3600;

function seedList(text: string): number[] {
  const seeds = text.split(",").map((part) => wholeNumber(0)(part.trim()));
  if (new Set(seeds).size !== seeds.length) throw new InvalidArgumentError("a seed stands twice");
  return seeds;
}

/**
 * Adds what every command that runs episodes takes.
 *
 * @param makes a command that makes a campaign of many runs has no one folder for them; predictions may be answered by
 *   others
 */
export function withRunOptions(command: Command, makes: "run" | "campaign" | "predictions" = "run"): Command {
  const elsewhere = makes === "predictions" ? "; or the URL of an answering service (ambitab answer)" : "";
  command
    .argument("<path>", "a release, or a build folder such as out/build")
    .option("--dataset <name...>", "only these datasets (default: all that are there)")
    .requiredOption(
      "--asker <name>",
      `one of ${ASKER_NAMES.join(", ")}; or your own: a module's path or a URL`,
    )
    .option("--oracle <name>", `one of ${ORACLES.join(", ")}${elsewhere}`, "deterministic")
    .addOption(
      new Option(
        "--oracle-sql <shown|hidden>",
        `whether the llm oracle's responder has the reference SQL (default: shown on ${sqlShownOn()})`,
      ).choices(["shown", "hidden"]),
    )
    .option("--matcher <own>", "your own matcher in the oracle's place: a module's path or a URL")
    .option("--responder <own>", "your own responder in the oracle's place: a module's path or a URL")
    .requiredOption("--solver <name>", `one of ${SOLVERS.join(", ")}; or your own: a module's path or a URL`)
    .option("--seeds <list>", "seeds, separated by commas", seedList, [0])
    .option("--split <name>", "only records of this split")
    .option("--slice <name>", "only records of this slice")
    .option("--limit <n>", "the first records of each dataset only", wholeNumber(1));
  withModelOptions(command, { replay: true });
  if (makes === "predictions")
    command.option("--oracle-token-file <file>", "holds the token that the answering service wants");
  if (makes !== "campaign")
    command.option("--run <dir>", "the run's folder (default: a name made of the settings)");
  return withCommonOptions(
    command
      .option("--deadline <s>", "seconds that one episode's model calls may take in all", wholeNumber(1))
      .option("--schema-tokens <n>", "tokens that a prompt's schema may take, as estimated", wholeNumber(100))
      .option("--dry-run", "only say how many calls and tokens the run would take", false)
      .option("--resume", "go on with a run that was stopped", false)
      .option("--jobs <n>", "SQL statements at once (default: the processors)", wholeNumber(1)),
  );
}

/** The command line that goes on with an interrupted run. */
function resumeCommand(
  command: string,
  path: string,
  datasets: readonly string[],
  folder: string,
  options: RunCommandOptions,
): string {
  const { asker, oracle, solver, seeds, replayOnly } = options;
  const words = ["ambitab", command, path, ...datasets.flatMap((name) => ["--dataset", name])];
  words.push("--asker", asker, "--oracle", oracle, "--solver", solver, "--seeds", seeds.join(","));
  const { oracleSql, oracleTokenFile, matcher, responder, split, slice, limit, models, deadline } = options;
  const { schemaTokens, jobs } = options;
  // Stored answers lie below the output folder.
  const out = options.out === "out" ? undefined : options.out;
  const rest = {
    "oracle-sql": oracleSql,
    "oracle-token-file": oracleTokenFile,
    out,
    matcher,
    responder,
    split,
    slice,
    limit,
    models,
    deadline,
    "schema-tokens": schemaTokens,
    jobs,
  };
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) words.push(`--${name}`, String(value));
  }
  if (replayOnly === true) words.push("--replay-only");
  return [...words, "--run", folder, "--resume"].map(quoted).join(" ");
}

/** A run that is ready to start. */
export interface PreparedRun {
  readonly suite: Suite;
  readonly parties: Parties;
  /** Who answers the questions where others hold the oracle zone; to be closed. */
  readonly answers?: AnswersClient;
  readonly settings: RunSettings;
  readonly models: Models | undefined;
  readonly folder: string;
  readonly resumeCommand: string;
  /** SQL statements at once. */
  readonly jobs: number;
  /** Episodes under way at once. */
  readonly width: number;
}

/**
 * The datasets that a person named, or all; sorted.
 *
 * @throws UserError for one that is not there, or of which nothing is known: which oracle it has would be a guess
 */
export function chosenDatasets(suite: Suite, path: string, wanted: readonly string[] | undefined): string[] {
  const present = suite.datasets.map(({ dataset }) => dataset);
  for (const name of wanted ?? []) {
    if (!present.includes(name)) {
      throw new UserError(`${path} holds no dataset "${name}"`, { remedy: `it holds ${present.join(", ")}` });
    }
  }
  const chosen = [...(wanted ?? present)].sort();
  const isKnown = (name: string): boolean => PIPELINES.some(({ dataset }) => dataset === name);
  const unknown = chosen.find((name) => !isKnown(name));
  if (unknown !== undefined) {
    throw new UserError(`${path} holds the dataset "${unknown}", of which this ambitab knows nothing`, {
      remedy: `use the program that made it, or name others with --dataset: ${chosen.filter(isKnown).join(", ") || "it holds none that is known"}`,
    });
  }
  return chosen;
}

/** A folder's name that says what the run is, and differs where any setting does. */
function runName({ datasets, asker, oracle, solver }: RunSettings, settings: RunSettings): string {
  const short = sha256(JSON.stringify(settings)).slice(0, 8);
  return `${datasets.join("+")}-${asker}-${oracle}-${solver}-${short}`.replaceAll(/[^\w.+-]+/g, "-");
}

/** What of a command line names the parties, with the service's oracle where one answers. */
function partyNames(options: RunCommandOptions, answers: AnswersClient | undefined): PartyNames {
  const { asker, solver, oracleSql, matcher, responder } = options;
  if (answers !== undefined && (oracleSql ?? matcher ?? responder) !== undefined) {
    throw new UserError("the service that answers chooses the oracle and what it reads", {
      remedy: "leave out --oracle-sql, --matcher and --responder",
    });
  }
  return {
    asker,
    oracle: answers?.card.oracle ?? options.oracle,
    solver,
    ...(oracleSql === undefined ? {} : { oracleSql }),
    ...(matcher === undefined ? {} : { matcher }),
    ...(responder === undefined ? {} : { responder }),
  };
}

/** The parties of a run that others answer: the oracle is theirs, with its models. */
function withoutOracle(parties: Parties, { card }: AnswersClient, datasets: readonly string[]): Parties {
  const { oracle_sql: _, ...settings } = parties.settings;
  const sql = Object.entries(card.oracle_sql ?? {}).filter(([dataset]) => datasets.includes(dataset));
  return {
    ...parties,
    roles: parties.roles.filter((role) => role !== "oracle"),
    waits: true,
    settings: { ...settings, ...(sql.length === 0 ? {} : { oracle_sql: Object.fromEntries(sql) }) },
  };
}

/**
 * Opens what a command line names and makes the run's settings.
 *
 * @param conditions which askers run under which condition
 * @throws UserError for whatever of it is not there
 */
export async function prepareRun(
  command: "eval" | "predict",
  path: string,
  options: RunCommandOptions,
  conditions: (
    suite: Suite,
    parties: Parties,
    answers: AnswersClient | undefined,
  ) => RunSettings["conditions"],
): Promise<PreparedRun> {
  const suite = openSuite(path);
  const datasets = chosenDatasets(suite, path, options.dataset);
  const served = command === "predict" && isService(options.oracle);
  const answers = served
    ? await connectService(options.oracle, suite, datasets, options.oracleTokenFile)
    : undefined;
  const named = await openParties(partyNames(options, answers), datasets as Dataset[]);
  const parties = answers === undefined ? named : withoutOracle(named, answers, datasets);
  const models = modelsFor(parties.roles, options);
  const answering = modelSettings(models, parties.roles);
  const alone: RunSettings = {
    ...runScope(suite, {
      datasets,
      split: options.split ?? null,
      slice: options.slice ?? null,
      limit: options.limit ?? null,
      seeds: options.seeds,
    }),
    ...parties.settings,
    ...(answering === undefined
      ? {}
      : {
          models: answering,
          schema_tokens: options.schemaTokens ?? SCHEMA_TOKENS,
        }),
    ...(parties.waits ? { deadline_s: options.deadline ?? DEADLINE_S } : {}),
    conditions: conditions(suite, parties, answers),
  };
  const home = command === "eval" ? "runs" : "predictions";
  const folder = options.run ?? join(options.out, home, runName(alone, alone));
  const settings = answers === undefined ? alone : { ...alone, answered_by: answeredBy(folder) };
  const jobs = options.jobs ?? availableParallelism();
  return {
    suite,
    parties,
    ...(answers === undefined ? {} : { answers }),
    settings,
    models,
    folder,
    resumeCommand: resumeCommand(command, path, datasets, folder, options),
    jobs,
    // While one of an episode's calls is answered, another episode's must wait at the endpoint's door.
    width: Math.max(jobs * 8, 2 * (modelSlots(models, parties.roles) + (answers?.card.slots ?? 0))),
  };
}
