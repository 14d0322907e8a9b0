import type { TaskRecord } from "../../schemas/types/record.js";
import { bared, SHORTEST_COPY } from "../record/bared.js";

/** What a private text is. */
export const PRIVATE_KINDS = [
  "response",
  "resolution",
  "clear request",
  "withheld evidence",
  "reference SQL",
  "alternative SQL",
] as const;
export type PrivateKind = (typeof PRIVATE_KINDS)[number];

/** A text of a private zone that must not stand where an agent reads. */
export interface PrivateText {
  zone: "oracle" | "verifier";
  kind: PrivateKind;
  /** Bared. */
  text: string;
  /** As it is written. */
  written: string;
}

/**
 * The private texts of a record, bared, each once: what was decided, withheld or is to be found. Terms and aliases are
 * not among them, for askers may guess those. A request without ambiguities is its own clear request and hides nothing.
 */
export function privateTexts({ oracle, verifier }: Pick<TaskRecord, "oracle" | "verifier">): PrivateText[] {
  const texts: PrivateText[] = [];
  const known = new Set<string>();
  const add = (zone: PrivateText["zone"], kind: PrivateKind, written: string | undefined): void => {
    const needle = bared(written ?? "");
    if (needle.length < SHORTEST_COPY || known.has(needle)) return;
    known.add(needle);
    texts.push({ zone, kind, text: needle, written: written ?? "" });
  };
  for (const { response, resolution } of oracle.ambiguities) {
    add("oracle", "response", response);
    add("oracle", "resolution", resolution);
  }
  if (oracle.ambiguities.length > 0) add("oracle", "clear request", oracle.clear_request);
  add("oracle", "withheld evidence", oracle.withheld_evidence);
  for (const sql of verifier.reference_sql) add("verifier", "reference SQL", sql);
  for (const sql of verifier.alternative_sql ?? []) add("verifier", "alternative SQL", sql);
  return texts;
}
