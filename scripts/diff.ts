import { existsSync, statSync } from "node:fs";
import type { Command } from "commander";
import { UserError } from "../pipelines/errors.js";
import { openSuite } from "../pipelines/record/suite.js";
import { diffSources, type SourceDiff } from "../pipelines/release/diff/sources.js";
import { diffSuites, type SuiteDiff } from "../pipelines/release/diff/suites.js";
import { diffText } from "../pipelines/release/diff/text.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { withProgress } from "./terminal/progress.js";
import { print } from "./terminal/say.js";

interface DiffOptions extends CommonOptions {
  limit: number;
}

/** Whether a folder holds a release or builds; anything else is taken for a copy of a source. */
function isSuite(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isDirectory())
    throw new UserError(`there is no folder ${path}`, {
      remedy: "name two releases, builds or source copies",
    });
  try {
    openSuite(path);
    return true;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

async function difference(a: string, b: string): Promise<SuiteDiff | SourceDiff> {
  const [old, now] = [isSuite(a), isSuite(b)];
  if (old && now) return diffSuites(openSuite(a), openSuite(b));
  if (!old && !now) return diffSources(a, b);
  const [suite, other] = old ? [a, b] : [b, a];
  throw new UserError(`${suite} is a release or a build, and ${other} is not`, {
    remedy: "compare like with like: two releases, two builds, or two copies of one source",
  });
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("diff")
      .description(
        "what differs between two releases, builds or source copies: records field by field, rows, databases by table",
      )
      .argument("<a>", "the older")
      .argument("<b>", "the newer")
      .option("--limit <n>", "detail lines under each heading; 0 for all", wholeNumber(0), 20),
  ).action(async (a: string, b: string, options: DiffOptions) => {
    const diff = await withProgress(
      "comparing",
      options.quiet,
      () => difference(a, b),
      () => "done",
    );
    print(options.json ? JSON.stringify(diff, null, 2) : diffText(diff, options.limit));
  });
}
