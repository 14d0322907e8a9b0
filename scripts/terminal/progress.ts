import type { BuildProgress } from "../../pipelines/engine/run.js";

/** Tells how far a task is; cheap to call often. */
export type Report = (text: string) => void;

/** Without a terminal each line stays, so a long task gives a sign of life twice a minute. */
function plainly(title: string): { report: Report; succeed(text: string): void; fail(): void } {
  let last = Date.now();
  const line = (text: string): void => {
    process.stderr.write(`${title}: ${text}\n`);
  };
  return {
    report(text) {
      if (Date.now() - last < 30_000) return;
      last = Date.now();
      line(text);
    },
    succeed: line,
    fail: () => line("failed"),
  };
}

/** A live line on a terminal. */
async function lively(title: string): Promise<{ report: Report; succeed(text: string): void; fail(): void }> {
  // Only where it is shown: it takes long to load, and most runs have no terminal or are over by then.
  const { default: ora } = await import("ora");
  // The spinner must not take over the keyboard: Ctrl-C is how a person stops a task.
  const spinner = ora({ text: title, discardStdin: false, hideCursor: false }).start();
  let last = 0;
  return {
    report(text) {
      if (Date.now() - last < 80) return;
      last = Date.now();
      spinner.text = `${title}: ${text}`;
    },
    succeed: (text) => void spinner.succeed(`${title}: ${text}`),
    fail: () => void spinner.fail(title),
  };
}

/**
 * Runs one task and shows on stderr how far it is: a live line on a terminal, plain lines elsewhere, nothing with
 * `--quiet`.
 *
 * @param done words the result for the last line
 */
export async function withProgress<T>(
  title: string,
  quiet: boolean,
  work: (report: Report) => Promise<T>,
  done: (result: T) => string,
): Promise<T> {
  if (quiet) return work(() => undefined);
  const shown = process.stderr.isTTY ? await lively(title) : plainly(title);
  try {
    const result = await work(shown.report);
    shown.succeed(done(result));
    return result;
  } catch (error) {
    shown.fail();
    throw error;
  }
}

/** "620 rows, 810 records, 1,312 outcomes computed, 0 from the store". */
export function describeProgress({ rows, records, computed, stored }: BuildProgress): string {
  const count = (value: number): string => value.toLocaleString("en-US");
  return `${count(rows)} rows, ${count(records)} records, ${count(computed)} outcomes computed, ${count(stored)} from the store`;
}
