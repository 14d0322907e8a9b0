import { readBirdInteract, readReviewed } from "../../../sources/bird-interact/index.js";
import type { GivenFiles, SourceStream } from "../../engine/pipeline.js";
import type { BuildSettings } from "../../engine/stage.js";
import type { SourceTask } from "./items.js";

const grouped = <T extends { instance_id: string }>(entries: readonly T[]): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const entry of entries)
    groups.set(entry.instance_id, [...(groups.get(entry.instance_id) ?? []), entry]);
  return groups;
};

/**
 * Opens BIRD-Interact's tasks, joined with their ground truth, knowledge and dumps, and with what is reviewed of them:
 * repairs and frozen responses. Every file that is read is hashed first.
 */
export async function openBirdInteract(
  root: string,
  _settings: BuildSettings,
  version: string,
  { catalogue }: GivenFiles = {},
): Promise<SourceStream<SourceTask>> {
  const source = await readBirdInteract(root);
  const reviewed = readReviewed(catalogue);
  const repairs = grouped(reviewed.repairs);
  const responses = grouped(reviewed.catalogue);
  const inputs = [...source.hashes, ...reviewed.hashes].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    root,
    version,
    inputs: Object.fromEntries(inputs),
    async *items() {
      for (const item of source.tasks()) {
        const { file, row } = item;
        if (item.kind === "error") {
          yield { bad: item.error, key: `bird-interact/all/${file.split("/")[0]}-row-${row}`, row };
          continue;
        }
        const { row_sha256, ...task } = item.value;
        const { instance_id } = task;
        yield {
          key: `bird-interact/all/${instance_id}`,
          origin: { file, file_sha256: source.hashes.get(file) ?? "", row, row_sha256 },
          value: {
            ...task,
            database: item.database,
            repairs: repairs.get(instance_id) ?? [],
            catalogue: responses.get(instance_id) ?? [],
            source_version: version,
          },
        };
      }
    },
  };
}
