import type { SourceManifest } from "../../../../../sources/manifest.js";

/** A source of nobody's but the tests': questions about a tea room, and its database as a script. */
export const TEAROOM: SourceManifest = {
  source: "tearoom",
  title: "The tea room",
  homepage: "https://example.org/tearoom",
  citation: "The tea room's questions, written for a test.",
  licence: {
    id: "CC-BY-4.0",
    url: "https://creativecommons.org/licenses/by/4.0/legalcode",
    attribution: "The tea room's questions (CC BY 4.0). Written as readings.",
  },
  access: "open",
  redistribution: "share-alike",
  obtain: "Write questions.jsonl and tearoom.sql, and put both into {folder}.",
  artefacts: [
    { path: "questions.jsonl", kind: "file", required: true },
    { path: "tearoom.sql", kind: "file", required: true },
  ],
};
