import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { MANIFESTS, REDISTRIBUTION_TERMS } from "../../sources/index.js";
import { canonicalLine } from "../record/schema-order.js";
import { type DatasetFolder, openSuite, type Suite } from "../record/suite.js";
import { ZONES } from "../record/zones.js";
import { checkAccounts, type Lineage } from "./accounts.js";
import { compareSums, SUMS_FILE } from "./checksums.js";
import { RecordCounts } from "./counts.js";
import { error, type Finding, warning } from "./finding.js";
import { publicLeaks } from "./leaks.js";
import { checkStatement } from "./statement.js";
import { obeys, orUnreadable, readChecked } from "./unreadable.js";

/** Whether the files are those that SHA256SUMS lists; what it lists goes on to the other checks. */
async function checkFiles(path: string): Promise<{ findings: Finding[]; listed: Map<string, string> }> {
  const { listed, faults } = await compareSums(path);
  const words = {
    changed: "is not what SHA256SUMS says",
    missing: "is not there",
    unlisted: "is not in SHA256SUMS",
    misread: "is no sha256 and file name of its own",
  };
  const remedy = "take the release again from where it was published";
  const findings = faults.map(({ file, fault }) =>
    error(`file_${fault}`, file, `${file} ${words[fault]}`, remedy),
  );
  return { findings, listed };
}

/** Folders and files of private zones in a release that says it has none, or the other way round. */
function checkZones(path: string, { zones, datasets }: ReleaseManifest): Finding[] {
  const here = (name: string): boolean => existsSync(join(path, name));
  const findings: Finding[] = [];
  for (const zone of ZONES) {
    if (!zones.includes(zone)) {
      if (here(zone)) findings.push(error("zone", zone, `the zone ${zone} is here and not in the manifest`));
      continue;
    }
    for (const [dataset, { splits, zones: own = zones }] of Object.entries(datasets)) {
      for (const split of Object.keys(splits)) {
        const file = `${zone}/${dataset}/${split}.jsonl`;
        if (own.includes(zone) === here(file)) continue;
        const message = own.includes(zone)
          ? `the zone ${zone} of ${dataset} is missing`
          : `the zone ${zone} of ${dataset} is here, and the manifest says that it was left out`;
        findings.push(error("zone", file, message));
      }
    }
  }
  if (!zones.includes("provenance")) {
    for (const name of ["dropped", "ledger", "lock.json", "responses"]) {
      if (here(name))
        findings.push(error("zone", name, `${name} goes with the private zones, which are not here`));
    }
  }
  return findings;
}

/** What a source asks for must stand in the manifest as it is. */
function checkLicence(name: string, entry: ReleaseManifest["datasets"][string]): Finding[] {
  const source = Object.values(MANIFESTS).find((one) => one.source === entry.source);
  if (source === undefined) return [error("licence", name, `names an unknown source ${entry.source}`)];
  const { licence, redistribution } = source;
  const terms = `${redistribution}: ${REDISTRIBUTION_TERMS[redistribution]}`;
  const asked = { licence: licence.id, attribution: licence.attribution, redistribution: terms };
  return (["licence", "attribution", "redistribution"] as const)
    .filter((field) => entry[field] !== asked[field])
    .map((field) => error("licence", name, `the manifest's ${field} is not that of ${entry.source}`));
}

/** The build's hashes against the release's: drops, ledger and databases are the build's own bytes. */
function checkBytes(name: string, lock: BuildLock, listed: ReadonlyMap<string, string>): Finding[] {
  const expected = [
    ...["dropped", "ledger"].map((kind) => [`${kind}/${name}.jsonl`, lock.outputs[`${kind}.jsonl`]] as const),
    ...Object.entries(lock.databases).map(
      ([file, { sha256 }]) => [`databases/${name}/${file}`, sha256] as const,
    ),
  ];
  return expected
    .filter(([file, sha256]) => listed.get(file) !== sha256)
    .map(([file]) => error("lineage", file, `${file} is not what the build's lock says`));
}

