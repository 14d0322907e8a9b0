import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { STATEMENT_FILE } from "../../audit/statement.js";
import { hashFile } from "../../engine/files.js";
import { CARD_FILE, card } from "./card.js";
import { CROISSANT_FILE, croissantText } from "./croissant.js";
import { releaseFiles } from "./files.js";
import type { ReleaseContents } from "./index.js";
import { statementText } from "./statement.js";
import { zoneFiles } from "./zone-files.js";

/** Writes beside and renames: over a release that is there a description is the old one or the new one, never half. */
function put(path: string, text: string): void {
  writeFileSync(`${path}.partial`, text);
  renameSync(`${path}.partial`, path);
}

/**
 * Writes the descriptions of a release: the card, then `croissant.json` over all files but the statement, then the
 * statement over all files. Written again after files have changed (merge-private), they replace what was there.
 */
export async function describeRelease(work: string, contents: ReleaseContents): Promise<void> {
  const zones = await zoneFiles(work, contents.manifest);
  put(join(work, CARD_FILE), card(contents, zones));
  const files = (await releaseFiles(work)).filter(
    ({ path }) => path !== CROISSANT_FILE && path !== STATEMENT_FILE,
  );
  put(join(work, CROISSANT_FILE), croissantText(contents, zones, files));
  const own = { path: CROISSANT_FILE, ...(await hashFile(join(work, CROISSANT_FILE))) };
  const all = [...files, own].sort((a, b) => (a.path < b.path ? -1 : 1));
  put(join(work, STATEMENT_FILE), statementText(contents, all));
}
