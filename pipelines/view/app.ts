/** The pages by their addresses. All that decides a page is in its address, so that every page can be linked to. */
import { type Context, Hono } from "hono";
import { SourceError, SqlError, UserError } from "../errors.js";
import { schemaFaults } from "../record/check-schema.js";
import type { DatasetFolder } from "../record/suite.js";
import type { SqlEngines } from "../sql/engines.js";
import { type Asset, readAssets } from "./assets.js";
import { guard } from "./guard.js";
import { databasePage, resultsPage, type ShownTable, TABLE_PAGE } from "./pages/database.js";
import { droppedPage, type PlacedDrop, rowPage } from "./pages/dropped.js";
import { episodePage, promptPage, runPage, runsPage } from "./pages/episodes.js";
import { type Frame, messagePage } from "./pages/layout.js";
import { type Markup, madeVisible } from "./pages/markup.js";
import { overviewPage } from "./pages/overview.js";
import { recordPage } from "./pages/record.js";
import { recordsPage } from "./pages/records.js";
import type { Catalogue, Entry } from "./read/catalogue.js";
import { openLineage } from "./read/lineage.js";
import { runReadings } from "./read/results.js";
import type { EpisodeEntry, OpenRun, RunIndex } from "./read/runs.js";
import { openDatabase } from "./read/tables.js";

/** What is viewed. */
export interface Viewed {
  readonly catalogue: Catalogue;
  readonly runs: readonly OpenRun[];
  readonly engines: SqlEngines;
}

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