/** Reads one dataset's records through all its zones: leaks, counts, equal public zones within an AVT, the build's bytes. */
async function checkRecords(
  dataset: DatasetFolder,
  entry: ReleaseManifest["datasets"][string] | undefined,
  lock: BuildLock | undefined,
): Promise<{ findings: Finding[]; lineage: Lineage[] }> {
  const findings: Finding[] = [];
  const lineage: Lineage[] = [];
  const { dataset: name, whole } = dataset;
  const counts = new RecordCounts();
  const bytes = createHash("sha256");
  const publics = new Map<string, string>();
  let whole_file = true;
  await orUnreadable(findings, name, async () => {
    whole_file = false;
    const stream = whole ? dataset.records() : dataset.publicRecords();
    for await (const { record, file, line } of stream) {
      const faults = whole ? obeys("record", record, "schema", `${file}, line ${line}`) : [];
      findings.push(...faults);
      if (faults.length > 0) continue;
      counts.add(record);
      bytes.update(`${canonicalLine("record", record)}\n`);
      const open = JSON.stringify(record.public);
      const first = publics.get(record.avt_id);
      if (first === undefined) publics.set(record.avt_id, open);
      else if (first !== open) {
        const message = "its public zone is not that of the AVT's other readings, and tells them apart";
        findings.push(error("readings_told_apart", record.record_id, message));
      }
      if (!whole) continue;
      const { record_id, provenance } = record as TaskRecord;
      lineage.push({ record_id, file: provenance.file, file_sha256: provenance.file_sha256 });
      findings.push(...publicLeaks(record as TaskRecord));
    }
    whole_file = true;
  });
  if (whole && lock !== undefined && bytes.digest("hex") !== lock.outputs["records.jsonl"]) {
    // Records that were built without their ground truth are other records with it; SHA256SUMS still binds them.
    const told = entry?.merged_ground_truth === undefined ? error : warning;
    findings.push(
      told("lineage", name, "the records, their zones joined, are not those that the build's lock names"),
    );
  }
  if (entry !== undefined && whole_file) {
    const seen = counts.counts();
    for (const [what, said] of Object.entries(seen)) {
      const told = entry[what as keyof typeof seen];
      if (what === "ambiguities" && !whole) continue;
      if (JSON.stringify(told) === JSON.stringify(said)) continue;
      const [is, was] = [JSON.stringify(said), JSON.stringify(told)];
      findings.push(error("manifest", name, `holds ${what} ${is}, the manifest says ${was}`));
    }
  }
  return { findings, lineage };
}

/**
 * Audits a release from its files alone: hashes, zones, manifest, licences, leaks, drops, funnel and lineage. Nothing is
 * executed. Whatever was done to the files is a finding, never an exception.
 *
 * @returns findings; the audit fails if one is an error
 */
export async function auditRelease({ path, datasets }: Suite): Promise<Finding[]> {
  const { findings, listed } = await checkFiles(path);
  const manifest = await readChecked<ReleaseManifest>(findings, path, "manifest.json", "manifest");
  if (manifest === undefined) return findings;
  findings.push(...checkZones(path, manifest));
  findings.push(...(await checkStatement(path, listed)));
  const funnels = await readChecked<Record<string, Funnel>>(findings, path, "funnel.json", "funnel", {
    each: true,
  });
  const locks = manifest.zones.includes("provenance")
    ? await readChecked<Record<string, BuildLock>>(findings, path, "lock.json", "lock", { each: true })
    : undefined;
  for (const name of Object.keys(manifest.datasets)) {
    if (datasets.every(({ dataset }) => dataset !== name))
      findings.push(error("manifest", name, "is in the manifest and not here"));
  }
  for (const dataset of datasets) {
    const { dataset: name } = dataset;
    const entry = manifest.datasets[name];
    if (entry === undefined) findings.push(error("manifest", name, "is here and not in the manifest"));
    else findings.push(...checkLicence(name, entry));
    const [funnel, lock] = [funnels?.[name], locks?.[name]];
    const { findings: ofRecords, lineage } = await checkRecords(dataset, entry, lock);
    findings.push(...ofRecords);
    if (funnel === undefined && funnels !== undefined)
      findings.push(error("manifest", name, "has no funnel"));
    if (funnel !== undefined && entry !== undefined && funnel.records !== entry.records) {
      findings.push(
        error("funnel", name, `the funnel counts ${funnel.records} records, the manifest ${entry.records}`),
      );
    }
    if (lock === undefined) {
      if (locks !== undefined) findings.push(error("manifest", name, "has no lock"));
      continue;
    }
    findings.push(...checkBytes(name, lock, listed));
    if (funnel !== undefined && dataset.whole)
      findings.push(...(await checkAccounts(path, dataset, lineage, funnel, lock)));
  }
  return findings;
}

/**
 * Audits what a person names as a release, however damaged: a release so damaged that it cannot be opened has findings
 * and no suite.
 *
 * @throws UserError when the folder is no release at all
 */
export async function auditFolder(path: string): Promise<{ suite: Suite | undefined; findings: Finding[] }> {
  const findings: Finding[] = [];
  let suite: Suite | undefined;
  const looksReleased = existsSync(join(path, SUMS_FILE)) || existsSync(join(path, "manifest.json"));
  if (!looksReleased) return { suite: openSuite(path), findings };
  if (existsSync(join(path, SUMS_FILE)) && existsSync(join(path, "public"))) {
    await orUnreadable(findings, path, () => {
      suite = openSuite(path);
    });
  }
  if (suite === undefined) findings.push(...(await checkFiles(path)).findings);
  else findings.push(...(await auditRelease(suite)));
  if (suite === undefined && findings.length === 0)
    findings.push(error("unreadable", path, "the folder public is not there"));
  return { suite, findings };
}
