import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DroppedRow } from "../../schemas/types/dropped.js";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import { DROP_CODES } from "../engine/drop-codes.js";
import { schemaFaults } from "../record/check-schema.js";
import { readJsonl } from "../record/jsonl.js";
import type { DatasetFolder, Suite } from "../record/suite.js";
import { ZONES } from "../record/zones.js";
import { checksumFaults } from "./checksums.js";
import type { Finding } from "./finding.js";
import { publicLeaks } from "./leaks.js";

const error = (code: string, place: string, message: string, remedy?: string): Finding =>
  remedy === undefined
    ? { severity: "error", code, place, message }
    : { severity: "error", code, place, message, remedy };

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8")) as T;

/** Whether the files are those that SHA256SUMS lists. */
async function checkFiles(path: string): Promise<Finding[]> {
  const faults = await checksumFaults(path);
  return faults.map(({ file, fault }) => {
    const words = {
      changed: "is not what SHA256SUMS says",
      missing: "is not there",
      unlisted: "is not in SHA256SUMS",
    };
    return error(
      `file_${fault}`,
      file,
      `${file} ${words[fault]}`,
      "take the release again from where it was published",
    );
  });
}

/** A private zone's folder in a release that says it has none, or the other way round. */
function checkZones(path: string, manifest: ReleaseManifest): Finding[] {
  return ZONES.flatMap((zone) => {
    const here = existsSync(join(path, zone));
    if (here === manifest.zones.includes(zone)) return [];
    return [
      error(
        "zone",
        zone,
        here ? `the zone ${zone} is here and not in the manifest` : `the zone ${zone} is missing`,
      ),
    ];
  });
}

/** Records against the manifest and the leak scan. */
async function checkRecords(dataset: DatasetFolder, manifest: ReleaseManifest): Promise<Finding[]> {
  const findings: Finding[] = [];
  const entry = manifest.datasets[dataset.dataset];
  if (entry === undefined) return [error("manifest", dataset.dataset, "is here and not in the manifest")];
  let records = 0;
  if (dataset.whole) {
    for await (const { record } of dataset.records()) {
      records += 1;
      findings.push(...publicLeaks(record));
    }
  } else {
    for await (const _ of dataset.publicRecords()) records += 1;
  }
  if (records !== entry.records) {
    findings.push(
      error("manifest", dataset.dataset, `holds ${records} records, the manifest says ${entry.records}`),
    );
  }
  return findings;
}

/** Drops have known reasons, the funnel adds up, and every record is in the ledger and every ledger row accounted for. */
async function checkAccounts(
  path: string,
  dataset: DatasetFolder,
  funnel: Funnel,
  lock: BuildLock,
): Promise<Finding[]> {
  const { dataset: name } = dataset;
  const findings: Finding[] = [];
  const reasons = new Map<string, number>();
  const droppedFile = join(path, "dropped", `${name}.jsonl`);
  for await (const { value, line } of readJsonl<DroppedRow>(droppedFile)) {
    const place = `dropped/${name}.jsonl, line ${line}`;
    for (const fault of schemaFaults("dropped", value)) findings.push(error("drop_schema", place, fault));
    if (!Object.hasOwn(DROP_CODES, value.reason)) {
      findings.push(
        error("drop_reason", place, `"${value.reason}" is no reason code that this ambitab knows`),
      );
    }
    reasons.set(value.reason, (reasons.get(value.reason) ?? 0) + 1);
  }
  const told = new Map<string, number>();
  let items = funnel.rows;
  for (const stage of funnel.stages) {
    if (stage.in !== items || stage.in !== stage.kept + stage.dropped) {
      findings.push(error("funnel", name, `the funnel does not add up at stage ${stage.stage}`));
    }
    items = stage.out;
    for (const [reason, count] of Object.entries(stage.reasons))
      told.set(reason, (told.get(reason) ?? 0) + count);
  }
  for (const reason of new Set([...reasons.keys(), ...told.keys()])) {
    const [listed, counted] = [reasons.get(reason) ?? 0, told.get(reason) ?? 0];
    if (listed !== counted) {
      findings.push(
        error("funnel", name, `${listed} rows are listed as ${reason}, the funnel counts ${counted}`),
      );
    }
  }
  const inLedger = new Set<string>();
  let rows = 0;
  for await (const { value, line } of readJsonl<LedgerEntry>(dataset.ledger)) {
    rows += 1;
    for (const id of value.record_ids) inLedger.add(id);
    const dropped = value.steps.some(({ outcome }) => outcome === "dropped");
    if (!dropped && value.record_ids.length === 0) {
      findings.push(
        error("ledger", `ledger/${name}.jsonl, line ${line}`, `${value.key} was neither dropped nor kept`),
      );
    }
    const known = lock.inputs[value.origin.file];
    if (known !== value.origin.file_sha256) {
      findings.push(
        error("lineage", value.key, `comes from ${value.origin.file}, whose hash is not the lock's`),
      );
    }
  }
  if (rows !== funnel.rows) {
    findings.push(error("ledger", name, `the ledger has ${rows} rows, the funnel counts ${funnel.rows}`));
  }
  for await (const { record } of dataset.records()) {
    if (!inLedger.delete(record.record_id)) {
      findings.push(error("lineage", record.record_id, "is in no ledger line"));
    }
    const { file, file_sha256 } = record.provenance;
    if (lock.inputs[file] !== file_sha256) {
      findings.push(error("lineage", record.record_id, `names ${file} with a hash that is not the lock's`));
    }
  }
  for (const id of inLedger)
    findings.push(error("lineage", id, "is in the ledger and not among the records"));
  return findings;
}

/**
 * Audits a release from its files alone: hashes, zones, manifest, leaks, drops, funnel and lineage. Nothing is executed.
 *
 * @returns findings; the audit fails if one is an error
 */
export async function auditRelease(suite: Suite): Promise<Finding[]> {
  const { path } = suite;
  const manifest = readJson<ReleaseManifest>(join(path, "manifest.json"));
  const findings = await checkFiles(path);
  findings.push(
    ...schemaFaults("manifest", manifest).map((fault) => error("manifest", "manifest.json", fault)),
  );
  findings.push(...checkZones(path, manifest));
  const funnels = readJson<Record<string, Funnel>>(join(path, "funnel.json"));
  const locks = readJson<Record<string, BuildLock>>(join(path, "lock.json"));
  for (const dataset of suite.datasets) {
    findings.push(...(await checkRecords(dataset, manifest)));
    const [funnel, lock] = [funnels[dataset.dataset], locks[dataset.dataset]];
    if (funnel === undefined || lock === undefined) {
      findings.push(error("manifest", dataset.dataset, "has no funnel or no lock"));
    } else if (dataset.whole) findings.push(...(await checkAccounts(path, dataset, funnel, lock)));
  }
  return findings;
}