/** The view as a web application. It listens to nothing by itself: `serveView` does. */
export function viewApp({ catalogue, runs, engines }: Viewed): Hono {
  const frame: Frame = { catalogue, runs };
  const { entries, byId, suite } = catalogue;
  const lineage = openLineage(suite);
  const byDatabase = databasesOf(entries);
  const databaseIds = new Set(entries.map(({ database_id }) => database_id));
  const assets = readAssets();
  const app = new Hono();
  app.use(guard);

  const page = async (c: Context, markup: Markup | Promise<Markup>, status: 200 | 404 | 422 | 500 = 200) =>
    c.html(madeVisible(String(await markup)), status);
  /** A page of a line; where the line breaks its schema so far that there is no page, the fault. Else it is our bug. */
  const rendered = async (
    c: Context,
    schema: "record" | "ledger" | "episode",
    line: object,
    make: () => Markup,
  ) => {
    try {
      return await page(c, make());
    } catch (error) {
      const [fault] = schemaFaults(schema, line);
      if (!(error instanceof TypeError) || fault === undefined) throw error;
      return page(
        c,
        messagePage(frame, `This ${schema === "ledger" ? "row" : schema} breaks its schema`, fault),
        422,
      );
    }
  };
  const missing = (c: Context, title: string, text: string, remedy?: string) =>
    page(c, messagePage(frame, title, text, remedy), 404);
  const asked = (c: Context, name: string): string => c.req.query(name) ?? "";
  const pageNumber = (c: Context): number => {
    const text = asked(c, "page");
    return /^\d{1,9}$/.test(text) ? Number(text) : 1;
  };
  const entryOf = (id: string): Entry | undefined => {
    const at = byId.get(id);
    return at === undefined ? undefined : entries[at];
  };
  /** The folder of an entry's dataset, which is there because the entry is. */
  const folderOf = ({ shard }: Entry): DatasetFolder => shard.folder;
  const noRecord = (c: Context) =>
    missing(c, "No such record", `${suite.name} holds no record ${asked(c, "id") || "without an id"}.`);
  const runOf = (c: Context): OpenRun | undefined => runs.find(({ name }) => name === asked(c, "run"));
  const noRun = (c: Context) =>
    missing(
      c,
      "No such run",
      `This view was not started with a run called ${asked(c, "run") || "nothing"}.`,
      "Name its folder with --run DIR.",
    );

  app.get("/", (c) => page(c, overviewPage(frame, lineage)));
  app.get("/records", (c) => {
    const [dataset, split, kind, database, q] = ["dataset", "split", "kind", "database", "q"].map((one) =>
      asked(c, one),
    );
    const filter = {
      dataset: dataset ?? "",
      split: split ?? "",
      kind: kind ?? "",
      database: database ?? "",
      q: q ?? "",
    };
    return page(c, recordsPage(frame, filter, pageNumber(c), databaseIds));
  });

  app.get("/record", async (c) => {
    const entry = entryOf(asked(c, "id"));
    if (entry === undefined) return noRecord(c);
    const opened = await catalogue.open(entry);
    const ref = opened.absent.provenance === undefined ? opened.record.provenance?.decisions_ref : undefined;
    const row =
      typeof ref === "string"
        ? await lineage.row(folderOf(entry), ledgerKey(ref))
        : { why: "the record does not name its row" };
    const episodes = await Promise.all(
      runs.map(async (run) => ({ run, entries: inOrder(await run.episodes(), entry.record_id) })),
    );
    return rendered(c, "record", opened.record, () => recordPage(frame, opened, row, episodes));
  });

  app.get("/results", async (c) => {
    const entry = entryOf(asked(c, "id"));
    if (entry === undefined) return noRecord(c);
    const { record, absent } = await catalogue.open(entry);
    const why = absent.public ?? absent.verifier;
    const { verifier } = record;
    if (why !== undefined || verifier === undefined)
      return missing(
        c,
        "Nothing to run",
        `The readings of ${entry.record_id} are not here: ${why ?? "no verifier zone"}.`,
      );
    const results = await runReadings({ public: record.public, verifier }, folderOf(entry), engines);
    if ("why" in results) return missing(c, "Nothing to run", results.why);
    return page(c, resultsPage(frame, entry.record_id, results.value));
  });

  app.get("/database", async (c) => {
    const [dataset, database_id, table] = [asked(c, "dataset"), asked(c, "database"), asked(c, "table")];
    const entry = byDatabase.get(`${dataset}/${database_id}`);
    if (entry === undefined)
      return missing(
        c,
        "No such database",
        `No record of ${dataset || "any dataset"} is on a database ${database_id || "without a name"}.`,
      );
    const { record, absent } = await catalogue.open(entry);
    if (absent.public !== undefined) return missing(c, "No such database", absent.public);
    const opened = await openDatabase(folderOf(entry), record.public.database, engines);
    if ("why" in opened) return missing(c, "The database is not shown", opened.why);
    const { schema, count, rows } = opened.value;
    const known = [...schema.tables, ...schema.views].some(({ name }) => name === table);
    if (table !== "" && !known) return missing(c, "No such table", `${database_id} has no table ${table}.`);
    let shown: ShownTable | undefined;
    if (known) {
      const wanted = Math.max(1, pageNumber(c));
      const [total, part] = await Promise.all([
        count(table),
        rows(table, (wanted - 1) * TABLE_PAGE, TABLE_PAGE),
      ]);
      shown = { name: table, rows: part, count: total, page: wanted };
    }
    const own = entries.filter((one) => one.dataset === dataset && one.database_id === database_id).length;
    return page(c, databasePage(frame, { dataset, database_id }, opened.value, own, shown));
  });

  app.get("/dropped", async (c) => {
    const absent: string[] = [];
    const drops: PlacedDrop[] = [];
    for (const folder of suite.datasets) {
      const { dataset } = folder;
      const found = await lineage.drops(folder);
      if ("why" in found) {
        absent.push(`${dataset}: not shown: ${found.why}.`);
        continue;
      }
      for (const row of found.value.rows) drops.push({ dataset, row });
      absent.push(...found.value.broken);
    }
    const filter = {
      dataset: asked(c, "dataset"),
      reason: asked(c, "reason"),
      stage: asked(c, "stage"),
      q: asked(c, "q"),
    };
    return page(c, droppedPage(frame, drops, absent, filter, pageNumber(c)));
  });

  app.get("/row", async (c) => {
    const key = asked(c, "key");
    const folder = suite.datasets.find(({ dataset }) => key.startsWith(`${dataset}/`));
    if (folder === undefined)
      return missing(c, "No such row", `No dataset here has a row ${key || "without a key"}.`);
    const found = await lineage.row(folder, key);
    if ("why" in found) return missing(c, "No such row", `${key}: ${found.why}.`);
    return rendered(c, "ledger", found.value, () => rowPage(frame, found.value));
  });

  app.get("/runs", async (c) => {
    const sizes = new Map<string, number>();
    for (const run of runs) sizes.set(run.name, (await run.episodes()).entries.length);
    return page(c, runsPage(frame, sizes));
  });
  app.get("/run", async (c) => {
    const run = runOf(c);
    if (run === undefined) return noRun(c);
    const filter = {
      dataset: asked(c, "dataset"),
      condition: asked(c, "condition"),
      verdict: asked(c, "verdict"),
      q: asked(c, "q"),
    };
    return page(c, runPage(frame, run, await run.episodes(), filter, pageNumber(c)));
  });
  app.get("/episode", async (c) => {
    const run = runOf(c);
    if (run === undefined) return noRun(c);
    const entry = (await run.episodes()).byId.get(asked(c, "id"));
    if (entry === undefined)
      return missing(
        c,
        "No such episode",
        `The run ${run.name} has no episode ${asked(c, "id") || "without an id"}.`,
      );
    const record = entryOf(entry.record_id);
    const request = record === undefined ? undefined : (await catalogue.open(record)).record.public?.request;
    const episode = await run.episode(entry);
    return rendered(c, "episode", episode, () => episodePage(frame, run, episode, request));
  });
  app.get("/prompt", async (c) => {
    const run = runOf(c);
    if (run === undefined) return noRun(c);
    const prompt = await run.prompt(asked(c, "sha256"));
    if (prompt === undefined)
      return missing(c, "No such prompt", `The run ${run.name} logged no prompt with this hash.`);
    return page(c, promptPage(frame, prompt));
  });

  app.get("/assets/:name", (c) => {
    const asset: Asset | undefined = assets.get(c.req.param("name"));
    if (asset === undefined) return c.text("there is no such file", 404);
    return c.body(asset.text, 200, { "content-type": asset.type });
  });

  app.notFound((c) => missing(c, "No such page", `There is no page ${c.req.path}.`));
  app.onError(async (error, c) => {
    if (error instanceof UserError || error instanceof SourceError || error instanceof SqlError)
      return page(c, messagePage(frame, "This page cannot be shown", error.message), 500);
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`a page of the view failed, which is a bug of ambitab: ${cause}\n`);
    return page(
      c,
      messagePage(frame, "This page failed", "This is a bug of ambitab; the terminal has its text."),
      500,
    );
  });
  return app;
}
