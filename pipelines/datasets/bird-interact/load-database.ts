import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { HashedFile } from "../../../sources/bird-interact/index.js";
import { type Evidence, itemStage, keep, type StageContext } from "../../engine/stage.js";
import type { SchemaDescription } from "../../sql/index.js";
import { dumpOrder } from "./dump-order.js";
import { asEvidence } from "./findings.js";
import type { LoadedDatabase, LoadedTask, WithheldTask } from "./items.js";

/** The dump's files as the loader takes them: messages name them as the source does. */
export const templateFiles = (
  files: readonly HashedFile[],
  context: StageContext,
): { path: string; name: string }[] =>
  files.map(({ path }) => ({ path: context.sourcePath(path), name: path }));

/** The operating system's number in gzip's header says nothing of the content; 255 stands for "unknown". */
const GZIP_SYSTEM = 9;

/** One script of all files, in an order in which every reference finds its table, without a time in its header. */
async function oneDump(files: readonly HashedFile[], context: StageContext) {
  const scripts = files.map(({ path }) => readFileSync(context.sourcePath(path)));
  const order = dumpOrder(scripts.map((script) => script.toString("utf8")));
  const newline = Buffer.from("\n");
  const packed = gzipSync(Buffer.concat(order.flatMap((at) => [scripts[at] ?? newline, newline])), {
    level: 9,
  });
  packed[GZIP_SYSTEM] = 255;
  const scratch = context.files.scratch();
  writeFileSync(scratch, packed);
  return context.files.adopt(scratch);
}

/** `ships(shipkey character(6), shipname character varying(40), …)`, a line a table: what the response author may read. */
const columnLines = ({ tables }: SchemaDescription): string[] =>
  tables.map(({ name, columns }) => {
    const fields = columns.map((column) => `${column.name} ${column.type}`).join(", ");
    return `${name}(${fields})`;
  });

interface Made {
  loaded: LoadedDatabase | null;
  columns: string[];
}

/**
 * Step 5: loads the database's dump into a template, which proves every statement and every row count of it, and puts its
 * files together as the one that the records name. A dump that does not load stops the build with file and line.
 */
export const loadDatabase = itemStage({
  name: "load-database",
  version: "1",
  module: import.meta.url,
  select: ({ selected_database, database }: WithheldTask) => ({ selected_database, dump: database.dump }),
  async run({ selected_database, dump }, context) {
    if (!dump.here) {
      const missing: Made = { loaded: null, columns: [] };
      return keep(missing, asEvidence([{ code: "database_missing", detail: dump.reason }]));
    }
    const server = await context.postgres();
    const { template, tables } = await server.loadTemplate(
      selected_database,
      templateFiles(dump.files, context),
    );
    const file = await oneDump(dump.files, context);
    const evidence: Evidence[] = [{ kind: "database", database: selected_database, tables }];
    return keep<Made>(
      { loaded: { file, tables }, columns: columnLines(server.describe(template)) },
      evidence,
    );
  },
  merge: (task, made): LoadedTask => ({ ...task, ...made }),
});
