import ora from "ora";
import type { BuildProgress } from "../../pipelines/engine/run.js";

/**
 * Runs one task and shows on stderr how far it is: a live line on a terminal, one line at the start and one at the end
 * elsewhere, nothing with `--quiet`.
 *
 * @param done words the result for the last line
 */
export async function withProgress<T>(
  title: string,
  quiet: boolean,
  work: (report: (text: string) => void) => Promise<T>,
  done: (result: T) => string,
): Promise<T> {
  // The spinner must not take over the keyboard: Ctrl-C is how a person stops a build.
  const spinner = ora({ text: title, isSilent: quiet, discardStdin: false, hideCursor: false }).start();
  const plain = !spinner.isSpinning;
  let last = Date.now();
  try {
    const result = await work((text) => {
      const now = Date.now();
      if (plain) {
        // Without a terminal each line stays, so a long build gives a sign of life twice a minute.
        if (now - last < 30_000) return;
        last = now;
        if (!quiet) process.stderr.write(`  ${title}: ${text}\n`);
      } else if (now - last > 80) {
        last = now;
        spinner.text = `${title}: ${text}`;
      }
    });
    spinner.succeed(`${title}: ${done(result)}`);
    return result;
  } catch (error) {
    spinner.fail(title);
    throw error;
  }
}

/** "620 rows, 810 records, 1,312 outcomes computed, 0 from the store". */
export function describeProgress({ rows, records, computed, stored }: BuildProgress): string {
  const count = (value: number): string => value.toLocaleString("en-US");
  return `${count(rows)} rows, ${count(records)} records, ${count(computed)} outcomes computed, ${count(stored)} from the store`;
}
