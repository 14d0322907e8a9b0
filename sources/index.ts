import { join } from "node:path";
import { PACKAGE_ROOT } from "../pipelines/package-root.js";
import { AMBIQT } from "./ambiqt/manifest.js";
import { AMBROSIA } from "./ambrosia/manifest.js";
import { BIRD } from "./bird/manifest.js";
import { BIRD_INTERACT } from "./bird-interact/manifest.js";
import {
  ensureFromManifest,
  type FetchOptions,
  fetchFromManifest,
  type OpenSource,
  openFromManifest,
} from "./fetch/fetch-source.js";
import type { SourceManifest, SourceName } from "./manifest.js";
import { TACO } from "./taco/manifest.js";

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
export { REDISTRIBUTION_TERMS, SOURCE_NAMES, UNKNOWN_RELEASE } from "./manifest.js";
export { rowSha256 } from "./row-hash.js";

/** Every source that this project knows. */
export const MANIFESTS: Readonly<Record<SourceName, SourceManifest>> = {
  ambiqt: AMBIQT,
  ambrosia: AMBROSIA,
  bird: BIRD,
  "bird-interact": BIRD_INTERACT,
  taco: TACO,
};

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
  return fetchFromManifest(MANIFESTS[options.source], options);
}

/** Opens a source that was brought in before, after checking that it is still the same (see `openFromManifest`). */
export function openSource(source: SourceName, out: string): Promise<OpenSource> {
  return openFromManifest(MANIFESTS[source], out);
}

/** What a build wants: `from` if it is given, else what is there already, else a fetch. */
export function ensureSource(options: FetchOptions & { source: SourceName }): Promise<OpenSource> {
  return ensureFromManifest(MANIFESTS[options.source], options);
}

/** The small source of our own that ships with the package, in upstream's format. */
export function sampleFolder(source: SourceName): string {
  return join(PACKAGE_ROOT, "sources", source, "sample");
}
