/** The models of an evaluation's oracle: what the run records of them, the client, and what it was asked. */
import { UserError } from "../../pipelines/errors.js";
import { callsModel, defaultOracleSql } from "../../pipelines/evaluation/oracles/index.js";
import { configureModels, type OpenModelClient } from "../../pipelines/model/index.js";
import type { OracleSql } from "../../pipelines/record/views.js";
import type { Dataset } from "../../schemas/types/record.js";
import type { RunSettings } from "../../schemas/types/run.js";
import { chosenModels, type ModelOptions, openModels } from "./models.js";
import type { CommonOptions } from "./options.js";

/** The options of `eval` that decide them. */
export interface OracleModelOptions extends ModelOptions, Pick<CommonOptions, "out"> {
  oracle: string;
  oracleSql?: OracleSql;
}

/** What of the settings is decided by the oracle's model. */
export function modelSettings(
  datasets: readonly string[],
  options: OracleModelOptions,
): Pick<RunSettings, "oracle_sql" | "models"> {
  const { oracle, oracleSql } = options;
  if (oracleSql !== undefined && oracle !== "llm") {
    throw new UserError(`--oracle-sql is for the responder of the llm oracle, and this is ${oracle}`);
  }
  if (!callsModel(oracle)) return {};
  const { decoding, endpoint } = (chosenModels(options) ?? configureModels({})).roles.oracle;
  const models = { oracle: { ...decoding, context_tokens: endpoint.context_tokens } };
  if (oracle !== "llm") return { models };
  const sql = datasets.map((dataset) => [dataset, oracleSql ?? defaultOracleSql(dataset as Dataset)]);
  return { models, oracle_sql: Object.fromEntries(sql) };
}

/** The client of the run's models; undefined where the run calls none. */
export async function openRunModels(options: OracleModelOptions): Promise<OpenModelClient | undefined> {
  if (!callsModel(options.oracle)) return undefined;
  const client = await openModels(options);
  if (client !== undefined) return client;
  throw new UserError(`the oracle "${options.oracle}" calls a model, and none is configured`, {
    remedy: "give --models FILE, set OPENAI_BASE_URL, or replay stored answers with --replay-only",
  });
}

/** How many calls the oracle's endpoint takes at once. */
export const endpointSlots = (options: OracleModelOptions): number =>
  (chosenModels(options) ?? configureModels({})).roles.oracle.endpoint.concurrency;

/** What the run's models were asked, in a few words. */
export function usageText(client: OpenModelClient | undefined): string {
  const count = (number: number): string => number.toLocaleString("en-US");
  return Object.entries(client?.usage() ?? {})
    .map(
      ([role, { asked, stored, sent }]) =>
        `; ${role}: ${count(asked)} calls, ${count(stored)} stored, ${count(sent)} sent`,
    )
    .join("");
}
