/** The bundled sample of AmbiQT, built by the real pipeline into a temporary folder. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GuessableRecord } from "../../pipelines/audit/guess.js";
import { ambiqt } from "../../pipelines/datasets/ambiqt/pipeline.js";
import { runPipeline } from "../../pipelines/engine/run.js";
import type { BuildSettings } from "../../pipelines/engine/stage.js";
import { type DatasetFolder, openSuite } from "../../pipelines/record/suite.js";
import { sampleFolder } from "../../sources/index.js";

export interface BuiltSuite {
  out: string;
  dataset: DatasetFolder;
  remove(): void;
}

const SETTINGS: BuildSettings = { seed: 1, limit: null, strict_readings: false, keep_going: false };

/** Builds AmbiQT from a source folder; of the sample where none is named. */
export async function builtAmbiqt(root = sampleFolder("ambiqt"), seed = 1): Promise<BuiltSuite> {
  const out = mkdtempSync(join(tmpdir(), "ambitab-built-"));
  await runPipeline(ambiqt, { out, root, settings: { ...SETTINGS, seed }, jobs: 2 });
  return suiteOf(out);
}

export function suiteOf(out: string): BuiltSuite {
  const [dataset] = openSuite(out).datasets;
  if (dataset === undefined) throw new Error(`nothing was built in ${out}`);
  return { out, dataset, remove: () => rmSync(out, { recursive: true, force: true }) };
}

/** A copy that a test may spoil. */
export function copyOf({ out }: BuiltSuite): BuiltSuite {
  const copy = mkdtempSync(join(tmpdir(), "ambitab-copy-"));
  cpSync(join(out, "build"), join(copy, "build"), { recursive: true });
  return suiteOf(copy);
}

/** Adds where the source lists each alternative: the first is query1's, the second query2's. */
export function withSourceOrder(records: GuessableRecord[], validation: string): GuessableRecord[] {
  const rows = JSON.parse(readFileSync(validation, "utf8")) as {
    orig_example_idx: number;
    extra_map: Record<string, Record<string, string[]>>;
  }[];
  const orders = new Map<string, string[]>(
    rows.flatMap(({ orig_example_idx, extra_map }) =>
      Object.entries(extra_map).flatMap(([table, columns]) =>
        Object.entries(columns).map(
          ([column, names]) => [`ambiqt/validation/${orig_example_idx}.${table}.${column}`, names] as const,
        ),
      ),
    ),
  );
  return records.map((record) => {
    const at = orders.get(record.avt_id)?.indexOf(record.choice) ?? -1;
    if (at < 0) throw new Error(`the source does not list ${record.choice} for ${record.avt_id}`);
    return { ...record, source_position: at };
  });
}
