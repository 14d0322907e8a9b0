import type { Command } from "commander";
import { type OpenModelClient, openModelClient } from "../../pipelines/model/client.js";
import {
  configureModels,
  type Models,
  modelsOfEnvironment,
  readModels,
} from "../../pipelines/model/configuration.js";
import type { CommonOptions } from "./options.js";

/** What a command takes that may call models. */
export interface ModelOptions {
  /** A configuration file; without it the environment's endpoint and the paper's models. */
  models?: string;
  replayOnly?: boolean;
}

/** Adds `--models` and, where stored answers can stand in for the models, `--replay-only`. */
export function withModelOptions(command: Command, { replay }: { replay: boolean }): Command {
  command.option(
    "--models <file>",
    "which endpoint and model answers which role (default: OPENAI_BASE_URL, with the paper's models)",
  );
  if (replay) command.option("--replay-only", "ask no model; fail where an answer is not stored", false);
  return command;
}

/** The models that a person configured by file or environment; undefined where there are none. */
export function chosenModels({ models }: ModelOptions): Models | undefined {
  return models === undefined ? modelsOfEnvironment() : readModels(models);
}

/** The models of a command: the environment's or a file's, and the paper's where a replay has neither. */
export function modelsFor(options: ModelOptions): Models | undefined {
  return chosenModels(options) ?? (options.replayOnly === true ? configureModels({}) : undefined);
}

/**
 * Opens the model client of a command, to be closed by it; undefined where nothing is configured and nothing replayed.
 *
 * @param archives response archives to put into the store first
 * @param collectMissing a replay notes what it lacks and goes on, so that the command can say how much that is
 * @throws UserError when the configuration, the store or an archive is wrong
 */
export async function openModels(
  options: ModelOptions & Pick<CommonOptions, "out">,
  archives: readonly string[] = [],
  { collectMissing = false } = {},
): Promise<OpenModelClient | undefined> {
  const { out, replayOnly = false } = options;
  const chosen = chosenModels(options);
  if (chosen === undefined && !replayOnly && archives.length === 0) return undefined;
  // A replay needs no endpoint, only to know which models it replays: the paper's where nobody says otherwise.
  const models = chosen ?? configureModels({});
  const replays = replayOnly || chosen === undefined;
  return openModelClient({
    models,
    out,
    archives,
    replayOnly: replays && collectMissing ? "collect" : replays,
  });
}
