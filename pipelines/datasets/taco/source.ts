import { locateTacoDatabase, readTaco, type TacoDatabase } from "../../../sources/taco/index.js";
import type { SourceStream } from "../../engine/pipeline.js";
import type { BuildSettings } from "../../engine/stage.js";
import { SourceError } from "../../errors.js";
import type { SourceRow } from "./items.js";

/**
 * Opens TACO's query files, of the US part or of all parts, with the databases that they name. Every file that is read is
 * hashed first, and its database's hash travels in the item, so that a changed database redoes just its own statements.
 */
export async function openTaco(
  root: string,
  settings: BuildSettings,
  version: string,
): Promise<SourceStream<SourceRow>> {
  const files = await readTaco(root, { allRegions: settings.all_regions === true });
  const databases = new Map<string, TacoDatabase>();
  const locate = async (region: string, name: string): Promise<TacoDatabase> => {
    const key = JSON.stringify([region, name]);
    let found = databases.get(key);
    if (found === undefined) {
      const folder = files.databases.get(region);
      if (folder === undefined) throw new Error(`the region ${region} has no place for databases`);
      found = await locateTacoDatabase(root, folder, name);
      databases.set(key, found);
    }
    return found;
  };
  // The lock must list every input before the first row is built.
  const inputs = new Map(files.hashes);
  for (const { region, database } of files.named) {
    const found = await locate(region, database);
    if (found.kind === "sqlite") inputs.set(found.path, found.sha256);
  }
  return {
    root,
    version,
    inputs: Object.fromEntries([...inputs].sort(([a], [b]) => (a < b ? -1 : 1))),
    async *items() {
      for await (const item of files.rows()) {
        const { region, folder, name, path } = item.source;
        const key = `taco/all/${region}/${folder}/${name}`;
        if (item.kind === "error") {
          yield { bad: item.error, key, row: 0 };
          continue;
        }
        const { row_sha256, ...fields } = item.value;
        const location = await locate(region, fields.database);
        if (location.kind === "broken") {
          const problem = `names the database ${fields.database}, but ${location.reason}`;
          yield { bad: new SourceError({ file: path, field: "database" }, problem), key, row: 0 };
          continue;
        }
        const file_sha256 = files.hashes.get(path);
        if (file_sha256 === undefined) throw new Error(`${path} was not hashed`);
        yield {
          key,
          origin: { file: path, file_sha256, row: 0, row_sha256 },
          value: { ...fields, location: location as SourceRow["location"], source_version: version },
        };
      }
    },
  };
}
