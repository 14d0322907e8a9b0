/** The documents of a release: what describes the whole tree, written when all else but SHA256SUMS is there. */
import { writeChangelog } from "./changelog.js";
import type { ReleaseContents } from "./contents.js";
import { describeRelease } from "./describe.js";
import { writeLicences } from "./licences.js";

export type { ReleaseContents } from "./contents.js";

/** Writes one document into the folder of a release in the making. */
export type WriteDocument = (work: string, contents: ReleaseContents) => Promise<void> | void;

/** In the order in which they are written, so that a later one may read an earlier one. */
const DOCUMENTS: readonly WriteDocument[] = [writeLicences, writeChangelog, describeRelease];

/**
 * Writes the documents into `work`, the folder of a release in the making, where all its other files are. SHA256SUMS
 * follows and lists them, too. What is written depends on `work` and `contents` alone.
 */
export async function writeDocuments(work: string, contents: ReleaseContents): Promise<void> {
  for (const write of DOCUMENTS) await write(work, contents);
}
