/** What a BIRD row is on its way to an AmbiTab-Bird record, beyond what both BIRD datasets share. */
import type { BirdRow, ReferencedRow } from "../bird-rows/index.js";
import type { OperatorName } from "./readings/index.js";

export type ProvedRow = ReferencedRow<BirdRow>;

/** One point that the request is to leave open: what the reference means, and what might be meant instead. */
export interface OpenReading {
  operator: OperatorName;
  form: string;
  /** In words: the reading of the reference SQL, and the other one. */
  reference: string;
  alternative: string;
  /** The words of the question that it hangs on; null where it hangs on none. */
  anchor: string | null;
  /** The other reading's SQL, with this edit alone. */
  sql: string;
  /** Words that only the one reading has; empty where they do not differ by such words. */
  telling: { reference: string; alternative: string };
}

/** A row with the readings that its request is to leave open; none for a row that may become a control. */
export interface ReadRow extends ProvedRow {
  readings: OpenReading[];
}

export interface WrittenAmbiguity {
  term: string;
  aliases: string[];
  /** What the person means. */
  resolution: string;
  /** The same as a person would answer. */
  response: string;
  concepts: string[];
}

/** The rewritten request; its ambiguities in the order of the row's readings. */
export interface Writing {
  request: string;
  ambiguities: WrittenAmbiguity[];
}

/** A control keeps its question as the request. */
export interface WrittenRow extends ReadRow {
  writing: Writing;
}

/** With the judge's word on each ambiguity: whether a careful analyst would have to ask. */
export interface JudgedRow extends WrittenRow {
  needed: boolean[];
}

/** What the stages that call models read of a row. */
export type ModelInput = Pick<ProvedRow, "file" | "question" | "evidence" | "column_meanings" | "reference">;
