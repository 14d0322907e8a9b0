import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesOfRelease, type PublishedFile } from "../../../pipelines/release/publish/files.js";
import { type Published, type PublishOptions, publish } from "../../../pipelines/release/publish/index.js";
import { type HubOutcome, publishToHub } from "../../../pipelines/release/publish/to-hub.js";
import type { ReleaseOptions } from "../../../pipelines/release/write.js";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { writtenRelease } from "../documents/releases.js";
import { temporaryFolder } from "../sample.js";
import type { HubServer } from "./hub-server.js";

/** A release of samples, `1.0.0` unless told otherwise. */
export const releaseOf = (
  datasets: readonly string[],
  { out, ...options }: Partial<ReleaseOptions> & { out?: string } = {},
): Promise<string> => writtenRelease({ version: "1.0.0", ...options }, datasets, out);

/** No test waits longer than it must. */
export const HASTE = { tries: 3, firstWaitMs: 1, longestWaitMs: 60_000 };

const { signal } = new AbortController();
setMaxListeners(0, signal);

/** Publishes to the tests' hub, in commits of a few files. */
export function publishTo(
  hub: HubServer,
  repository: string,
  release: string,
  more: Partial<PublishOptions> & { isPrivate?: boolean; files?: number; token?: string } = {},
): Promise<Published> {
  const { isPrivate = false, files = 6, token = hub.token, ...rest } = more;
  return publish({
    release,
    to: { kind: "hub", repository },
    publicOnly: false,
    dryRun: false,
    scratch: join(temporaryFolder(), "scratch"),
    hub: {
      access: token === "" ? { endpoint: hub.url } : { endpoint: hub.url, token },
      isPrivate,
      patience: HASTE,
      size: { files, bytes: 1 << 20 },
    },
    signal,
    report: () => undefined,
    ...rest,
  });
}

/** A release's manifest. */
export const manifestOf = (release: string): ReleaseManifest =>
  JSON.parse(readFileSync(join(release, "manifest.json"), "utf8")) as ReleaseManifest;

/** A few files of every kind of a release, for what depends on how they are sent and not on how many they are. */
export async function someFiles(release: string): Promise<PublishedFile[]> {
  const files = await filesOfRelease(release);
  const databases = files.filter(({ path }) => path.startsWith("databases/")).slice(0, 5);
  return files.filter((file) => !/^(databases|schemas)\//.test(file.path) || databases.includes(file));
}

/** Sends files to the tests' hub, a few a commit, without the audit that stands before it. */
export function sendTo(
  hub: HubServer,
  repository: string,
  manifest: ReleaseManifest,
  files: readonly PublishedFile[],
): Promise<HubOutcome> {
  const options = {
    access: { endpoint: hub.url, token: hub.token },
    repository,
    isPrivate: false,
    patience: HASTE,
    size: { files: 4, bytes: 1 << 20 },
    signal,
    report: () => undefined,
  };
  return publishToHub(files, manifest, options, false);
}

/** Publishes to a folder. */
export function publishInto(
  path: string,
  release: string,
  more: Partial<PublishOptions> = {},
): Promise<Published> {
  return publish({
    release,
    to: { kind: "folder", path },
    publicOnly: false,
    dryRun: false,
    scratch: join(temporaryFolder(), "scratch"),
    signal,
    report: () => undefined,
    ...more,
  });
}
