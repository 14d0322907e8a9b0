import type { TaskRecord } from "../../schemas/types/record.js";
import { bared } from "../record/bared.js";
import { type PrivateKind, privateTexts } from "./private-texts.js";
import { TextIndex } from "./text-index.js";

/** A private text, one of the records that hold it, and of how many it is. */
export interface Secret {
  text: string;
  kind: PrivateKind;
  record_id: string;
  records: number;
}

/** All private texts of a release, to be looked for in what everybody may read. */
export class Secrets {
  readonly #secrets = new Map<string, Secret>();
  readonly #asked = new Set<string>();

  add(record: Pick<TaskRecord, "record_id" | "public" | "oracle" | "verifier">): void {
    this.#asked.add(bared(record.public.request));
    for (const { text, kind } of privateTexts(record)) {
      const known = this.#secrets.get(text);
      if (known === undefined)
        this.#secrets.set(text, { text, kind, record_id: record.record_id, records: 1 });
      else known.records += 1;
    }
  }

  /** How many there are. */
  get size(): number {
    return this.#secrets.size;
  }

  /** A search for all of them; one that some record asks in public is none (EW-Bird asks BIRD's questions as they are). */
  search(): (text: string) => Secret[] {
    const all = [...this.#secrets.values()].filter(({ text }) => !this.#asked.has(text));
    const index = new TextIndex(all.map(({ text }) => text));
    return (text) => [...index.find(bared(text))].sort((a, b) => a - b).flatMap((at) => all[at] ?? []);
  }
}

/** `the response of x#1 and 3 more records`. */
export const secretText = ({ kind, record_id, records }: Secret): string =>
  `the ${kind} of ${record_id}${records > 1 ? ` and ${records - 1} more` : ""}`;
