/**
 * What a source manifest says: which upstream files there are, how they are recognised, how a person comes by them and
 * what their licence lets a release of ours carry (spec 2, the table of licences).
 */

/** A name of `SOURCE_NAMES` (`sources/registry.ts`): small letters, digits and single hyphens, as the schemas have it. */
export type SourceName = string;

/** `open`: plain downloads. `gated`: a page or a password that a person must pass. `by-mail`: part of it is mailed. */
export type Access = "open" | "gated" | "by-mail";

/** What a licence lets a release carry; `publish` is bound by it, local releases are not. */
export type Redistribution = "share-alike" | "gated" | "withheld-ground-truth" | "recipe-only";

/** Each policy in words, for cards and refusals. */
export const REDISTRIBUTION_TERMS: Readonly<Record<Redistribution, string>> = {
  "share-alike": "everything, with attribution, under the same licence",
  gated:
    "everything with attribution, but only in a gated or private place or in a password-protected archive, because the authors ask to keep it from crawlers",
  "withheld-ground-truth":
    "the public and oracle zones and the databases; never the ground truth in the clear, because the authors withhold it",
  "recipe-only": "nothing of its text or databases: a recipe and hashes, because no licence is stated",
};

export interface Licence {
  /** An SPDX expression; `NOASSERTION` where the authors state none. */
  id: string;
  /** Where the licence text is; with several licences, that of the most demanding one. */
  url?: string;
  /** The line of credit that a release prints. */
  attribution: string;
  /** Which part has which licence, where they differ. */
  parts?: { covers: string; id: string; url: string }[];
}

/** One address of an artefact. A size or hash here binds the bytes that come from this address. */
export interface Download {
  url: string;
  bytes?: number;
  sha256?: string;
}

/** A published state of a file, recognised by its hash. */
export interface KnownRelease {
  name: string;
  sha256: string;
  bytes?: number;
}

export interface Unpack {
  format: "zip";
  /** Folder, relative to the source's folder, that the archive's content becomes. */
  into: string;
  /** Leading path parts to leave off each entry. */
  strip?: number;
  /** Archives inside the archive, unpacked into the folder `into` (relative to the outer `into`), then removed. */
  nested?: { path: string; into: string }[];
}

/**
 * A file, a folder or an archive of a source. `path` is where it belongs, relative to the source's folder;
 * `alternatives` are other places where upstream's packages put it, tried in order after `path`.
 */
export interface Artefact {
  path: string;
  alternatives?: string[];
  kind: "file" | "folder" | "archive";
  /** Of a folder: which files in it are part of the source (by how their names end); all of them when left out. */
  endings?: string[];
  required: boolean;
  downloads?: Download[];
  /** An exact size or hash that every copy must have. A copy that may legitimately differ has `releases` instead. */
  bytes?: number;
  sha256?: string;
  /** Known states: a copy that is none of them is taken in and recorded as release `unknown`. */
  releases?: KnownRelease[];
  /** Of an archive: how it is unpacked. */
  unpack?: Unpack;
  /** The `path` of the archive artefact that holds this one. */
  archive?: string;
  note?: string;
}

export interface SourceManifest {
  source: SourceName;
  title: string;
  homepage: string;
  citation: string;
  licence: Licence;
  access: Access;
  redistribution: Redistribution;
  /** What to get, from where and where to put it: shown as one message. `{folder}` stands for the source's folder. */
  obtain: string;
  artefacts: Artefact[];
}

/** The release name recorded for a file with known releases that is none of them. */
export const UNKNOWN_RELEASE = "unknown";
