import type { Command } from "commander";
import { nearestIds, type Traced, trace } from "../pipelines/audit/trace.js";
import { answersOf, callsOf } from "../pipelines/audit/traced-answers.js";
import { UserError } from "../pipelines/errors.js";
import { storePath } from "../pipelines/model/client.js";
import { openSuite, type Suite } from "../pipelines/record/suite.js";
import type { ModelResponse } from "../schemas/types/model-response.js";
import { type CommonOptions, withCommonOptions } from "./terminal/options.js";
import { print } from "./terminal/say.js";
import { tracedText } from "./terminal/traced.js";

interface TraceOptions extends CommonOptions {
  path?: string;
}

/** Rows whose ways are printed whole; `--json` has all. */
const SHOWN = 20;

async function nothingFound({ datasets }: Suite, id: string): Promise<UserError> {
  const near = await nearestIds(datasets, id);
  const names = datasets.map(({ dataset }) => dataset).join(", ");
  return new UserError(`no record and no source row is called ${id}`, {
    remedy:
      near.length > 0
        ? `did you mean ${near.join(", or ")}?`
        : `here are ${names}; ambitab list shows the records' ids, and dropped.jsonl has the keys of rows that are in none`,
  });
}

async function answersTo(
  found: readonly Traced[],
  suite: Suite,
  store: string,
): Promise<Map<string, ModelResponse>> {
  const answers = new Map<string, ModelResponse>();
  for (const dataset of suite.datasets) {
    const entries = found.filter((one) => one.dataset === dataset.dataset).map(({ entry }) => entry);
    for (const [key, answer] of await answersOf(dataset, entries, store)) answers.set(key, answer);
  }
  return answers;
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("trace")
      .description(
        "the whole way of a record back to its source row, or of a source row to its records or its drop",
      )
      .argument(
        "<id>",
        "a record's or AVT's id, a row's key or a question's (bird/train/12, ambiqt/validation/3), a position (ambiqt/validation/row-17), or a file of the source and a position in it (bird/train/train.json:17)",
      )
      .option("--path <dir>", "a release or a build to look in (default: the builds in --out)")
      .addHelpText(
        "after",
        "\nA source's name stands for every dataset made of it: bird/train/12 is a row of ew-bird and of bird.\nModels' answers are shown in short, from the release's response archive or from the store in --out.",
      ),
  ).action(async (id: string, options: TraceOptions) => {
    const suite = openSuite(options.path ?? options.out);
    const found = await trace(suite.datasets, id);
    if (found.length === 0) throw await nothingFound(suite, id);
    const answers = await answersTo(found, suite, storePath(options.out));
    if (options.json) {
      const all = found.map(({ entry, records }) => ({
        entry,
        records,
        answers: callsOf(entry).flatMap((key) => answers.get(key) ?? []),
      }));
      print(JSON.stringify(all, null, 2));
      return;
    }
    print(
      found
        .slice(0, SHOWN)
        .map((one) => tracedText(one, id, answers))
        .join("\n\n"),
    );
    if (found.length > SHOWN)
      print(`\nand ${found.length - SHOWN} more rows: name one of them, or take all with --json`);
  });
}
