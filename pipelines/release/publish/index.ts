/** Putting a release out: what may go, what goes, and to where. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseManifest } from "../../../schemas/types/manifest.js";
import type { Finding } from "../../audit/finding.js";
import { auditFolder } from "../../audit/release.js";
import { holdExclusively } from "../../engine/exclusive.js";
import { Interrupted, UserError } from "../../errors.js";
import { schemaFaults } from "../../record/check-schema.js";
import type { Suite } from "../../record/suite.js";
import type { Zone } from "../../record/zones.js";
import type { Destination } from "./destination.js";
import { filesOfRelease, type PublishedFile, refuseOddEntries } from "./files.js";
import { folderTarget, planForFolder, publishToFolder } from "./folder.js";
import { isDone, type PlannedFile, plannedFiles } from "./plan.js";
import { gatedDatasets, refuseForbidden } from "./policy.js";
import { writePublicPart } from "./public-part.js";
import { type HubOptions, type HubOutcome, publishToHub } from "./to-hub.js";

export { type Destination, parseDestination } from "./destination.js";
export { hubAccess } from "./hub/environment.js";
export type { PlannedFile } from "./plan.js";
export type { HubOutcome } from "./to-hub.js";

/** The release does not pass its audit; nothing left this machine. */
export class AuditFailed extends Error {
  readonly findings: readonly Finding[];
  constructor(path: string, findings: readonly Finding[]) {
    const errors = findings.filter(({ severity }) => severity === "error");
    const [first] = errors;
    super(`${path} does not pass its audit (${first?.code ?? ""}: ${first?.message ?? ""})`);
    this.findings = findings;
  }
}

export interface PublishOptions {
  /** The release's folder. */
  release: string;
  to: Destination;
  /** Publishes the public part alone, as a release of its own. */
  publicOnly: boolean;
  /** Only tells what would be done. */
  dryRun: boolean;
  /** A folder for what is made on the way and thrown away. */
  scratch: string;
  /** How a hub is dealt with; needed where `to` is one. */
  hub?: Pick<HubOptions, "access" | "isPrivate" | "patience" | "size">;
  signal: AbortSignal;
  report: (text: string) => void;
}

/** What was done, or would be. */
export interface Published {
  version: string;
  /** Hash of the release as it was published: stands in every result file. */
  hash: string;
  zones: readonly Zone[];
  /** The folder's path, or the repository's address. */
  place: string;
  dryRun: boolean;
  /** Whether the very same release was there already. */
  wasThere: boolean;
  files: PlannedFile[];
  hub?: Omit<HubOutcome, "plan">;
  /** What a person should know: terms that bind whoever holds the copy. */
  notes: string[];
}

async function audited(path: string): Promise<Suite> {
  const { suite, findings } = await auditFolder(path);
  const errors = findings.filter(({ severity }) => severity === "error");
  if (suite === undefined || errors.length > 0) throw new AuditFailed(path, findings);
  if (suite.kind === "release") return suite;
  throw new UserError(`${path} is a build, no release`, {
    remedy: "make a release of it with ambitab release, and publish that",
  });
}

function manifestOf(path: string): ReleaseManifest {
  const file = join(path, "manifest.json");
  if (!existsSync(file)) {
    throw new UserError(`${path} is no release: it has no manifest.json`, {
      remedy: "name the folder of a release, such as out/releases/1.0.0",
    });
  }
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new UserError(`${file} is no JSON`, { remedy: "ambitab audit says what else is wrong", cause });
  }
  const [fault] = schemaFaults("manifest", manifest);
  if (fault === undefined) return manifest as ReleaseManifest;
  throw new UserError(`${file}: ${fault}`, { remedy: "ambitab audit says what else is wrong" });
}

const PUBLIC: readonly Zone[] = ["public"];

/** The release, or its public part, as files that passed the audit. */
async function prepared(
  { release, publicOnly, report }: PublishOptions,
  manifest: ReleaseManifest,
  work: string,
): Promise<{ path: string; files: PublishedFile[]; manifest: ReleaseManifest }> {
  report("auditing the release");
  const suite = await audited(release);
  const files = await filesOfRelease(release);
  if (!publicOnly || manifest.zones.length === 1) return { path: release, files, manifest };
  report("making the public part");
  await writePublicPart(suite, manifest, files, work);
  await audited(work);
  const part = await filesOfRelease(work);
  const leak = part.find(({ zone }) => zone !== "public" && zone !== "release");
  if (leak !== undefined) throw new Error(`${leak.path} is of the zone ${leak.zone} and in the public part`);
  return { path: work, files: part, manifest: manifestOf(work) };
}

function notesOf(manifest: ReleaseManifest, { to }: PublishOptions): string[] {
  const gated = gatedDatasets(manifest);
  if (gated.length === 0 || to.kind === "hub") return [];
  return [
    `the authors of ${gated.join(", ")} ask to keep it from crawlers: keep this folder off the open web`,
  ];
}

/**
 * Publishes a release: refuses what its sources' terms forbid and what does not pass the audit, makes the public part
 * where that is asked for, and puts it into a folder or a repository. A stopped call goes on where it was.
 *
 * @throws UserError when the policy, the place or the hub refuses; AuditFailed; Interrupted when `signal` says so
 */
export async function publish(options: PublishOptions): Promise<Published> {
  const { release, to, publicOnly, dryRun, scratch, hub, signal, report } = options;
  if (!existsSync(release)) {
    throw new UserError(`there is no folder ${release}`, { remedy: "name a release's folder" });
  }
  const declared = manifestOf(release);
  refuseForbidden(declared, publicOnly ? PUBLIC : declared.zones);
  if (to.kind === "folder") folderTarget(to.path, release);
  refuseOddEntries(release);
  const key = createHash("sha256").update(release).digest("hex").slice(0, 12);
  const work = join(scratch, `${declared.version}-public-${key}`);
  const hold = publicOnly ? holdExclusively(`${work}.lock`, work) : undefined;
  try {
    const { path, files, manifest } = await prepared(options, declared, work);
    const hash = createHash("sha256")
      .update(readFileSync(join(path, "SHA256SUMS")))
      .digest("hex");
    const told = {
      version: manifest.version,
      hash,
      zones: manifest.zones,
      dryRun,
      notes: notesOf(manifest, options),
    };
    if (to.kind === "folder") {
      const target = folderTarget(to.path, release);
      const step = (done: number): void => {
        if (signal.aborted) throw new Interrupted();
        report(`${done} of ${files.length} files`);
      };
      const plan = dryRun ? await planForFolder(files, target) : await publishToFolder(files, target, step);
      return { ...told, place: target, wasThere: isDone(plan), files: plannedFiles(plan) };
    }
    if (hub === undefined) throw new Error("a hub needs to be told how it is dealt with");
    const all = { ...hub, repository: to.repository, signal, report };
    const { plan, ...outcome } = await publishToHub(files, manifest, all, dryRun);
    const wasThere = outcome.wasPublished;
    return { ...told, place: outcome.url, wasThere, files: plannedFiles(plan), hub: outcome };
  } catch (error) {
    if (signal.aborted) throw new Interrupted();
    throw error;
  } finally {
    rmSync(work, { recursive: true, force: true });
    hold?.release();
    if (hold !== undefined) rmSync(`${work}.lock`, { force: true });
  }
}
