import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Artefact, SourceManifest } from "../manifest.js";

/** An artefact that is there, with its files (relative to the folder, forward slashes, sorted). */
export interface PresentArtefact {
  artefact: Artefact;
  files: string[];
}

export interface FoundArtefacts {
  present: PresentArtefact[];
  missing: Artefact[];
}

/** What a folder holds of a source. An artefact is looked for at its path, then at its alternatives. */
export async function findArtefacts(manifest: SourceManifest, folder: string): Promise<FoundArtefacts> {
  const found: FoundArtefacts = { present: [], missing: [] };
  for (const artefact of manifest.artefacts) {
    const files = await firstPlace(artefact, folder);
    if (files.length === 0) found.missing.push(artefact);
    else found.present.push({ artefact, files });
  }
  return found;
}

async function firstPlace(artefact: Artefact, folder: string): Promise<string[]> {
  for (const path of [artefact.path, ...(artefact.alternatives ?? [])]) {
    const kind = await kindOf(join(folder, path));
    if (artefact.kind === "folder") {
      const files = kind === "folder" ? await filesBelow(folder, path, artefact.endings) : [];
      if (files.length > 0) return files;
    } else if (kind === "file") return [path];
  }
  return [];
}

async function kindOf(path: string): Promise<"file" | "folder" | undefined> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (found?.isFile()) return "file";
  return found?.isDirectory() ? "folder" : undefined;
}

/** Files below a folder, by link too: a copy of a source often links its large databases. */
async function filesBelow(root: string, top: string, endings: string[] | undefined): Promise<string[]> {
  const files: string[] = [];
  const visit = async (path: string, above: readonly string[]): Promise<void> => {
    const real = await realpath(join(root, path));
    if (above.includes(real)) return; // A link back to a folder we are in.
    for (const entry of await readdir(real, { withFileTypes: true })) {
      const below = `${path}/${entry.name}`;
      const kind = entry.isSymbolicLink()
        ? await kindOf(join(root, below))
        : entry.isDirectory()
          ? "folder"
          : entry.isFile()
            ? "file"
            : undefined;
      if (kind === "folder") await visit(below, [...above, real]);
      else if (kind === "file" && (endings?.some((ending) => entry.name.endsWith(ending)) ?? true)) {
        files.push(below);
      }
    }
  };
  await visit(top, []);
  return files.sort();
}
