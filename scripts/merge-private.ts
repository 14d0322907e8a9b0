import { join } from "node:path";
import type { Command } from "commander";
import { EXIT } from "../pipelines/errors.js";
import { ExecutionCache, verify } from "../pipelines/evaluation/verifier/index.js";
import { openSuite } from "../pipelines/record/suite.js";
import { verifierView } from "../pipelines/record/views.js";
import { type Judge, type Merged, mergePrivate } from "../pipelines/release/merge-private.js";
import { openSqlEngines } from "../pipelines/sql/engines.js";
import { type CommonOptions, withCommonOptions } from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { print } from "./terminal/say.js";

interface MergeOptions extends CommonOptions {
  groundTruth: string;
}

function resultText({ dataset, merged, missing }: Merged): string {
  const lines = [`${dataset}: the ground truth of ${merged} records is joined`];
  if (missing.length > 0) {
    const shown = missing.slice(0, 5).join(", ");
    lines.push(
      `  ${missing.length} records stay without, because the file does not have theirs: ${shown}${missing.length > 5 ? ", …" : ""}`,
    );
  }
  return lines.join("\n");
}

async function merge(path: string, { groundTruth, quiet }: MergeOptions): Promise<Merged[]> {
  const engines = openSqlEngines();
  const judge: Judge = async (record, dataset) => {
    const view = verifierView(record);
    const executions = new ExecutionCache(engines, 0);
    const { verdict } = await verify(view, view.reference_sql, dataset.databases, executions);
    return verdict === "match" ? undefined : `The reference does not verify against itself: ${verdict}.`;
  };
  try {
    return await withProgress(
      `joining ${groundTruth}`,
      quiet,
      () => mergePrivate(openSuite(path), groundTruth, judge),
      (results) => `${results.reduce((sum, { merged }) => sum + merged, 0)} records in ${path}`,
    );
  } finally {
    await engines.close();
  }
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("merge-private")
      .description(
        "join your own copy of a ground truth that its authors withhold (BIRD-Interact) into a local release",
      )
      .argument("<path>", "a release's folder; it is changed in place")
      .requiredOption("--ground-truth <file>", "the file that the authors mailed: one JSON object a line"),
  ).action(async (path: string, options: MergeOptions) => {
    const results = await merge(path, options);
    if (options.json) print(JSON.stringify({ path: join(path), results }, null, 2));
    else print(results.map(resultText).join("\n"));
    if (results.every(({ merged }) => merged === 0)) process.exitCode = EXIT.checkFailed;
  });
}
