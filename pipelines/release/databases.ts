import { constants, copyFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { type FileRef, linkOrCopy } from "../engine/files.js";

/**
 * The database files of one release. Datasets made from one source carry the same databases (EW-Bird and AmbiTab-Bird
 * those of BIRD): a file with bytes that are there already is a hard link to the first, or a copy where the file system
 * has no links. Either way it is a file like any other to whoever reads the release: the build's lock and SHA256SUMS list
 * it under each of its names. A release's files are never changed in place, so one name cannot change under another.
 */
export class ReleaseDatabases {
  /** sha256 → where it was put first. */
  readonly #placed = new Map<string, string>();

  /** Puts a build's database at `target`. @param file what the build's lock says of it */
  place(from: string, target: string, { sha256 }: FileRef): void {
    const first = this.#placed.get(sha256);
    mkdirSync(dirname(target), { recursive: true });
    if (first !== undefined) {
      linkOrCopy(first, target);
      return;
    }
    // A copy (cheap where the file system can share blocks) and no link: what happens to a build must not reach a release.
    copyFileSync(from, target, constants.COPYFILE_FICLONE);
    this.#placed.set(sha256, target);
  }
}
