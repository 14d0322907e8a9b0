import { join } from "node:path";
import { type Command, Option } from "commander";
import { holdExclusively } from "../pipelines/engine/exclusive.js";
import { UserError } from "../pipelines/errors.js";
import { serveAnswers } from "../pipelines/evaluation/answers/http.js";
import { type AnswerSettings, GrowingAnswerLog } from "../pipelines/evaluation/answers/log.js";
import { AnswerService } from "../pipelines/evaluation/answers/service.js";
import { ORACLES, sqlShownOn } from "../pipelines/evaluation/oracles/index.js";
import { openParties } from "../pipelines/evaluation/run/parties.js";
import { sha256 } from "../pipelines/record/ids.js";
import { openSuite, type Suite } from "../pipelines/record/suite.js";
import type { OracleSql } from "../pipelines/record/views.js";
import { openSqlEngines } from "../pipelines/sql/engines.js";
import type { Dataset } from "../schemas/types/record.js";
import { tokenIn } from "./terminal/answers.js";
import { interruptible } from "./terminal/interrupt.js";
import { type ModelOptions, withModelOptions } from "./terminal/models.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { modelSettings, modelSlots, modelsFor, withModels } from "./terminal/run-models.js";
import { chosenDatasets } from "./terminal/run-options.js";
import { print, sayer } from "./terminal/say.js";

interface AnswerOptions extends CommonOptions, ModelOptions {
  dataset?: string[];
  oracle: string;
  oracleSql?: OracleSql;
  host: string;
  port: number;
  tokenFile?: string;
  log?: string;
  allowFull: boolean;
  deadline: number;
}

const PORT = 8010;
/** Model calls of one question, in seconds; an asker's episode has a deadline of its own. */
const DEADLINE_S = 3600;

/** Addresses that only this machine can reach. */
const isLocal = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host);

/** A log's file that differs where any answer might. */
function logFile({ out }: AnswerOptions, suite: Suite, settings: AnswerSettings): string {
  const short = sha256(JSON.stringify(settings)).slice(0, 8);
  const release = suite.kind === "release" ? suite.name : "build";
  return join(out, "answers", `${release}-${settings.oracle}-${short}.sqlite`.replaceAll(/[^\w.+-]+/g, "-"));
}

const count = (number: number, what: string): string =>
  `${number.toLocaleString("en-US")} ${what}${number === 1 ? "" : "s"}`;

async function answer(path: string, options: AnswerOptions): Promise<void> {
  const { host, port, allowFull, deadline, oracle, oracleSql } = options;
  const token = options.tokenFile === undefined ? undefined : tokenIn(options.tokenFile);
  if (token === undefined && !isLocal(host)) {
    throw new UserError(`without a token anybody who reaches ${host} could ask`, {
      remedy: "give one with --token-file FILE, or listen on 127.0.0.1",
    });
  }
  const all = openSuite(path);
  const chosen = chosenDatasets(all, path, options.dataset);
  const suite = { ...all, datasets: all.datasets.filter(({ dataset }) => chosen.includes(dataset)) };
  const datasets = suite.datasets.map(({ dataset }) => dataset as Dataset);
  const { oracleOf, settings, roles } = await openParties(
    // Nobody asks or solves here; only the oracle's part of the parties is used.
    { asker: "none", solver: "model", oracle, ...(oracleSql === undefined ? {} : { oracleSql }) },
    datasets,
  );
  const own = roles.filter((role) => role === "oracle");
  const models = modelsFor(own, options);
  const answering = modelSettings(models, own);
  const { kind, name, hash, publicHash } = suite;
  const deciding: AnswerSettings = {
    suite: { kind, name, hash, public_hash: publicHash },
    oracle: settings.oracle,
    ...(settings.oracle_sql === undefined ? {} : { oracle_sql: settings.oracle_sql }),
    ...(answering === undefined ? {} : { models: answering }),
  };
  const file = options.log ?? logFile(options, suite, deciding);
  const say = sayer(options.quiet);
  const hold = holdExclusively(`${file}.lock`, `the log ${file}`);
  const sandbox = openSqlEngines({ children: 1 });
  try {
    const log = GrowingAnswerLog.open(file, deciding);
    try {
      const before = log.counts();
      await interruptible((signal) =>
        withModels(own, options, async (model) => {
          const service = await AnswerService.open({
            suite,
            log,
            oracleOf,
            full: allowFull,
            model,
            slots: modelSlots(models, own),
            sandbox,
            deadlineMs: deadline * 1000,
            signal,
          });
          const onFault = (error: unknown): void =>
            say(
              `a question could not be answered: ${error instanceof Error ? error.message : String(error)}`,
            );
          const served = await serveAnswers(service, {
            host,
            port,
            onFault,
            ...(token === undefined ? {} : { token }),
          });
          const { address } = served;
          if (options.json) print(JSON.stringify({ address, log: file, ...service.card }));
          else print(`answering for ${kind} ${name} with the oracle ${settings.oracle} at ${address}`);
          say(`the log ${file} holds ${count(before.questions, "question")} of ${count(before.runs, "run")}`);
          if (!signal.aborted)
            await new Promise((stopped) => signal.addEventListener("abort", stopped, { once: true }));
          await served.close();
        }),
      );
      const after = log.counts();
      say(
        `${count(after.questions - before.questions, "question")} answered; the log ${file} holds those of ${count(after.runs, "run")}`,
      );
    } finally {
      log.close();
    }
  } finally {
    await sandbox.close();
    hold.release();
  }
}

export function register(program: Command): void {
  const command = program
    .command("answer")
    .description(
      "answer the questions of others' predictions over HTTP, from the private zones that are here, until it is stopped",
    )
    .argument("<release>", "a release that holds the oracle zone, or a build")
    .option("--dataset <name...>", "only these datasets (default: all that are there)")
    .option("--oracle <name>", `one of ${ORACLES.join(", ")}`, "deterministic")
    .addOption(
      new Option(
        "--oracle-sql <shown|hidden>",
        `whether the llm oracle's responder has the reference SQL (default: shown on ${sqlShownOn()})`,
      ).choices(["shown", "hidden"]),
    )
    .option("--host <address>", "where to listen; one that others reach needs --token-file", "127.0.0.1")
    .option("--port <n>", "which port; 0: any free one", wholeNumber(0), PORT)
    .option("--token-file <file>", "holds the token that every call must bear")
    .option("--log <file>", "keeps every answer, for budgets and ambitab score (default: in out/answers/)")
    .option("--allow-full", "answer the full condition too, which tells the askers' side every term", false)
    .option(
      "--deadline <s>",
      "seconds that the model calls of one question may take in all",
      wholeNumber(1),
      DEADLINE_S,
    );
  withModelOptions(command, { replay: true });
  command.addHelpText(
    "after",
    `
The other side runs: ambitab predict PUBLIC_RELEASE --oracle http://HOST:PORT …
An episode of a run may ask as many questions as in an evaluation. Whoever begins many runs can still collect answers, as
from any oracle that is asked live: the log shows it. Put TLS in front of an address that others reach.`,
  );
  withCommonOptions(command).action(answer);
}
