import { UserError } from "../../pipelines/errors.js";
import {
  configureModels,
  type ModelClient,
  type ModelRole,
  type Models,
  NO_MODEL,
  type OpenModelClient,
} from "../../pipelines/model/index.js";
import type { RunSettings } from "../../schemas/types/run.js";
import { chosenModels, type ModelOptions, openModels } from "./models.js";
import type { CommonOptions } from "./options.js";
import { sayUsage } from "./usage.js";

type RunModelOptions = ModelOptions & Pick<CommonOptions, "out" | "quiet">;

/** The models that answer a run's roles, as configured; undefined where the run asks none. */
export function modelsFor(roles: readonly ModelRole[], options: ModelOptions): Models | undefined {
  if (roles.length === 0) return undefined;
  const models = chosenModels(options) ?? (options.replayOnly === true ? configureModels({}) : undefined);
  if (models !== undefined) return models;
  throw new UserError(`this run asks models (${roles.join(", ")}), and none is configured`, {
    remedy: "give --models FILE, set OPENAI_BASE_URL, or replay stored answers with --replay-only",
  });
}

/** What decides the answers of the run's roles, and what they cost: it stands in run.json. Addresses decide nothing. */
export function modelSettings(
  models: Models | undefined,
  roles: readonly ModelRole[],
): RunSettings["models"] {
  if (models === undefined || roles.length === 0) return undefined;
  const entries = roles.map((role) => {
    const { decoding, endpoint, price } = models.roles[role];
    const { context_tokens } = endpoint;
    return [role, { ...decoding, context_tokens, ...(price === undefined ? {} : { price }) }] as const;
  });
  return Object.fromEntries(entries);
}

/** Calls that the endpoints of these roles take at once: each endpoint once, however many roles it serves. */
export function modelSlots(models: Models | undefined, roles: readonly ModelRole[]): number {
  if (models === undefined) return 0;
  const endpoints = new Set(roles.map((role) => models.roles[role].endpoint));
  return [...endpoints].reduce((sum, { concurrency }) => sum + concurrency, 0);
}

/** Opens the client for the time of `work`; where the run asks no model, whoever asks is told what to configure. */
export async function withModels<T>(
  roles: readonly ModelRole[],
  options: RunModelOptions,
  work: (client: ModelClient, opened: OpenModelClient | undefined) => Promise<T>,
): Promise<T> {
  const client = roles.length === 0 ? undefined : await openModels(options);
  try {
    return await work(client ?? NO_MODEL, client);
  } finally {
    await client?.close();
    sayUsage(client, options.quiet);
  }
}
