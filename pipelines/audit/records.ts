import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { canonicalLine } from "../record/schema-order.js";
import type { DatasetFolder } from "../record/suite.js";
import type { JoinedRecord } from "../record/zones.js";
import type { Lineage } from "./accounts.js";
import type { Checks } from "./checks.js";
import { RecordCounts } from "./counts.js";
import { SchemaTexts } from "./database-schema.js";
import { error, type Finding, warning } from "./finding.js";
import { publicLeaks } from "./leaks.js";
import type { Secrets } from "./secrets.js";
import { obeys, orUnreadable } from "./unreadable.js";

type Entry = ReleaseManifest["datasets"][string];

/** What reading a dataset's records through came to. */
export interface CheckedRecords {
  findings: Finding[];
  /** Where the records come from, where the provenance zone is here. */
  lineage: Lineage[];
}

/** Whether an AVT's readings are one to whoever has only the public zone. */
class OnePublicZone {
  readonly #first = new Map<string, { open: string; place: string }>();

  add({ record_id, avt_id, split, slices, public: zone }: JoinedRecord): Finding[] {
    const open = JSON.stringify(zone);
    const place = JSON.stringify([split, slices]);
    const first = this.#first.get(avt_id);
    if (first === undefined) this.#first.set(avt_id, { open, place });
    else if (first.open !== open) {
      const message = "its public zone is not that of the AVT's other readings, and tells them apart";
      return [error("readings_told_apart", record_id, message)];
    } else if (first.place !== place) {
      const message = "its split or slices are not those of the AVT's other readings, and tell them apart";
      return [error("readings_told_apart", record_id, message)];
    }
    return [];
  }
}

/** The manifest's counts against what was read. */
function countFindings(name: string, counts: RecordCounts, entry: Entry, hasOracle: boolean): Finding[] {
  const seen = counts.counts();
  return Object.entries(seen).flatMap(([what, said]) => {
    const told = entry[what as keyof typeof seen];
    if ((what === "ambiguities" && !hasOracle) || JSON.stringify(told) === JSON.stringify(said)) return [];
    const message = `holds ${what} ${JSON.stringify(said)}, the manifest says ${JSON.stringify(told)}`;
    return [error("manifest", name, message)];
  });
}

/** Reads one dataset's records, looking at each as far as its zones are here. */
class RecordReader {
  readonly findings: Finding[] = [];
  readonly lineage: Lineage[] = [];
  readonly counts = new RecordCounts();
  readonly #bytes = createHash("sha256");
  readonly #publics = new OnePublicZone();
  readonly #schemas = new SchemaTexts();
  readonly #dataset: DatasetFolder;
  readonly #secrets: Secrets;

  constructor(dataset: DatasetFolder, secrets: Secrets) {
    this.#dataset = dataset;
    this.#secrets = secrets;
  }

  add(record: JoinedRecord, file: string, line: number): void {
    const place = `${file}, line ${line}`;
    const faults = this.#dataset.whole ? obeys("record", record, "schema", place) : [];
    this.findings.push(...faults);
    if (faults.length > 0) return;
    this.counts.add(record);
    this.#bytes.update(`${canonicalLine("record", record)}\n`);
    this.findings.push(...this.#publics.add(record));
    if (basename(file, ".jsonl") !== record.split)
      this.findings.push(
        error("split", record.record_id, `is of the split ${record.split} and stands in ${place}`),
      );
    const { record_id, provenance, oracle, verifier } = record;
    if (provenance !== undefined) {
      const { file: source, file_sha256, row, row_sha256 } = provenance;
      this.lineage.push({ record_id, file: source, file_sha256, row, row_sha256 });
    }
    if (oracle !== undefined) this.#leaks({ ...record, oracle, verifier: verifier ?? WITHHELD });
  }

  #leaks(record: Pick<TaskRecord, "record_id" | "public" | "oracle" | "verifier">): void {
    const { engine, path } = record.public.database;
    const schema = engine === "sqlite" ? this.#schemas.of(join(this.#dataset.databases, path)) : undefined;
    this.findings.push(...publicLeaks(record, schema));
    this.#secrets.add(record);
  }

  /** sha256 of the records as the build wrote them. */
  digest(): string {
    return this.#bytes.digest("hex");
  }
}

/** What stands in for a verifier zone that was left out: it has no text to look for. */
const WITHHELD: TaskRecord["verifier"] = {
  reference_sql: [],
  comparison: { policy: "multiset", ordered: false },
  verifiable: false,
  success: "comparison",
  category: "query",
};

/**
 * Reads one dataset's records through the zones that are here: schema, splits, leaks, counts, equal public zones within an
 * AVT, the build's bytes.
 *
 * @param secrets takes the private texts, to be looked for elsewhere
 */
export async function checkRecords(
  dataset: DatasetFolder,
  entry: Entry | undefined,
  lock: BuildLock | undefined,
  secrets: Secrets,
  checks: Checks,
): Promise<CheckedRecords> {
  const { dataset: name, whole, zones, folder } = dataset;
  const reader = new RecordReader(dataset, secrets);
  const { findings, lineage, counts } = reader;
  let readThrough = false;
  await orUnreadable(findings, name, async () => {
    for await (const { record, file, line } of dataset.partialRecords()) {
      reader.add(record, file.startsWith(folder) ? file.slice(folder.length + 1) : file, line);
      checks.add("records read through all zones that are here");
    }
    readThrough = true;
  });
  if (whole && lock !== undefined && reader.digest() !== lock.outputs["records.jsonl"]) {
    // Records that were built without their ground truth are other records with it; SHA256SUMS still binds them.
    const told = entry?.merged_ground_truth === undefined ? error : warning;
    findings.push(
      told("lineage", name, "the records, their zones joined, are not those that the build's lock names"),
    );
  }
  if (entry !== undefined && readThrough)
    findings.push(...countFindings(name, counts, entry, zones.includes("oracle")));
  return { findings: findings.map((one) => ({ ...one, dataset: name })), lineage };
}
