/** What a BIRD-Interact task is on its way to a record: each stage adds to it. */
import type { AmbiguityKind } from "../../../schemas/types/record.js";
import type {
  BirdInteractDatabase,
  CatalogueEntry,
  JoinedTask,
  KnowledgeEntry,
  Repair,
} from "../../../sources/bird-interact/index.js";
import type { FileRef } from "../../engine/files.js";
import type { Finding } from "./findings.js";

/** A task as it is read, with what is reviewed of it and what this copy of the source has of its database. */
export interface SourceTask extends Omit<JoinedTask, "row_sha256"> {
  database: BirdInteractDatabase;
  /** Corrections of this task, in the order in which they are listed. */
  repairs: Repair[];
  /** Frozen responses of this task. */
  catalogue: CatalogueEntry[];
  source_version: string;
}

/** An ambiguity of the record: annotations of one term are one. */
export interface RegisteredAmbiguity {
  /** `critical-1`, `knowledge-1`, `minor-1`: the first annotation's place in upstream's lists. */
  ambiguity_id: string;
  term: string;
  aliases: string[];
  kind: Extract<AmbiguityKind, "intent" | "knowledge">;
  counts: boolean;
  /** SQL pieces of all its annotations, each once; at least one where it counts. */
  fragments: string[];
  /** Ids of the knowledge entries that were taken away to make it. */
  deleted_knowledge: number[];
}

export interface RegisteredTask extends SourceTask {
  ambiguities: RegisteredAmbiguity[];
  /** What was changed or found, for the record's notes. */
  notes: string[];
}

/** What is left of the knowledge, and what was taken away. */
export interface WithheldKnowledge {
  /** null where this copy of the source has no knowledge of the database. */
  open: KnowledgeEntry[] | null;
  withheld: KnowledgeEntry[];
}

export interface WithheldTask extends RegisteredTask {
  knowledge_base: WithheldKnowledge;
}

/** A database as it will stand beside the records. */
export interface LoadedDatabase {
  /** One dump of all tables, gzip. */
  file: FileRef;
  tables: { name: string; rows: number }[];
}

/** A task whose database was loaded, or that says why it was not. */
export interface LoadedTask extends WithheldTask {
  loaded: LoadedDatabase | null;
  /** Tables and columns as the database has them; empty where it is not here. */
  columns: string[];
}

/** Whether the record can be verified here, and how. */
export interface Verifiability {
  verifiable: boolean;
  /** Why not, one sentence. */
  why: string | null;
  /** `tests`: the task's own, which upstream wrote. `comparison` stands in where they were not run. */
  success: "comparison" | "tests";
  /** What stands in for upstream's tests, one sentence; null where nothing does. */
  deviation: string | null;
}

export interface VerifiedTask extends LoadedTask {
  verifiability: Verifiability;
}

/** How each ambiguity is answered, by ambiguity id. */
export type Responses = Record<
  string,
  { response: string; status: "template" | "authored" | "audited" | "needs_review" }
>;

export interface AnsweredTask extends VerifiedTask {
  responses: Responses;
}

export type { Finding };
