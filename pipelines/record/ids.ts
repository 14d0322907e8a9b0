import { createHash } from "node:crypto";

/** sha256 of text (as UTF-8) or bytes, in lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/**
 * A name that is safe as a folder, a file and a database id on every system: letters, digits and `_` of the original,
 * everything else `_`, at most 60 characters, and a short hash of `exact`, which must be all that tells two names apart.
 *
 * @example safeName("concert_singer.singer.Song Name", unitJson) // "concert_singer_singer_Song_Name-3f2a9c01"
 */
export function safeName(readable: string, exact: string): string {
  const plain = readable
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_]+/g, "_")
    .slice(0, 60);
  return `${plain}-${sha256(exact).slice(0, 8)}`;
}
