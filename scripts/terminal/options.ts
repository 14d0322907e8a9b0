import { type Command, InvalidArgumentError } from "commander";

/** Options that every command knows (spec 12). */
export interface CommonOptions {
  out: string;
  quiet: boolean;
  json: boolean;
}

/** Adds the common options: where things are, how much is said, and in which form. */
export function withCommonOptions(command: Command): Command {
  return command
    .option("--out <dir>", "where sources, caches, builds, releases and runs live", "out")
    .option("--quiet", "say nothing on stderr but errors", false)
    .option("--json", "print a machine-readable result on stdout", false);
}

/** A whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`expected a whole number of at least ${least}`);
    }
    return value;
  };
}

/** Collects `--from source=DIR`, which may be given several times. */
export function sourceFolder(text: string, known: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError("expected source=DIR, such as ambiqt=./ambiqt");
  const source = text.slice(0, at);
  if (Object.hasOwn(known, source)) throw new InvalidArgumentError(`source ${source} is given twice`);
  return { ...known, [source]: text.slice(at + 1) };
}
