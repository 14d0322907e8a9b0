import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import { UserError } from "../../errors.js";
import { compareVersions, parseVersion } from "../version/semver.js";
import type { PublishedFile } from "./files.js";
import { HubConnection, PATIENCE, type Patience } from "./hub/connection.js";
import type { HubAccess } from "./hub/environment.js";
import { HUB_OWN_FILE, HubRepository, type RepositoryState } from "./hub/repository.js";
import { type BatchSize, type Uploaded, upload } from "./hub/upload.js";
import { isDone, type PlacedFile, type Plan, planFor } from "./plan.js";
import { gatedDatasets } from "./policy.js";

/** How a release is put into a repository. */
export interface HubOptions {
  access: HubAccess;
  repository: string;
  /** Makes a new repository private, and refuses one that everybody may read. */
  isPrivate: boolean;
  patience?: Patience;
  size?: BatchSize;
  signal: AbortSignal;
  report: (text: string) => void;
}

/** What publishing to a repository would do, or has done. */
export interface HubOutcome {
  url: string;
  tag: string;
  /** Whether the tag was there before, with this release under it. */
  wasPublished: boolean;
  /** Whether the repository had to be made, and is so only to whom it lets in. */
  isNew: boolean;
  isPrivate: boolean;
  gated: RepositoryState["gated"];
  plan: Plan;
  uploaded?: Uploaded;
  requests: number;
}

const spared = (path: string): boolean => path === HUB_OWN_FILE;

/** Refuses a place that everybody and every crawler may read, where a source's authors ask for another. */
function refuseOpen(state: RepositoryState, name: string, manifest: ReleaseManifest, wanted: boolean): void {
  const gated = gatedDatasets(manifest);
  if (!state.private && state.gated === false && gated.length > 0) {
    throw new UserError(
      `${gated.join(", ")} may be put only where visitors are let in, and everybody may read ${name}: the authors ask to keep it from crawlers`,
      {
        remedy: `make ${name} private or gated in its settings, or publish to a new repository, which is then made private`,
      },
    );
  }
  if (wanted && !state.private) {
    throw new UserError(`${name} is there already and is not private`, {
      remedy: "make it private in its settings, or leave --private out",
    });
  }
}

