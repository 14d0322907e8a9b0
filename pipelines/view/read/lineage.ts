/** What became of source rows: the funnel, the drops and the ledger of each dataset, indexed when first asked for. */
import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { DroppedRow } from "../../../schemas/types/dropped.js";
import type { Funnel } from "../../../schemas/types/funnel.js";
import type { LedgerEntry } from "../../../schemas/types/ledger.js";
import { SourceError } from "../../errors.js";
import { schemaFaults } from "../../record/check-schema.js";
import type { DatasetFolder, Suite } from "../../record/suite.js";
import { type LinePlace, parseLine, readLineAt, scanLines, textOf } from "./lines.js";

/** Something that is there, or the reason why it is not. */
export type Found<T> = { readonly value: T } | { readonly why: string };

/** The drops of a dataset, and the lines that could not be read. */
export interface Drops {
  readonly rows: readonly DroppedRow[];
  readonly broken: readonly string[];
}

export interface Lineage {
  funnel(folder: DatasetFolder): Found<Funnel>;
  drops(folder: DatasetFolder): Promise<Found<Drops>>;
  /** The ledger's line of a row's key. */
  row(folder: DatasetFolder, key: string): Promise<Found<LedgerEntry>>;
}

const LEFT_OUT = "it is not in this copy: a public-only release leaves it out";

/** Keys stand first in a ledger's lines, so the whole line is parsed only when it is shown. */
const KEY = /^\{"key":("(?:[^"\\]|\\.)*")/;

function keyOf(bytes: Buffer, file: string, line: number): string {
  const [, quoted] = KEY.exec(bytes.toString("utf8", 0, 2000)) ?? [];
  return quoted === undefined
    ? parseLine<LedgerEntry>(bytes, file, line).key
    : (JSON.parse(quoted) as string);
}

async function indexLedger(path: string): Promise<Map<string, LinePlace>> {
  const places = new Map<string, LinePlace>();
  await scanLines(path, (bytes, place) => {
    try {
      places.set(keyOf(bytes, path, place.line), place);
    } catch (error) {
      // The row of a broken line is not found, which its page says.
      if (!(error instanceof SourceError) && !(error instanceof SyntaxError)) throw error;
    }
  });
  return places;
}

async function readDrops(path: string, name: string): Promise<Drops> {
  const rows: DroppedRow[] = [];
  const broken: string[] = [];
  await scanLines(path, (bytes, { line }) => {
    try {
      const row = parseLine<DroppedRow>(bytes, name, line);
      const { key, stage, reason, detail, subject } = row;
      const texts = {
        key: textOf(key),
        stage: textOf(stage),
        reason: textOf(reason),
        detail: textOf(detail),
      };
      rows.push({ ...row, ...texts, ...(subject === undefined ? {} : { subject: textOf(subject) }) });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      broken.push(error.message);
    }
  });
  return { rows, broken };
}

/** Keeps what was made once; a failure is tried again. */
function once<T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}

function funnelOf({ kind, folder, dataset }: DatasetFolder): Found<Funnel> {
  const path = join(folder, "funnel.json");
  if (!existsSync(path)) return { why: "funnel.json is not there" };
  try {
    const read = JSON.parse(readFileSync(path, "utf8")) as unknown;
    const funnel = kind === "build" ? read : (read as Record<string, unknown>)[dataset];
    if (funnel === undefined) return { why: `funnel.json tells nothing of ${dataset}` };
    const [fault] = schemaFaults("funnel", funnel);
    return fault === undefined
      ? { value: funnel as Funnel }
      : { why: `funnel.json breaks its schema: ${fault}` };
  } catch (error) {
    return { why: `funnel.json cannot be read: ${(error as Error).message}` };
  }
}

export function openLineage(suite: Suite): Lineage {
  const ledgers = new Map<string, Promise<Map<string, LinePlace>>>();
  const dropped = new Map<string, Promise<Drops>>();
  return {
    funnel: funnelOf,
    async drops({ kind, folder, dataset }) {
      const path =
        kind === "build" ? join(folder, "dropped.jsonl") : join(folder, "dropped", `${dataset}.jsonl`);
      if (!existsSync(path)) return { why: `the list of dropped rows: ${LEFT_OUT}` };
      return { value: await once(dropped, dataset, () => readDrops(path, relative(suite.path, path))) };
    },
    async row({ ledger, dataset }, key) {
      if (!existsSync(ledger)) return { why: `the ledger: ${LEFT_OUT}` };
      const place = (await once(ledgers, dataset, () => indexLedger(ledger))).get(key);
      if (place === undefined) return { why: `the ledger of ${dataset} has no row with this key` };
      try {
        return { value: await readLineAt<LedgerEntry>(ledger, place) };
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        return { why: `its line in the ledger cannot be read: ${error.problem}` };
      }
    },
  };
}
