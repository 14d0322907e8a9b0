/** The sources that this process knows: the package's own, and any that a program adds. */
import { join } from "node:path";
import { UserError } from "../pipelines/errors.js";
import { PACKAGE_ROOT } from "../pipelines/package-root.js";
import { AMBIQT } from "./ambiqt/manifest.js";
import { AMBROSIA } from "./ambrosia/manifest.js";
import { BIRD } from "./bird/manifest.js";
import { BIRD_INTERACT } from "./bird-interact/manifest.js";
import type { SourceManifest, SourceName } from "./manifest.js";
import { TACO } from "./taco/manifest.js";

// Names come from outside, so that `constructor` must not be found.
const manifests: Record<SourceName, SourceManifest> = Object.create(null) as Record<string, SourceManifest>;
const names: SourceName[] = [];
const samples = new Map<SourceName, string>();

/** Every source that is known, in the order in which they were added; grows and shrinks with `registerSource`. */
export const MANIFESTS: Readonly<Record<SourceName, SourceManifest>> = manifests;
export const SOURCE_NAMES: readonly SourceName[] = names;

/** What a source or dataset may be called: it becomes a folder's name and the beginning of keys. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/** @throws UserError when a name is none that the schemas allow */
export function assertName(kind: "source" | "dataset", name: string): void {
  // `constructor` is the one name of the pattern that every plain object has already.
  if (NAME.test(name) && name.length <= 64 && !(name in {})) return;
  throw new UserError(`"${name}" cannot be the name of a ${kind}`, {
    remedy: "take small letters and digits, with single hyphens between words, 64 at most",
  });
}

/** The manifest of a source, undefined where it is not known. */
export const manifestOf = (source: SourceName): SourceManifest | undefined => manifests[source];

/** @throws UserError when it is not known */
export function knownManifest(source: SourceName): SourceManifest {
  const manifest = manifests[source];
  if (manifest !== undefined) return manifest;
  throw new UserError(`there is no source "${source}"`, { remedy: `choose from ${names.join(", ")}` });
}

/**
 * Makes a source known to everything that looks one up by name: fetch, builds, licences, audits.
 *
 * @param sample the folder of its sample; `sources/<source>/sample` of this package unless given
 * @returns what makes it unknown again
 * @throws UserError when the name is taken or is none
 */
export function registerSource(manifest: SourceManifest, sample?: string): () => void {
  const { source } = manifest;
  assertName("source", source);
  if (manifests[source] !== undefined) {
    throw new UserError(`there is a source "${source}" already`, { remedy: "give the new one another name" });
  }
  manifests[source] = manifest;
  names.push(source);
  samples.set(source, sample ?? join(PACKAGE_ROOT, "sources", source, "sample"));
  return () => {
    if (manifests[source] !== manifest) return;
    delete manifests[source];
    samples.delete(source);
    names.splice(names.indexOf(source), 1);
  };
}

for (const manifest of [AMBIQT, AMBROSIA, BIRD, BIRD_INTERACT, TACO]) registerSource(manifest);

/**
 * The small source of our own, in upstream's format, that ships with a source.
 *
 * @throws UserError when the source is not known
 */
export function sampleFolder(source: SourceName): string {
  const { source: known } = knownManifest(source);
  return samples.get(known) ?? "";
}
