import type { Command } from "commander";
import { EXIT, UserError } from "../pipelines/errors.js";
import { exportArchive, importArchive } from "../pipelines/model/archive.js";
import { checkModels, type RoleCheck } from "../pipelines/model/check.js";
import { storePath } from "../pipelines/model/client.js";
import { ResponseStore } from "../pipelines/model/response-store.js";
import { interruptible } from "./terminal/interrupt.js";
import { chosenModels, type ModelOptions, withModelOptions } from "./terminal/models.js";
import { type CommonOptions, withCommonOptions } from "./terminal/options.js";
import { checkOwnParts, type OwnPartOptions, ownPartsTable, withOwnParts } from "./terminal/own-parts.js";
import { columns, print } from "./terminal/say.js";

const said = (value: boolean | null): string => (value === null ? "-" : value ? "yes" : "no");

function checkTable(checks: readonly RoleCheck[]): string {
  const header = ["", "role", "endpoint", "model", "reachable", "listed", "JSON", "ms", ""];
  const rows = checks.map((check) => [
    check.ok ? "ok" : "!!",
    check.role,
    check.endpoint,
    check.served_as,
    said(check.reachable),
    said(check.listed),
    said(check.obeys_json),
    check.latency_ms === null ? "-" : String(check.latency_ms),
    check.note,
  ]);
  return columns(header, rows, [7]);
}

async function check(options: ModelOptions & OwnPartOptions & CommonOptions): Promise<void> {
  const parts = await checkOwnParts(options);
  if (parts !== undefined) {
    print(options.json ? JSON.stringify(parts, null, 2) : ownPartsTable(parts));
    if (parts.some(({ ok }) => !ok)) process.exitCode = EXIT.checkFailed;
    // Models too only where somebody asks for both.
    if (options.models === undefined) return;
  }
  const models = chosenModels(options);
  if (models === undefined)
    throw new UserError("no model is configured", {
      remedy: "give --models FILE (schemas/models.schema.json), or set OPENAI_BASE_URL and OPENAI_API_KEY",
    });
  const checks = await interruptible((signal) => checkModels(models, { signal }));
  print(options.json ? JSON.stringify(checks, null, 2) : checkTable(checks));
  if (checks.some(({ ok }) => !ok)) process.exitCode = EXIT.checkFailed;
}

function withStore<T>(out: string, work: (store: ResponseStore) => T): T {
  const store = new ResponseStore(storePath(out));
  try {
    return work(store);
  } finally {
    store.close();
  }
}

export function register(program: Command): void {
  const models = program
    .command("models")
    .description("the models behind the roles: check them; import and export their stored answers");
  withCommonOptions(
    withOwnParts(
      withModelOptions(
        models
          .command("check")
          .description(
            "one tiny call per configured role: reachable, model there, JSON obeyed, latency; or, with --asker and the like, whether a part of your own replies as the protocol expects",
          ),
        { replay: false },
      ),
    ),
  ).action(check);
  withCommonOptions(
    models
      .command("import")
      .description("put a response archive's answers into the store, all or none")
      .argument("<file>", "a .jsonl.gz, such as a release's responses/<dataset>.jsonl.gz"),
  ).action((file: string, { out, json }: CommonOptions) => {
    const responses = withStore(out, (store) => importArchive(store, file));
    if (json) print(JSON.stringify({ file, responses }));
    else print(`${responses} answers of ${file} are in ${storePath(out)}`);
  });
  withCommonOptions(
    models
      .command("export")
      .description("write all stored answers as a response archive")
      .argument("<file>", "where to write it: a .jsonl.gz"),
  ).action((file: string, { out, json }: CommonOptions) => {
    const written = withStore(out, (store) => exportArchive(store, file));
    if (json) print(JSON.stringify({ file, ...written }));
    else print(`${written.responses} answers in ${file}, sha256 ${written.sha256}`);
  });
}
