/** A release's folder as a tree of files: their modes, and that they are on the disk. */
import { chmodSync, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** Mode bits of a release: the same whatever the umask, on disk and in an archive. Databases cannot be written. */
export const MODES = { folder: 0o755, file: 0o644, database: 0o444 } as const;

/** The mode of a release's file, by its path in the release. */
export const modeOf = (path: string): number => (path.startsWith("databases/") ? MODES.database : MODES.file);

interface TreeEntry {
  /** Relative to the tree's folder, with forward slashes; the folder itself is "". */
  readonly path: string;
  readonly isFolder: boolean;
}

/** Every folder and file of a tree, a folder before what is in it, names by code unit. */
export function* entriesOf(folder: string, path = ""): Generator<TreeEntry> {
  yield { path, isFolder: true };
  const entries = readdirSync(join(folder, path), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const own = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* entriesOf(folder, own);
    else yield { path: own, isFolder: false };
  }
}

/** Gives every file and folder of a release its mode. */
export function setModes(folder: string): void {
  for (const { path, isFolder } of entriesOf(folder))
    chmodSync(join(folder, path), isFolder ? MODES.folder : modeOf(path));
}

/** How many files are made durable at once. */
const WIDTH = 16;

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes a tree durable, so that a power cut after it was put in place cannot leave files without their bytes under its
 * name.
 */
export async function syncTree(folder: string): Promise<void> {
  // There a file that was opened for reading cannot be synced, and a folder not at all.
  if (process.platform === "win32") return;
  const paths = [...entriesOf(folder)].map(({ path }) => join(folder, path));
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let path = paths[next++]; path !== undefined; path = paths[next++]) await sync(path);
  };
  await Promise.all(Array.from({ length: WIDTH }, worker));
}
