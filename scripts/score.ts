import { availableParallelism } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Command } from "commander";
import { AnswerLog } from "../pipelines/evaluation/answers/log.js";
import { scorePredictions } from "../pipelines/evaluation/run/score.js";
import { openSuite } from "../pipelines/record/suite.js";
import { openSqlEngines } from "../pipelines/sql/engines.js";
import { reportText } from "./report.js";
import { interruptible } from "./terminal/interrupt.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { print } from "./terminal/say.js";

interface ScoreCommandOptions extends CommonOptions {
  release: string;
  answers?: string;
  trustTranscripts: boolean;
  run?: string;
  jobs?: number;
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("score")
      .description(
        "verify and score predictions with the private zones of the release that they were made on",
      )
      .argument("<predictions>", "a folder that ambitab predict has written")
      .requiredOption("--release <dir>", "the whole release")
      .option("--answers <file>", "the log of the service that answered the predictions' questions")
      .option(
        "--trust-transcripts",
        "believe what the predictions say that an oracle on models has answered: for those of your own making",
        false,
      )
      .option("--run <dir>", "the scored run's folder (default: out/runs/ and the predictions' name)")
      .option("--jobs <n>", "SQL statements at once (default: the processors)", wholeNumber(1)),
  ).action(async (predictions: string, options: ScoreCommandOptions) => {
    const suite = openSuite(options.release);
    const folder = options.run ?? join(options.out, "runs", basename(resolve(predictions)));
    const jobs = options.jobs ?? availableParallelism();
    const answers = options.answers === undefined ? undefined : AnswerLog.read(options.answers);
    const sandbox = openSqlEngines({ children: jobs });
    try {
      const { settings, summary } = await interruptible((signal) =>
        withProgress(
          "scoring",
          options.quiet,
          (report) =>
            scorePredictions({
              predictions,
              suite,
              folder,
              sandbox,
              ...(answers === undefined ? {} : { answers }),
              trustTranscripts: options.trustTranscripts,
              width: jobs * 8,
              signal,
              onProgress: (done) => report(`${done.toLocaleString("en-US")} episodes`),
            }),
          () => `scored in ${folder}`,
        ),
      );
      if (options.json) print(JSON.stringify({ folder, ...summary }, null, 2));
      else print(reportText(summary, settings));
    } finally {
      answers?.close();
      await sandbox.close();
    }
  });
}