/** The manifest of the release that a repository holds at its tip; undefined where it holds none, or is broken. */
async function heldRelease(
  repository: HubRepository,
  state: RepositoryState,
  there: ReadonlyMap<string, PlacedFile>,
): Promise<Pick<ReleaseManifest, "version" | "zones"> | undefined> {
  const placed = there.get("manifest.json");
  if (placed === undefined || placed.bytes > 1 << 20) return undefined;
  try {
    const text = await repository.text("manifest.json", state.head);
    const { name, version, zones } = JSON.parse(text ?? "") as Partial<ReleaseManifest>;
    if (name !== "AmbiTab" || typeof version !== "string" || !Array.isArray(zones)) return undefined;
    return { version, zones };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether one version comes before another; what is no version comes before nothing. */
function isOlder(one: string, other: string): boolean {
  const [a, b] = [parseVersion(one), parseVersion(other)];
  return a !== undefined && b !== undefined && compareVersions(a, b) < 0;
}

/** Refuses to take the place of what is no release, of a newer one, or of one that keeps its answers hidden. */
async function refuseToReplace(
  repository: HubRepository,
  state: RepositoryState,
  there: ReadonlyMap<string, PlacedFile>,
  manifest: ReleaseManifest,
): Promise<void> {
  const others = [...there.keys()].filter((path) => !spared(path) && path !== "README.md");
  const [other] = others;
  if (other === undefined) return;
  const held = await heldRelease(repository, state, there);
  if (held === undefined) {
    throw new UserError(`${repository.name} holds ${others.length} files that are no release (${other}, …)`, {
      remedy: "publish to a new repository: publishing takes away what the release does not have",
    });
  }
  if (isOlder(manifest.version, held.version)) {
    throw new UserError(
      `${repository.name} holds release ${held.version}, and the older ${manifest.version} would take its place`,
      { remedy: "publish older versions before newer ones, or to another repository" },
    );
  }
  if (held.zones.length === 1 && manifest.zones.length > 1) {
    throw new UserError(
      `${repository.name} holds a release whose answers are hidden, and this one tells them (${manifest.zones.slice(1).join(", ")})`,
      { remedy: "add --public-only, or publish the answers to another repository" },
    );
  }
}

/** Whether the release stands under its tag already; another one there is refused. */
async function isTagged(
  repository: HubRepository,
  tag: string,
  files: readonly PublishedFile[],
): Promise<Plan | undefined> {
  const commit = (await repository.tags()).get(tag);
  if (commit === undefined) return undefined;
  const plan = await planFor(files, await repository.files(commit), spared);
  if (isDone(plan)) return plan;
  const [other] = [...plan.replace, ...plan.add, ...plan.remove];
  throw new UserError(`${repository.name} has the tag ${tag} with other contents (${other?.path ?? ""})`, {
    remedy: "a published version never changes: make the next version, or publish to another repository",
  });
}

/** Tags what was uploaded; another process may have done it in the meantime, with the same files or refused. */
async function tagUpload(
  repository: HubRepository,
  tag: string,
  head: string,
  files: readonly PublishedFile[],
): Promise<void> {
  try {
    await repository.tag(tag, head);
  } catch (error) {
    if ((await isTagged(repository, tag, files)) === undefined) throw error;
  }
}

/**
 * Puts a release into a dataset repository: `main` holds it and nothing else (but the hub's own file), and the tag
 * `vX.Y.Z` names it for good. A new repository is made; where the policy of a source wants it, a private one.
 *
 * @param isDry only looks and tells what would be done
 * @throws UserError when the hub or the policy refuses; the message never holds the token
 */
export async function publishToHub(
  files: readonly PublishedFile[],
  manifest: ReleaseManifest,
  options: HubOptions,
  isDry: boolean,
): Promise<HubOutcome> {
  const { access, patience = PATIENCE, signal, report } = options;
  if (access.token === undefined && !isDry) {
    throw new UserError("nobody is logged in to the hub: there is no token", {
      remedy: "set HF_TOKEN to a token that may write, or log in with hf auth login",
    });
  }
  const connection = new HubConnection(access, { patience, signal, tell: report });
  const repository = new HubRepository(options.repository, connection);
  if (connection.isLoggedIn) await repository.refuseReader();
  const wantsPrivate = options.isPrivate || gatedDatasets(manifest).length > 0;
  const outcome = { url: repository.url, tag: `v${manifest.version}`, wasPublished: false };
  const found = await repository.state();
  if (found === undefined && isDry) {
    const plan = await planFor(files, new Map());
    const place = { isNew: true, isPrivate: wantsPrivate, gated: false as const };
    return { ...outcome, ...place, plan, requests: connection.requests };
  }
  if (found === undefined) await repository.create(wantsPrivate);
  const state = found ?? (await repository.state());
  if (state === undefined) {
    throw new UserError(`${repository.name} was made and is not there`, { remedy: "check the owner's name" });
  }
  const allowed = (now: RepositoryState): void =>
    refuseOpen(now, repository.name, manifest, options.isPrivate);
  allowed(state);
  const place = { isNew: found === undefined, isPrivate: state.private, gated: state.gated };
  const tagged = await isTagged(repository, outcome.tag, files);
  if (tagged !== undefined)
    return { ...outcome, ...place, wasPublished: true, plan: tagged, requests: connection.requests };
  const there = await repository.files(state.head);
  await refuseToReplace(repository, state, there, manifest);
  const plan = await planFor(files, there, spared);
  if (isDry) return { ...outcome, ...place, plan, requests: connection.requests };
  const uploaded = await upload(repository, files, {
    title: `AmbiTab ${manifest.version}`,
    size: options.size,
    waitMs: patience.firstWaitMs,
    signal,
    allowed,
    report,
  });
  await tagUpload(repository, outcome.tag, uploaded.head, files);
  return { ...outcome, ...place, plan, uploaded, requests: connection.requests };
}
