import type { Command } from "commander";
import { openSuite } from "../pipelines/record/suite.js";
import { type CommonOptions, wholeNumber, withCommonOptions } from "./terminal/options.js";
import { columns, print, shorten } from "./terminal/say.js";

interface ListOptions extends CommonOptions {
  limit: number;
  dataset?: string[];
}

export function register(program: Command): void {
  withCommonOptions(
    program
      .command("list")
      .description("records in the terminal, one a line")
      .argument("<path>", "a build's folder, or the folder that holds several")
      .option("--dataset <name...>", "only these datasets")
      .option("--limit <n>", "at most so many records; 0 for all", wholeNumber(0), 50),
  ).action(async (path: string, options: ListOptions) => {
    const rows: string[][] = [];
    let total = 0;
    for (const dataset of openSuite(path).datasets) {
      if (options.dataset !== undefined && !options.dataset.includes(dataset.dataset)) continue;
      for await (const { record } of dataset.records()) {
        total += 1;
        if (options.limit > 0 && rows.length >= options.limit) continue;
        const { record_id, split, public: zone, oracle } = record;
        if (options.json)
          print(JSON.stringify({ record_id, split, dataset: record.dataset, request: zone.request }));
        const terms = oracle.ambiguities.map(({ term }) => term).join("; ");
        rows.push([record_id, zone.database.database_id, shorten(terms, 30), shorten(zone.request, 70)]);
      }
    }
    if (options.json) return;
    print(columns(["record", "database", "terms", "request"], rows));
    if (rows.length < total) print(`… ${total - rows.length} more (--limit 0 shows all ${total})`);
  });
}
