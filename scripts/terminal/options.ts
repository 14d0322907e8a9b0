import { type Command, InvalidArgumentError } from "commander";
import { SOURCE_NAMES, type SourceName } from "../../sources/index.js";

/** The seed of a build that names none. Published figures of ours are made with it. */
export const DEFAULT_SEED = 1;

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

/** Copies of sources that a person named: source → folder. */
export type SourceFolders = Record<SourceName, string>;

/** Collects `--from source=DIR`, which may be given several times; folder names may hold equals signs. */
export function sourceFolder(text: string, known: SourceFolders = {}): SourceFolders {
  const at = text.indexOf("=");
  const source = SOURCE_NAMES.find((name) => name === text.slice(0, at));
  if (at < 1 || at === text.length - 1)
    throw new InvalidArgumentError("expected source=DIR, such as ambiqt=./ambiqt");
  if (source === undefined) {
    throw new InvalidArgumentError(
      `there is no source "${text.slice(0, at)}"; choose from ${SOURCE_NAMES.join(", ")}`,
    );
  }
  if (known[source] !== undefined) throw new InvalidArgumentError(`source ${source} is given twice`);
  return { ...known, [source]: text.slice(at + 1) };
}

/** Two files of predictions: answers without and with the withheld text. */
export interface ReplayedPredictions {
  without: string;
  with: string;
}

/** `replay=WITHOUT.json,WITH.json`. */
export function replayedPredictions(text: string): ReplayedPredictions {
  const [, without, withText] = /^replay=([^,]+),([^,]+)$/.exec(text) ?? [];
  if (without === undefined || withText === undefined) {
    throw new InvalidArgumentError("expected replay=WITHOUT.json,WITH.json");
  }
  return { without, with: withText };
}
