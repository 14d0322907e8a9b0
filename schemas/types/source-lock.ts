// Generated from schemas/source-lock.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * What is there of one upstream source: out/sources/<source>/lock.json.
 */
export interface SourceLock {
  /**
   * Semantic version of this schema.
   */
  schema_version: string;
  source: string;
  /**
   * The recognised release of the first file that has known releases (or unknown), a plus sign and 12 hex digits of the hash over all files: two copies that differ in any file have different versions.
   */
  source_version: string;
  /**
   * linked: read in place, in adopted_from. copied: copied from adopted_from into out/sources/<source>. placed: downloaded or put by hand into out/sources/<source>.
   */
  held: "linked" | "copied" | "placed";
  /**
   * Absolute path of the folder that --from named; null for placed files.
   */
  adopted_from: string | null;
  licence: {
    /**
     * SPDX expression, or NOASSERTION.
     */
    id: string;
    url?: string;
    attribution: string;
  };
  redistribution: "share-alike" | "gated" | "withheld-ground-truth" | "recipe-only";
  /**
   * Sorted by path (by code unit).
   */
  files: LockedFile[];
}
export interface LockedFile {
  /**
   * Relative to the folder that is read, forward slashes.
   */
  path: string;
  bytes: number;
  sha256: string;
  /**
   * Where the file has known releases: the one that its hash is, or unknown.
   */
  release?: string;
}
