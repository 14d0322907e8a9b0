import {
  ensureFromManifest,
  type FetchOptions,
  fetchFromManifest,
  type OpenSource,
  openFromManifest,
} from "./fetch/fetch-source.js";
import type { SourceName } from "./manifest.js";
import { knownManifest } from "./registry.js";

export type { LockedFile, SourceLock } from "../schemas/types/source-lock.js";
export type { FetchOptions, FetchStep, OpenSource } from "./fetch/fetch-source.js";
export type { JsonArrayOptions, JsonElement } from "./json-array.js";
export { readJsonArray } from "./json-array.js";
export type {
  Access,
  Artefact,
  KnownRelease,
  Licence,
  Redistribution,
  SourceManifest,
  SourceName,
} from "./manifest.js";
export { REDISTRIBUTION_TERMS, UNKNOWN_RELEASE } from "./manifest.js";
export {
  assertName,
  MANIFESTS,
  manifestOf,
  registerSource,
  SOURCE_NAMES,
  sampleFolder,
} from "./registry.js";
export { rowSha256 } from "./row-hash.js";

/**
 * Brings a source in: takes in the folder `from`, or downloads; writes `<out>/sources/<source>/lock.json`.
 *
 * ```ts
 * const { root, lock } = await fetchSource({ source: "ambiqt", from: "/data/ambiqt", out: "out" });
 * ```
 *
 * Errors: see `fetchFromManifest`.
 */
export function fetchSource(options: FetchOptions & { source: SourceName }): Promise<OpenSource> {
  return fetchFromManifest(knownManifest(options.source), options);
}

/** Opens a source that was brought in before, after checking that it is still the same (see `openFromManifest`). */
export function openSource(source: SourceName, out: string): Promise<OpenSource> {
  return openFromManifest(knownManifest(source), out);
}

/** What a build wants: `from` if it is given, else what is there already, else a fetch. */
export function ensureSource(options: FetchOptions & { source: SourceName }): Promise<OpenSource> {
  return ensureFromManifest(knownManifest(options.source), options);
}
