/** What is here, the list of records, a record, its results and its database. */
import type { Context, Hono } from "hono";
import type { Answers } from "../answers.js";
import { databasePage, resultsPage, type ShownTable, TABLE_PAGE } from "../pages/database.js";
import { messagePage } from "../pages/layout.js";
import { overviewPage } from "../pages/overview.js";
import { recordPage } from "../pages/record.js";
import { recordsPage } from "../pages/records.js";
import { type Entry, entryOf } from "../read/catalogue.js";
import { openRecord } from "../read/open-record.js";
import { runReadings } from "../read/results.js";
import type { EpisodeEntry, RunIndex } from "../read/runs.js";
import { openDatabase } from "../read/tables.js";
import type { Viewed } from "../viewed.js";

/** `ledger.jsonl#key` → key. */
const ledgerKey = (ref: string): string => ref.slice(ref.indexOf("#") + 1);

const CONDITIONS = ["none", "asker", "full"];

/** A record's episodes by condition and seed; the log holds them as they were finished. */
const inOrder = ({ byRecord }: RunIndex, record_id: string): EpisodeEntry[] =>
  (byRecord.get(record_id) ?? []).toSorted(
    (a, b) => CONDITIONS.indexOf(a.condition) - CONDITIONS.indexOf(b.condition) || a.seed - b.seed,
  );

/** One record of each database, by which its file is found. */
function databasesOf(entries: readonly Entry[]): Map<string, Entry> {
  const databases = new Map<string, Entry>();
  for (const entry of entries) {
    const name = `${entry.dataset}/${entry.database_id}`;
    if (!databases.has(name)) databases.set(name, entry);
  }
  return databases;
}

export function recordRoutes(app: Hono, viewed: Viewed, answer: Answers): void {
  const { catalogue, runs, engines, lineage } = viewed;
  const frame = viewed;
  const { entries, suite } = catalogue;
  const byDatabase = databasesOf(entries);
  const databaseIds = new Set(entries.map(({ database_id }) => database_id));
  const noRecord = (c: Context) =>
    answer.missing(
      c,
      "No such record",
      `${suite.name} holds no record ${answer.asked(c, "id") || "without an id"}.`,
    );

  app.get("/", (c) => answer.page(c, overviewPage(frame, lineage)));
  app.get("/records", (c) => {
    const filter = {
      dataset: answer.asked(c, "dataset"),
      split: answer.asked(c, "split"),
      kind: answer.asked(c, "kind"),
      database: answer.asked(c, "database"),
      q: answer.asked(c, "q"),
    };
    return answer.page(c, recordsPage(frame, filter, answer.pageNumber(c), databaseIds));
  });

  app.get("/record", async (c) => {
    const entry = entryOf(catalogue, answer.asked(c, "id"));
    if (entry === undefined) return noRecord(c);
    const opened = await openRecord(entry, catalogue.shown);
    const ref = opened.absent.provenance === undefined ? opened.record.provenance?.decisions_ref : undefined;
    const row =
      typeof ref === "string"
        ? await lineage.row(entry.shard.folder, ledgerKey(ref))
        : { why: "the record does not name its row" };
    const episodes = await Promise.all(
      runs.map(async (run) => ({ run, entries: inOrder(await run.episodes(), entry.record_id) })),
    );
    return answer.rendered(c, "record", opened.record, () => recordPage(frame, opened, row, episodes));
  });

  app.get("/results", async (c) => {
    const entry = entryOf(catalogue, answer.asked(c, "id"));
    if (entry === undefined) return noRecord(c);
    const { record, absent } = await openRecord(entry, catalogue.shown);
    const why = absent.public ?? absent.verifier;
    const { verifier } = record;
    if (why !== undefined || verifier === undefined)
      return answer.missing(
        c,
        "Nothing to run",
        `The readings of ${entry.record_id} are not here: ${why ?? "no verifier zone"}.`,
      );
    return answer.rendered(c, "record", record, async () => {
      const results = await runReadings({ public: record.public, verifier }, entry.shard.folder, engines);
      if ("why" in results) return messagePage(frame, "Nothing to run", results.why);
      return resultsPage(frame, entry.record_id, results.value);
    });
  });

  app.get("/database", async (c) => {
    const [dataset, database_id, table] = [
      answer.asked(c, "dataset"),
      answer.asked(c, "database"),
      answer.asked(c, "table"),
    ];
    const entry = byDatabase.get(`${dataset}/${database_id}`);
    if (entry === undefined)
      return answer.missing(
        c,
        "No such database",
        `No record of ${dataset || "any dataset"} is on a database ${database_id || "without a name"}.`,
      );
    const { record, absent } = await openRecord(entry, catalogue.shown);
    if (absent.public !== undefined) return answer.missing(c, "No such database", absent.public);
    const opened = await openDatabase(entry.shard.folder, record.public.database, engines);
    if ("why" in opened) return answer.missing(c, "The database is not shown", opened.why);
    const { schema, count, rows } = opened.value;
    const known = [...schema.tables, ...schema.views].some(({ name }) => name === table);
    if (table !== "" && !known)
      return answer.missing(c, "No such table", `${database_id} has no table ${table}.`);
    let shown: ShownTable | undefined;
    if (known) {
      const wanted = Math.max(1, answer.pageNumber(c));
      const [total, part] = await Promise.all([
        count(table),
        rows(table, (wanted - 1) * TABLE_PAGE, TABLE_PAGE),
      ]);
      shown = { name: table, rows: part, count: total, page: wanted };
    }
    const own = entries.filter((one) => one.dataset === dataset && one.database_id === database_id).length;
    return answer.page(c, databasePage(frame, { dataset, database_id }, opened.value, own, shown));
  });
}
