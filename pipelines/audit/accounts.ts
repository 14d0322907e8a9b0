import { join } from "node:path";
import type { DroppedRow } from "../../schemas/types/dropped.js";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import { DROP_CODES } from "../engine/drop-codes.js";
import { readJsonl } from "../record/jsonl.js";
import type { DatasetFolder } from "../record/suite.js";
import { error, type Finding } from "./finding.js";
import { obeys, orUnreadable } from "./unreadable.js";

const add = (counts: Map<string, number>, key: string, count = 1): void =>
  void counts.set(key, (counts.get(key) ?? 0) + count);

/** Drops have known reasons, and as many of each as the funnel says; the funnel adds up stage by stage. */
async function checkDrops(path: string, name: string, funnel: Funnel): Promise<Finding[]> {
  const findings: Finding[] = [];
  const listed = new Map<string, number>();
  const file = `dropped/${name}.jsonl`;
  await orUnreadable(findings, file, async () => {
    for await (const { value, line } of readJsonl<DroppedRow>(join(path, file), { name: file })) {
      const place = `${file}, line ${line}`;
      const faults = obeys("dropped", value, "drop_schema", place);
      findings.push(...faults);
      if (faults.length > 0) continue;
      if (!Object.hasOwn(DROP_CODES, value.reason)) {
        findings.push(
          error("drop_reason", place, `"${value.reason}" is no reason code that this ambitab knows`),
        );
      }
      add(listed, value.reason);
    }
  });
  const counted = new Map<string, number>();
  let items = funnel.rows;
  for (const { stage, in: taken, kept, dropped, out, reasons } of funnel.stages) {
    const told = Object.values(reasons).reduce((sum, count) => sum + count, 0);
    if (taken !== items || taken !== kept + dropped || told !== dropped || out < kept) {
      findings.push(error("funnel", name, `the funnel does not add up at stage ${stage}`));
    }
    items = out;
    for (const [reason, count] of Object.entries(reasons)) add(counted, reason, count);
  }
  for (const reason of new Set([...listed.keys(), ...counted.keys()])) {
    const [there, said] = [listed.get(reason) ?? 0, counted.get(reason) ?? 0];
    if (there === said) continue;
    findings.push(error("funnel", name, `${there} rows are listed as ${reason}, the funnel counts ${said}`));
  }
  return findings;
}

/** Every source row is in the ledger, was dropped or became records, and comes from a file that the lock knows. */
async function checkLedger(
  dataset: DatasetFolder,
  funnel: Funnel,
  lock: BuildLock,
): Promise<{ findings: Finding[]; inLedger: Set<string> }> {
  const findings: Finding[] = [];
  const inLedger = new Set<string>();
  const file = `ledger/${dataset.dataset}.jsonl`;
  let rows = 0;
  await orUnreadable(findings, file, async () => {
    for await (const { value, line } of readJsonl<LedgerEntry>(dataset.ledger, { name: file })) {
      rows += 1;
      const place = `${file}, line ${line}`;
      const faults = obeys("ledger", value, "ledger", place);
      findings.push(...faults);
      if (faults.length > 0) continue;
      for (const id of value.record_ids) {
        if (inLedger.has(id)) findings.push(error("ledger", place, `${id} is in the ledger twice`));
        inLedger.add(id);
      }
      const dropped = value.steps.some(({ outcome }) => outcome === "dropped");
      if (!dropped && value.record_ids.length === 0) {
        findings.push(error("ledger", place, `${value.key} was neither dropped nor kept`));
      }
      const { file: source, file_sha256 } = value.origin;
      if (lock.inputs[source] !== file_sha256) {
        findings.push(error("lineage", value.key, `comes from ${source}, whose hash is not the lock's`));
      }
    }
    if (rows !== funnel.rows) {
      findings.push(
        error("ledger", dataset.dataset, `the ledger has ${rows} rows, the funnel counts ${funnel.rows}`),
      );
    }
  });
  return { findings, inLedger };
}

/** What records say of where they come from. */
export interface Lineage {
  record_id: string;
  file: string;
  file_sha256: string;
}

/**
 * The accounts of one dataset of a whole release: drops, funnel and ledger agree with each other and with the records.
 *
 * @param records what the records that are there say of themselves
 */
export async function checkAccounts(
  path: string,
  dataset: DatasetFolder,
  records: readonly Lineage[],
  funnel: Funnel,
  lock: BuildLock,
): Promise<Finding[]> {
  const findings = await checkDrops(path, dataset.dataset, funnel);
  const { findings: ofLedger, inLedger } = await checkLedger(dataset, funnel, lock);
  findings.push(...ofLedger);
  for (const { record_id, file, file_sha256 } of records) {
    if (!inLedger.delete(record_id)) findings.push(error("lineage", record_id, "is in no ledger line"));
    if (lock.inputs[file] !== file_sha256) {
      findings.push(error("lineage", record_id, `names ${file} with a hash that is not the lock's`));
    }
  }
  for (const id of inLedger)
    findings.push(error("lineage", id, "is in the ledger and not among the records"));
  return findings;
}
