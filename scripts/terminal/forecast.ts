import { join } from "node:path";
import { askerNamed } from "../../pipelines/evaluation/askers/index.js";
import { type Forecast, forecast, GUESSED, type Range } from "../../pipelines/evaluation/run/forecast.js";
import { EPISODES_FILE, PREDICTIONS_FILE, readLines } from "../../pipelines/evaluation/run/log.js";
import { openSqlEngines } from "../../pipelines/sql/engines.js";
import type { PreparedRun, RunCommandOptions } from "./run-options.js";
import { columns, print, sayer } from "./say.js";

const count = (value: number): string => Math.round(value).toLocaleString("en-US");
const range = ({ least, most }: Range): string =>
  least === most ? count(least) : `${count(least)} to ${count(most)}`;
const money = ({ least, most }: Range): string => `${least.toFixed(2)} to ${most.toFixed(2)}`;

/** The forecast as a person reads it. */
export function forecastText(
  { episodes, roles }: Forecast,
  models: PreparedRun["settings"]["models"],
): string {
  const rows = Object.entries(roles).map(([role, one]) => [
    role,
    models?.[role]?.model ?? "",
    range(one.calls),
    range(one.prompt_tokens),
    range(one.completion_tokens),
    one.cost === null ? "no price" : money(one.cost),
  ]);
  const open = `${count(episodes)} episodes to run`;
  if (rows.length === 0) return `${open}; no model is asked`;
  const { question, answer, oracle_reply, sql_reply } = GUESSED;
  const guess = `Guessed: ${question} tokens a question, ${answer} an answer, ${oracle_reply.least} to ${oracle_reply.most} a reply of the oracle's, ${sql_reply.least} to ${sql_reply.most} a SQL reply. Stored answers and replies that must be asked for again are not counted.`;
  return [
    open,
    columns(["role", "model", "calls", "prompt tokens", "reply tokens", "cost"], rows, [2, 3, 4]),
    guess,
  ].join("\n");
}

/** Prints what a run would take. With `--resume`, what is left of it. */
export async function forecastRun(prepared: PreparedRun, options: RunCommandOptions): Promise<void> {
  const { suite, settings, folder, parties } = prepared;
  const done = new Set<string>();
  if (options.resume) {
    for (const file of [EPISODES_FILE, PREDICTIONS_FILE]) {
      for await (const { episode_id } of readLines<{ episode_id: string }>(join(folder, file)))
        done.add(episode_id);
    }
  }
  sayer(options.quiet)("going through the records; no model is asked");
  const askerOf = (condition: "none" | "asker" | "full") =>
    condition === "asker" ? parties.asker : askerNamed(settings.conditions[condition]!);
  const sandbox = openSqlEngines({ children: prepared.jobs });
  try {
    const planned = { suite, settings, folder, sandbox, done, zones: "here" as const };
    const result = await forecast(planned, { askerOf, solver: parties.solver, oracleOf: parties.oracleOf });
    print(options.json ? JSON.stringify(result, null, 2) : forecastText(result, settings.models));
  } finally {
    await sandbox.close();
  }
}
