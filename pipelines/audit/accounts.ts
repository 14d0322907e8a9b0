import { join } from "node:path";
import type { DroppedRow } from "../../schemas/types/dropped.js";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { LedgerEntry } from "../../schemas/types/ledger.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import { DROP_CODES } from "../engine/drop-codes.js";
import { readJsonl } from "../record/jsonl.js";
import type { DatasetFolder } from "../record/suite.js";
import type { Checks } from "./checks.js";
import { error, type Finding } from "./finding.js";
import { obeys, orUnreadable } from "./unreadable.js";

/** What a record says of where it comes from. */
export type Lineage = { record_id: string } & LedgerEntry["origin"];

type Origin = LedgerEntry["origin"];

/** A source row, as messages name it. */
const rowText = ({ file, row, row_sha256 }: Origin): string => `${file}, row ${row} (sha256 ${row_sha256})`;

/** Which ledger line each source row and each record belongs to. */
interface LedgerRows {
  ofRecord: Map<string, Origin>;
  ofRow: Map<string, Origin>;
}

const rowKey = ({ file, row }: Origin): string => `${row} ${file}`;

/**
 * Whether a record's own row contradicts its ledger line. A line is of one row, and a record may come of another one beside
 * it (Ambrosia gives each reading a row of its own), but not of one that another line is of.
 */
function contradicts(record: Origin, line: Origin, { ofRow }: LedgerRows): boolean {
  if (record.file !== line.file) return true;
  if ((record.row === line.row) !== (record.row_sha256 === line.row_sha256)) return true;
  const owner = ofRow.get(rowKey(record));
  return owner !== undefined && owner !== line;
}

const add = (counts: Map<string, number>, key: string, count = 1): void =>
  void counts.set(key, (counts.get(key) ?? 0) + count);

/** Drops have known reasons, and as many of each as the funnel says; the funnel adds up stage by stage. */
async function checkDrops(path: string, name: string, funnel: Funnel, checks: Checks): Promise<Finding[]> {
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
      checks.add("drops and their reasons");
    }
  });
  const counted = new Map<string, number>();
  let items = funnel.rows;
  checks.add("stages of funnels added up", funnel.stages.length);
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
): Promise<{ findings: Finding[]; ledger: LedgerRows }> {
  const findings: Finding[] = [];
  const ledger: LedgerRows = { ofRecord: new Map(), ofRow: new Map() };
  const file = `ledger/${dataset.dataset}.jsonl`;
  let rows = 0;
  await orUnreadable(findings, file, async () => {
    for await (const { value, line } of readJsonl<LedgerEntry>(dataset.ledger, { name: file })) {
      rows += 1;
      const place = `${file}, line ${line}`;
      const faults = obeys("ledger", value, "ledger", place);
      findings.push(...faults);
      if (faults.length > 0) continue;
      ledger.ofRow.set(rowKey(value.origin), value.origin);
      for (const id of value.record_ids) {
        if (ledger.ofRecord.has(id)) findings.push(error("ledger", place, `${id} is in the ledger twice`));
        ledger.ofRecord.set(id, value.origin);
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
  return { findings, ledger };
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
  checks: Checks,
): Promise<Finding[]> {
  const findings = await checkDrops(path, dataset.dataset, funnel, checks);
  const { findings: ofLedger, ledger } = await checkLedger(dataset, funnel, lock);
  findings.push(...ofLedger);
  checks.add("lineages from record to ledger row", records.length);
  for (const lineage of records) {
    const { record_id, file, file_sha256 } = lineage;
    const told = ledger.ofRecord.get(record_id);
    ledger.ofRecord.delete(record_id);
    if (told === undefined) findings.push(error("lineage", record_id, "is in no ledger line"));
    else if (contradicts(lineage, told, ledger)) {
      const message = `says that it comes from ${rowText(lineage)}, its ledger line is of ${rowText(told)}`;
      findings.push(error("lineage_row", record_id, message));
    }
    if (lock.inputs[file] !== file_sha256) {
      findings.push(error("lineage", record_id, `names ${file} with a hash that is not the lock's`));
    }
  }
  for (const id of ledger.ofRecord.keys())
    findings.push(error("lineage", id, "is in the ledger and not among the records"));
  return findings;
}
