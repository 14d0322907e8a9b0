import type { SourceManifest } from "../manifest.js";

/** AMBROSIA. Spec 2, "ambrosia". */
export const AMBROSIA: SourceManifest = {
  source: "ambrosia",
  title: "AMBROSIA",
  homepage: "https://ambrosia-benchmark.github.io/",
  citation:
    "Irina Saparina, Mirella Lapata: AMBROSIA: A Benchmark for Parsing Ambiguous Questions into Database Queries. NeurIPS 2024 Datasets and Benchmarks.",
  licence: {
    id: "CC-BY-4.0",
    url: "https://creativecommons.org/licenses/by/4.0/legalcode",
    attribution:
      "AMBROSIA (Saparina and Lapata; CC BY 4.0). Questions and readings were brought into another form.",
  },
  access: "gated",
  redistribution: "gated",
  obtain:
    "The authors keep the archive behind a password to keep crawlers out. Get data.zip with the link and the password on https://ambrosia-benchmark.github.io/, " +
    "unpack it and put its folder data/ into {folder}, so that {folder}/data/ambrosia.csv exists. Please do not put the files on the open web.",
  artefacts: [
    {
      path: "data/ambrosia.csv",
      kind: "file",
      required: false,
      note: "Officially 4,242 rows: 3,819 of split test, 423 of few_shot_examples. Without it the questions are read from examples.json beside each database, which does not say the split.",
    },
    {
      path: "data",
      kind: "folder",
      endings: [".sqlite", "concepts.json", "examples.json"],
      required: true,
      note: "data/<type>/<Domain>/<name>/<name>.sqlite, as db_file says, with the annotation beside it.",
    },
  ],
};
