import { readFile, rm, stat } from "node:fs/promises";
import type { Download } from "../manifest.js";
import type { PartState } from "./http-range.js";

/** Removes a part and the note beside it. */
export async function discardPart(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(`${part}.json`, { force: true });
}

/** What an earlier try left, or undefined when there is nothing that a server could be asked to continue. */
export async function partState(part: string, download: Download): Promise<PartState | undefined> {
  const size = await stat(part).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return undefined;
  try {
    const noted = JSON.parse(await readFile(`${part}.json`, "utf8")) as Partial<PartState> & { url?: string };
    const validator = typeof noted.validator === "string" ? noted.validator : undefined;
    const total = typeof noted.total === "number" ? noted.total : undefined;
    // Without a validator only the final hash can tell that both halves are of one file.
    if (noted.url === download.url && (validator !== undefined || download.sha256 !== undefined)) {
      return { offset: size, validator, total };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError) && !isAbsent(error)) throw error;
  }
  await discardPart(part);
  return undefined;
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";
