import type { SourceManifest } from "../manifest.js";

const REPOSITORY =
  "https://raw.githubusercontent.com/testzer0/AmbiQT/2dd908bd4a7173f98fa6637758f4d41852722a5c";

/** AmbiQT (column synonyms, its type C) on Spider's databases. Spec 2, "ambiqt". */
export const AMBIQT: SourceManifest = {
  source: "ambiqt",
  title: "AmbiQT on Spider",
  homepage: "https://github.com/testzer0/AmbiQT",
  citation:
    "Adithya Bhaskar, Tushar Tomar, Ashutosh Sathe, Sunita Sarawagi: Benchmarking and Improving Text-to-SQL Generation Under Ambiguity. EMNLP 2023. " +
    "Built on Tao Yu et al.: Spider: A Large-Scale Human-Labeled Dataset for Complex and Cross-Domain Semantic Parsing and Text-to-SQL Task. EMNLP 2018.",
  licence: {
    id: "MIT AND CC-BY-SA-4.0",
    url: "https://creativecommons.org/licenses/by-sa/4.0/legalcode",
    attribution:
      "AmbiQT (Bhaskar, Tomar, Sathe, Sarawagi; MIT) and Spider (Yu et al.; CC BY-SA 4.0). Column names and rows were changed.",
    parts: [
      {
        covers: "AmbiQT's questions, alternatives and readings",
        id: "MIT",
        url: "https://github.com/testzer0/AmbiQT/blob/main/LICENSE.txt",
      },
      {
        covers: "Spider's databases, tables.json and dev.json",
        id: "CC-BY-SA-4.0",
        url: "https://creativecommons.org/licenses/by-sa/4.0/legalcode",
      },
    ],
  },
  access: "gated",
  redistribution: "share-alike",
  obtain:
    "AmbiQT itself downloads by address; Spider's databases do not. Get the Spider archive from https://yale-lily.github.io/spider (the link named Spider Dataset), " +
    "unpack it and put its folder database/ at {folder}/spider/database, so that {folder}/spider/database/concert_singer/concert_singer.sqlite exists.",
  artefacts: [
    {
      path: "benchmark/col-synonyms/validation.json",
      alternatives: ["benchmark/col-synonyms/validation.regenerated.json"],
      kind: "file",
      required: true,
      downloads: [{ url: `${REPOSITORY}/benchmark/col-synonyms/validation.json` }],
      releases: [
        {
          name: "regenerated-from-ambiqt-2dd908b",
          sha256: "a791b32db35a6e1954a0d3200663e2a7d423b2f5579d18aafd265bd0fb44997d",
          bytes: 3107312,
        },
      ],
      note: "1,240 rows. The regenerated file is the output of the published generation procedure without database values.",
    },
    {
      path: "spider/tables.json",
      alternatives: ["tables.json"],
      kind: "file",
      required: true,
      downloads: [
        {
          url: `${REPOSITORY}/spider/tables.json`,
          bytes: 979746,
          sha256: "b68de9166952871d64554486fca4b25ff88509e983857a6af428250ffd58b67f",
        },
      ],
      releases: [
        {
          name: "ambiqt-2dd908b",
          sha256: "b68de9166952871d64554486fca4b25ff88509e983857a6af428250ffd58b67f",
          bytes: 979746,
        },
      ],
    },
    {
      path: "spider/dev.json",
      alternatives: ["dev.json"],
      kind: "file",
      required: false,
      downloads: [
        {
          url: `${REPOSITORY}/spider/dev.json`,
          bytes: 3590305,
          sha256: "7770d539e4093291a9e7dc383deeb6c09410be566b5542c044b65a291c28eb0e",
        },
      ],
      releases: [
        {
          name: "ambiqt-2dd908b",
          sha256: "7770d539e4093291a9e7dc383deeb6c09410be566b5542c044b65a291c28eb0e",
          bytes: 3590305,
        },
      ],
      note: "Gives a row its Spider dev index where the row itself does not say it.",
    },
    {
      path: "spider/database",
      alternatives: ["database"],
      kind: "folder",
      endings: [".sqlite", ".sql"],
      required: true,
      note: "One folder a database. Databases that are not there cost their rows, by name (source_missing).",
    },
  ],
};
