import type { KnownRelease, SourceManifest } from "../manifest.js";

/** Published states of BIRD's dev questions: the same 1,534 ids, other questions, evidence and SQL. The last is our sample. */
export const BIRD_DEV_RELEASES: readonly KnownRelease[] = [
  {
    name: "dev_20240627",
    sha256: "630272f2b1c44d8cef2c3b246f623355cf0bbc1e832c81061df895530dfc2f06",
    bytes: 741332,
  },
  {
    name: "dev_2023",
    sha256: "9b4c38da7f07999180dc1a463e03371e3b4eb685ce8a110e5944eb8fe3a70853",
    bytes: 780246,
  },
  {
    name: "sample",
    sha256: "e8869bbf949323ced325be4b30e04b95a1635b7b272745064a4561f879e095c9",
    bytes: 6637,
  },
];

/** Published states of the 500 mini-dev questions in the SQLite dialect. */
export const BIRD_MINI_DEV_RELEASES: readonly KnownRelease[] = [
  {
    name: "mini_dev_v1",
    sha256: "4ba5fa8de55856222f484d380d2ba872b380bf79d825de70478e2120cb0fc43b",
    bytes: 278486,
  },
  {
    name: "mini_dev_2026-04-copy",
    sha256: "be02a202933e694d08127f502b1c224276c67758391dbe6f6bc81565bf7a90d8",
    bytes: 263520,
  },
];

const DEV_TABLES: readonly KnownRelease[] = [
  {
    name: "dev_20240627",
    sha256: "35e7f73f2bc3a3bc4def9466215f7617ff8b37e9b2837f03539a42c9e9c69d97",
    bytes: 158350,
  },
  {
    name: "dev_2023",
    sha256: "48aa9febe7282d1690f3ed1f222dc040c182df83812ba4e9bee956084d99c8ff",
    bytes: 158301,
  },
];

/** BIRD: source of ew-bird and bird. Spec 2. */
export const BIRD: SourceManifest = {
  source: "bird",
  title: "BIRD",
  homepage: "https://bird-bench.github.io/",
  citation:
    "Jinyang Li et al.: Can LLM Already Serve as A Database Interface? A BIg Bench for Large-Scale Database Grounded Text-to-SQLs. NeurIPS 2023 Datasets and Benchmarks.",
  licence: {
    id: "CC-BY-SA-4.0",
    url: "https://creativecommons.org/licenses/by-sa/4.0/legalcode",
    attribution:
      "BIRD (Li et al.; CC BY-SA 4.0). Questions were rewritten and evidence was split and withheld.",
  },
  access: "open",
  redistribution: "share-alike",
  obtain:
    "Get dev.zip and train.zip from https://bird-bench.github.io/ and put both into {folder} as they are; they are unpacked there. " +
    "A copy that is already unpacked is taken in with --from bird=DIR, where DIR holds dev/dev.json (or dev_20240627/dev.json) and dev/dev_databases/.",
  artefacts: [
    {
      path: "dev.zip",
      kind: "archive",
      required: false,
      downloads: [{ url: "https://bird-bench.oss-cn-beijing.aliyuncs.com/dev.zip" }],
      unpack: {
        format: "zip",
        into: "dev",
        strip: 1,
        nested: [{ path: "dev_databases.zip", into: "." }],
      },
    },
    {
      path: "train.zip",
      kind: "archive",
      required: false,
      downloads: [{ url: "https://bird-bench.oss-cn-beijing.aliyuncs.com/train.zip" }],
      unpack: {
        format: "zip",
        into: "train",
        strip: 1,
        nested: [{ path: "train_databases.zip", into: "." }],
      },
      note: "About 9 GB; its databases are over 30 GB unpacked.",
    },
    {
      path: "dev/dev.json",
      alternatives: ["dev_20240627/dev.json", "dev.json"],
      kind: "file",
      required: true,
      archive: "dev.zip",
      releases: [...BIRD_DEV_RELEASES],
    },
    {
      path: "dev/dev_tables.json",
      alternatives: ["dev_20240627/dev_tables.json", "dev_tables.json"],
      kind: "file",
      required: false,
      archive: "dev.zip",
      releases: [...DEV_TABLES],
    },
    {
      path: "dev/dev_databases",
      alternatives: ["dev_20240627/dev_databases", "dev_databases"],
      kind: "folder",
      endings: [".sqlite", ".csv"],
      required: true,
      archive: "dev.zip",
    },
    {
      path: "dev_2023/dev.json",
      kind: "file",
      required: false,
      releases: [...BIRD_DEV_RELEASES],
      note: "An earlier release beside the current one; --source-release chooses.",
    },
    {
      path: "dev_2023/dev_databases",
      kind: "folder",
      endings: [".sqlite", ".csv"],
      required: false,
    },
    { path: "dev_2023/dev_tables.json", kind: "file", required: false, releases: [...DEV_TABLES] },
    {
      path: "train/train.json",
      alternatives: ["train.json"],
      kind: "file",
      required: false,
      archive: "train.zip",
    },
    { path: "train/train_tables.json", kind: "file", required: false, archive: "train.zip" },
    {
      path: "train/train_databases",
      alternatives: ["train_databases"],
      kind: "folder",
      endings: [".sqlite", ".csv"],
      required: false,
      archive: "train.zip",
    },
    {
      path: "mini_dev/mini_dev_sqlite.json",
      alternatives: ["mini_dev_data/mini_dev_sqlite.json", "MINIDEV/mini_dev_sqlite.json"],
      kind: "file",
      required: false,
      releases: [...BIRD_MINI_DEV_RELEASES],
    },
    {
      path: "mini_dev/dev_databases",
      alternatives: ["mini_dev_data/dev_databases", "MINIDEV/dev_databases"],
      kind: "folder",
      endings: [".sqlite", ".csv"],
      required: false,
    },
  ],
};
