import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { LineFile } from "../../engine/line-file.js";
import { canonicalLine } from "../../record/schema-order.js";
import type { ChosenDataset } from "./chosen.js";
import type { Written } from "./written.js";

/** One line a record, its zones joined: with all of them, the very line of the build. */
export async function writeJsonl(work: string, chosen: ChosenDataset): Promise<Written> {
  const { dataset } = chosen;
  mkdirSync(join(work, dataset), { recursive: true });
  const files = new Map<string, { file: LineFile; records: number }>();
  try {
    for await (const { record } of chosen.records()) {
      const path = `${dataset}/${record.split}.jsonl`;
      let open = files.get(path);
      if (open === undefined) {
        open = { file: new LineFile(join(work, path)), records: 0 };
        files.set(path, open);
      }
      open.file.line(canonicalLine("record", record));
      open.records += 1;
    }
    const counts = new Map([...files].map(([path, { records }]) => [path, records]));
    for (const { file } of files.values()) file.close();
    return { records: counts, left_out: {} };
  } finally {
    for (const { file } of files.values()) file.abandon();
  }
}
