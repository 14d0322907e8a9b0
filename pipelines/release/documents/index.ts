/** The documents of a release: what describes the whole tree, written when all else but SHA256SUMS is there. */
import type { Funnel } from "../../../schemas/types/funnel.js";
import type { BuildLock } from "../../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import type { Zone } from "../../record/zones.js";
import { describeRelease } from "./describe.js";

/** What a release in the making holds, for whoever writes about it. */
export interface ReleaseContents {
  manifest: ReleaseManifest;
  /** Dataset → its build's funnel. */
  funnels: Readonly<Record<string, Funnel>>;
  /**
   * Dataset → its build's lock. It is private where the release is public-only: no word of it may then be written but
   * what the manifest and SHA256SUMS say, too.
   */
  locks: Readonly<Record<string, BuildLock>>;
  /** The release's zones; a dataset may carry fewer (`manifest.datasets[name].zones`). */
  zones: readonly Zone[];
  publicOnly: boolean;
  publishable: boolean;
}

/** Writes one document into the folder of a release in the making. */
export type WriteDocument = (work: string, contents: ReleaseContents) => Promise<void> | void;

/** In the order in which they are written, so that a later one may read an earlier one. */
const DOCUMENTS: readonly WriteDocument[] = [describeRelease];

/**
 * Writes the documents into `work`, the folder of a release in the making, where all its other files are. SHA256SUMS
 * follows and lists them, too. What is written depends on `work` and `contents` alone.
 */
export async function writeDocuments(work: string, contents: ReleaseContents): Promise<void> {
  for (const write of DOCUMENTS) await write(work, contents);
}
