import type { SourceManifest } from "../manifest.js";

/** TACO-Benchmark, its US part. Spec 2, "taco". */
export const TACO: SourceManifest = {
  source: "taco",
  title: "TACO-Benchmark",
  homepage: "https://github.com/Akanezora0/TACO-Benchmark",
  citation:
    "Chao Deng et al.: TACO: A Benchmark for Open-Domain Text-to-SQL with Ambiguous and Cross-Database Queries. Proceedings of the VLDB Endowment 19(6), 2026.",
  licence: {
    id: "NOASSERTION",
    attribution: "TACO (Deng et al.; no licence stated; its tables are US and Beijing government open data).",
  },
  access: "gated",
  redistribution: "recipe-only",
  obtain:
    "Clone https://github.com/Akanezora0/TACO-Benchmark, get the US databases through the file-sharing link in its README, " +
    "and put the repository's folder us/ into {folder}, so that {folder}/us/data/new_sql_single and {folder}/us/data/database exist.",
  artefacts: [
    {
      path: "us/data/new_sql_single",
      alternatives: ["TACO-Benchmark/us/data/new_sql_single"],
      kind: "folder",
      endings: [".json"],
      required: true,
      note: "5,159 files over 16 databases upstream; the prompts/ folders in it are not read.",
    },
    {
      path: "us/data/new_schema",
      alternatives: ["TACO-Benchmark/us/data/new_schema"],
      kind: "folder",
      endings: [".json"],
      required: false,
    },
    {
      path: "us/data/database",
      alternatives: ["TACO-Benchmark/us/data/database"],
      kind: "folder",
      endings: [".db"],
      required: false,
      note: "Statements on databases that are not there are counted as source_missing.",
    },
    {
      path: "beijing/data/new_sql_single",
      alternatives: [
        "TACO-Benchmark/beijing/data/new_sql_single",
        "beijing/data/new_sql_nl_single",
        "TACO-Benchmark/beijing/data/new_sql_nl_single",
      ],
      kind: "folder",
      endings: [".json"],
      required: false,
      note: "Read with --all-regions only; the benchmark itself is made of the US part.",
    },
    {
      path: "beijing/data/database",
      alternatives: ["TACO-Benchmark/beijing/data/database"],
      kind: "folder",
      endings: [".db"],
      required: false,
    },
  ],
};
