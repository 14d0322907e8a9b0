/** A holder's answering service in this process, and agents of a user's own that ask it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveAnswers } from "../../../pipelines/evaluation/answers/http.js";
import { GrowingAnswerLog } from "../../../pipelines/evaluation/answers/log.js";
import { AnswerService } from "../../../pipelines/evaluation/answers/service.js";
import { oracleNamed } from "../../../pipelines/evaluation/oracles/index.js";
import { NO_MODEL } from "../../../pipelines/model/no-model.js";
import type { ModelClient } from "../../../pipelines/model/types.js";
import type { Suite } from "../../../pipelines/record/suite.js";
import { openSqlEngines } from "../../../pipelines/sql/engines.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import type { RunSettings } from "../../../schemas/types/run.js";

export interface Holder {
  readonly address: string;
  readonly log: GrowingAnswerLog;
  readonly faults: unknown[];
  close(): Promise<void>;
}

export interface HolderOptions {
  readonly suite: Suite;
  readonly log: string;
  readonly oracle?: string;
  readonly sql?: RunSettings["oracle_sql"];
  readonly models?: RunSettings["models"];
  readonly full?: boolean;
  readonly model?: ModelClient;
  readonly token?: string;
  readonly port?: number;
}

/** Starts a service as `ambitab answer` does. */
export async function startHolder(options: HolderOptions): Promise<Holder> {
  const {
    suite,
    oracle = "deterministic",
    sql,
    models,
    full = false,
    model = NO_MODEL,
    token,
    port = 0,
  } = options;
  const { kind, name, hash, publicHash } = suite;
  const log = GrowingAnswerLog.open(options.log, {
    suite: { kind, name, hash, public_hash: publicHash },
    oracle,
    ...(sql === undefined ? {} : { oracle_sql: sql }),
    ...(models === undefined ? {} : { models }),
  });
  const sandbox = openSqlEngines({ children: 1 });
  const faults: unknown[] = [];
  const service = await AnswerService.open({
    suite,
    log,
    oracleOf: (dataset, tools) => oracleNamed(oracle, dataset, { model: tools.model }),
    full,
    model,
    slots: 4,
    sandbox,
  });
  const served = await serveAnswers(service, {
    host: "127.0.0.1",
    port,
    onFault: (error) => faults.push(error),
    ...(token === undefined ? {} : { token }),
  });
  return {
    address: served.address,
    log,
    faults,
    async close() {
      await served.close();
      await sandbox.close();
      log.close();
    },
  };
}

/** An asker that asks about the request's last long word, which is seldom a term, and then about the whole of it. */
export function ownAsker(folder: string): string {
  const path = join(folder, "asker.mjs");
  writeFileSync(
    path,
    `export const asker = { name: "words", decide(view, dialogue, { turn, maxTurn }) {
  const word = view.request.split(/[^\\p{L}\\p{N}]+/u).filter((one) => one.length > 3).at(-1);
  if (turn === 1) return { kind: "question", text: 'What do you mean by "' + word + '"?' };
  return turn === 2 ? { kind: "question", text: "I do not understand this: " + view.request } : { kind: "stop" };
} };\n`,
  );
  return path;
}

/** A solver that knows what every answer means: the reference of a record with this request whose answer it was told. */
export function ownSolver(folder: string, records: readonly TaskRecord[]): string {
  const path = join(folder, "solver.mjs");
  const known = records.map(({ public: { request }, oracle, verifier }) => ({
    request,
    says: oracle.ambiguities
      .filter(({ counts }) => counts)
      .flatMap(({ response, resolution }) => [response, resolution]),
    sql: verifier.reference_sql.join(";\n"),
  }));
  writeFileSync(
    path,
    `const known = ${JSON.stringify(known)};
export const solver = { name: "knows", solve(view, clarifications) {
  const same = known.filter(({ request }) => request === view.request);
  const told = same.find(({ says }) => clarifications.some(({ response }) => says.includes(response)));
  return { outcome: "sql", sql: (told ?? { sql: "SELECT 1" }).sql };
} };\n`,
  );
  return path;
}
