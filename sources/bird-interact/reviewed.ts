import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SourceError } from "../../pipelines/errors.js";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import { readJsonLines } from "../json-lines.js";
import { found, isObject, RowCheck } from "../row-check.js";

/** A reviewed correction of upstream's annotation. It fails the build when what it replaces has changed. */
export interface Repair {
  instance_id: string;
  /** Such as `critical_ambiguity[0].sql_snippet`. */
  field: string;
  /** Of the text that it replaces, as upstream has it; of the empty text where a fragment is missing. */
  replaces_sha256: string;
  value: string;
  /** What is wrong with upstream's text, and where the correction comes from. */
  why: string;
  reviewed: string;
}

/** A frozen response. `annotation_sha256` says what it was written for: when that changes, it is out of date. */
export interface CatalogueEntry {
  instance_id: string;
  ambiguity_id: string;
  term: string;
  annotation_sha256: string;
  response: string;
  /** `audited`: the mechanical audit passed and nobody objected. `needs_review`: a person should look. */
  status: "audited" | "needs_review";
  /** Who wrote it: a model's name, or a person. */
  author: string;
}

/** How messages name the list of repairs, which is part of this package. */
export const REPAIRS_FILE = "sources/bird-interact/repairs.json";
export const CATALOGUE_FILE = "sources/bird-interact/response-catalogue.jsonl";

/** These files travel with the package, beside the samples. */
const shipped = (file: string): string => join(PACKAGE_ROOT, file);

const hex = (text: string): string => createHash("sha256").update(text).digest("hex");

/** What is reviewed of this source, with the hashes that a build's lock names. */
export interface Reviewed {
  repairs: Repair[];
  catalogue: CatalogueEntry[];
  /** How it is called in a lock → sha256. */
  hashes: Map<string, string>;
}

/** @throws SourceError at the first entry that is no repair */
export function readRepairs(text: string, file: string): Repair[] {
  const entries: unknown = JSON.parse(text);
  if (!Array.isArray(entries)) throw new SourceError({ file }, `expected a list, found ${found(entries)}`);
  return entries.map((entry: unknown, row) => {
    const check = new RowCheck({ file, row });
    if (!isObject(entry)) throw new SourceError({ file, row }, `expected a repair, found ${found(entry)}`);
    const text = (field: string): string => check.text(entry, field) ?? "";
    const repair: Repair = {
      instance_id: text("instance_id"),
      field: text("field"),
      replaces_sha256: text("replaces_sha256"),
      value: text("value"),
      why: text("why"),
      reviewed: text("reviewed"),
    };
    const error = check.error();
    if (error !== undefined) throw error;
    return repair;
  });
}

/** @throws SourceError at the first line that is no entry, and where two lines answer one ambiguity */
export function readCatalogue(text: string, file: string): CatalogueEntry[] {
  const seen = new Map<string, number>();
  return readJsonLines(text, file).map((item) => {
    if (item.kind === "error") throw item.error;
    const { line, row, value } = item;
    const check = new RowCheck({ file, line, row });
    const instance_id = check.text(value, "instance_id") ?? "";
    const ambiguity_id = check.text(value, "ambiguity_id") ?? "";
    const { status } = value;
    if (status !== "audited" && status !== "needs_review") {
      check.fault("status", `expected audited or needs_review, found ${found(status)}`);
    }
    const key = `${instance_id} ${ambiguity_id}`;
    if (seen.has(key))
      check.fault("ambiguity_id", `expected each once, found it in line ${seen.get(key)} too`);
    seen.set(key, line);
    const entry: CatalogueEntry = {
      instance_id,
      ambiguity_id,
      term: check.text(value, "term") ?? "",
      annotation_sha256: check.text(value, "annotation_sha256") ?? "",
      response: check.text(value, "response") ?? "",
      status: status === "audited" ? "audited" : "needs_review",
      author: check.text(value, "author") ?? "",
    };
    const error = check.error();
    if (error !== undefined) throw error;
    return entry;
  });
}

/**
 * The repairs and responses that ship with this package, and the responses of a catalogue of the user's own, which come
 * before ours where both answer an ambiguity.
 *
 * @param own path of the user's catalogue; it need not be there
 * @throws SourceError when a file is not what it must be
 */
export function readReviewed(own: string | undefined): Reviewed {
  const repairsText = readFileSync(shipped(REPAIRS_FILE), "utf8");
  const catalogueText = readFileSync(shipped(CATALOGUE_FILE), "utf8");
  const hashes = new Map([
    [REPAIRS_FILE, hex(repairsText)],
    [CATALOGUE_FILE, hex(catalogueText)],
  ]);
  const catalogue = new Map<string, CatalogueEntry>();
  const add = (entries: readonly CatalogueEntry[]): void => {
    for (const entry of entries) catalogue.set(`${entry.instance_id} ${entry.ambiguity_id}`, entry);
  };
  add(readCatalogue(catalogueText, CATALOGUE_FILE));
  if (own !== undefined && existsSync(own)) {
    const text = readFileSync(own, "utf8");
    hashes.set("catalogue/bird-interact.jsonl", hex(text));
    add(readCatalogue(text, own));
  }
  return { repairs: readRepairs(repairsText, REPAIRS_FILE), catalogue: [...catalogue.values()], hashes };
}
