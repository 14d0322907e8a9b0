import type { Funnel } from "../../../schemas/types/funnel.js";
import type { BuildLock } from "../../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import type { Zone } from "../../record/zones.js";
import type { History } from "../version/history.js";

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
  /**
   * The releases before this one, and how it differs from them. Absent for a part or a copy of a release that is there:
   * that takes its CHANGELOG.md along.
   */
  history?: History;
}
