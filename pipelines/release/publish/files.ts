import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { SUMS_FILE } from "../../audit/checksums.js";
import { hashFile } from "../../engine/files.js";
import { UserError } from "../../errors.js";

/** Who a file of a release is for. `release`: it describes the whole and belongs to nobody alone. */
export type FileZone = "public" | "oracle" | "verifier" | "provenance" | "recipe" | "release";

/** A file to publish. */
export interface PublishedFile {
  /** Relative to the release, with forward slashes. */
  path: string;
  /** Where its bytes are. */
  from: string;
  bytes: number;
  sha256: string;
  zone: FileZone;
}

const ZONE_OF: Readonly<Record<string, FileZone>> = {
  public: "public",
  databases: "public",
  oracle: "oracle",
  verifier: "verifier",
  provenance: "provenance",
  dropped: "provenance",
  ledger: "provenance",
  responses: "provenance",
  "lock.json": "provenance",
  recipe: "recipe",
};

/** The zone of a release's file, by where it lies. */
export function zoneOfFile(path: string): FileZone {
  const [top = ""] = path.split("/");
  return Object.hasOwn(ZONE_OF, top) ? (ZONE_OF[top] ?? "release") : "release";
}

/**
 * Refuses links and whatever is neither file nor folder: what a link points at is no part of the release and may be
 * anything on this machine.
 *
 * @throws UserError naming the first such entry
 */
export function refuseOddEntries(folder: string): void {
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (!entry.isFile()) {
        const what = entry.isSymbolicLink() ? "a symbolic link" : "neither a file nor a folder";
        throw new UserError(`${path} in ${folder} is ${what}`, {
          remedy: "a release holds plain files; take it again from where it was made",
        });
      }
    }
  };
  walk("");
}

/** The files of a release whose sums were found right, in the order of SHA256SUMS, that list itself last. */
export async function filesOfRelease(folder: string): Promise<PublishedFile[]> {
  const list = join(folder, SUMS_FILE);
  const listed = readFileSync(list, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ sha256: line.slice(0, 64), path: line.slice(66) }));
  const all = [...listed, { path: SUMS_FILE, sha256: (await hashFile(list)).sha256 }];
  return all.map(({ path, sha256 }) => {
    const from = join(folder, path);
    return { path, from, bytes: statSync(from).size, sha256, zone: zoneOfFile(path) };
  });
}
