import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Funnel } from "../../schemas/types/funnel.js";
import type { BuildLock } from "../../schemas/types/lock.js";
import type { ReleaseManifest } from "../../schemas/types/manifest.js";
import { UserError } from "../errors.js";
import { type DatasetFolder, openSuite, type Suite } from "../record/suite.js";
import { checkAccounts } from "./accounts.js";
import { Checks } from "./checks.js";
import { SUMS_FILE } from "./checksums.js";
import { checkReleaseDocuments } from "./documents.js";
import { type CheckedFiles, checkFiles } from "./files.js";
import { error, type Finding } from "./finding.js";
import { checkGuesses } from "./guesses.js";
import { checkRecords } from "./records.js";
import { checkResponses } from "./responses.js";
import { Secrets } from "./secrets.js";
import { checkDatabaseTexts, checkDocuments } from "./shared-texts.js";
import { checkStatement } from "./statement.js";
import { checkAttribution, checkLicence, checkRedistribution } from "./terms.js";
import { orUnreadable, readChecked } from "./unreadable.js";
import { checkZones } from "./zones.js";

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

/** What a release says of itself, as far as it can be read. */
interface Told {
  manifest: ReleaseManifest;
  funnels: Record<string, Funnel> | undefined;
  locks: Record<string, BuildLock> | undefined;
}

/** Which datasets the manifest names and which are here. */
function checkNames(manifest: ReleaseManifest, datasets: readonly DatasetFolder[]): Finding[] {
  const here = new Set(datasets.map(({ dataset }) => dataset));
  const told = Object.keys(manifest.datasets);
  return [
    ...told
      .filter((name) => !here.has(name))
      .map((name) => error("manifest", name, "is in the manifest and not here")),
    ...[...here]
      .filter((name) => !told.includes(name))
      .map((name) => error("manifest", name, "is here and not in the manifest")),
  ];
}

/** One dataset: its terms, its records, its guesses and its accounts. */
async function checkDataset(
  path: string,
  dataset: DatasetFolder,
  { manifest, funnels, locks }: Told,
  { listed }: CheckedFiles,
  secrets: Secrets,
  checks: Checks,
): Promise<Finding[]> {
  const { dataset: name } = dataset;
  const [entry, funnel, lock] = [manifest.datasets[name], funnels?.[name], locks?.[name]];
  const findings = entry === undefined ? [] : checkLicence(name, entry);
  const { findings: ofRecords, lineage } = await checkRecords(dataset, entry, lock, secrets, checks);
  findings.push(...ofRecords);
  if (ofRecords.every(({ code }) => code !== "unreadable" && code !== "schema")) {
    await orUnreadable(findings, name, async () => {
      findings.push(...(await checkGuesses(dataset, checks)));
    });
  }
  if (funnel === undefined && funnels !== undefined) findings.push(error("manifest", name, "has no funnel"));
  if (funnel !== undefined && entry !== undefined && funnel.records !== entry.records) {
    findings.push(
      error("funnel", name, `the funnel counts ${funnel.records} records, the manifest ${entry.records}`),
    );
  }
  if (lock === undefined) {
    if (locks !== undefined) findings.push(error("manifest", name, "has no lock"));
    return findings;
  }
  findings.push(...checkBytes(name, lock, listed));
  if (funnel !== undefined && dataset.zones.includes("provenance"))
    findings.push(...(await checkAccounts(path, dataset, lineage, funnel, lock, checks)));
  return findings;
}

/** What an audit does beyond what every release's gate does. */
export interface AuditOptions {
  /** Takes count of what was looked at. */
  checks?: Checks;
  /** Look through every cell of every database for private text, too. */
  cells?: boolean;
  report?: (text: string) => void;
}

/** A finding that names files as the release does, wherever it lies. */
function within({ path }: Suite, finding: Finding): Finding {
  const relative = (text: string): string => text.replaceAll(`${path}/`, "");
  return { ...finding, place: relative(finding.place), message: relative(finding.message) };
}

/** Audits a release whose files are safe to be read. */
async function auditFiles(
  { path, datasets }: Suite,
  files: CheckedFiles,
  { checks = new Checks(), cells = false, report = () => undefined }: AuditOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const manifest = await readChecked<ReleaseManifest>(findings, path, "manifest.json", "manifest");
  if (manifest === undefined) return findings;
  findings.push(...checkZones(path, manifest), ...checkNames(manifest, datasets));
  findings.push(...checkAttribution(path, manifest, files.present, checks));
  findings.push(...(await checkRedistribution(path, manifest)));
  findings.push(...(await checkResponses(path, files.present, checks)));
  findings.push(...(await checkStatement(path, files.listed)));
  const funnels = await readChecked<Record<string, Funnel>>(findings, path, "funnel.json", "funnel", {
    each: true,
  });
  const locks = manifest.zones.includes("provenance")
    ? await readChecked<Record<string, BuildLock>>(findings, path, "lock.json", "lock", { each: true })
    : undefined;
  const secrets = new Secrets();
  for (const dataset of datasets) {
    report(dataset.dataset);
    const told = { manifest, funnels, locks };
    findings.push(...(await checkDataset(path, dataset, told, files, secrets, checks)));
  }
  findings.push(...(await checkReleaseDocuments({ path, ...files }, checks)));
  if (secrets.size === 0) {
    checks.leftOut("documents looked through for private text", "the private zones are not here");
    return findings;
  }
  checks.add("private texts looked for", secrets.size);
  const search = secrets.search();
  findings.push(...checkDocuments(path, files.present, search, checks));
  if (cells) findings.push(...(await checkDatabaseTexts(path, files.present, search, checks, report)));
  return findings;
}

/**
 * Audits a release from its files alone: hashes, zones, manifest, licences, leaks, guesses, drops, funnel and lineage.
 * Nothing is executed. Whatever was done to the files is a finding, never an exception.
 *
 * @returns findings; the audit fails if one is an error
 */
export async function auditRelease(suite: Suite, options: AuditOptions = {}): Promise<Finding[]> {
  const files = await checkFiles(suite.path, options.checks ?? new Checks());
  if (files.unsafe) return [...files.findings, notRead(suite.path)];
  const read = await auditFiles(suite, files, options);
  return [...files.findings, ...read.map((one) => within(suite, one))];
}

const notRead = (path: string): Finding =>
  error("not_checked", path, "holds files that are not safe to be read, so none was read as what it is");

/**
 * Audits what a person names as a release, however damaged: a release so damaged that it cannot be opened has findings
 * and no suite.
 *
 * @throws UserError when the folder is no release at all
 */
export async function auditFolder(
  path: string,
  options: AuditOptions = {},
): Promise<{ suite: Suite | undefined; findings: Finding[] }> {
  const looksReleased = existsSync(join(path, SUMS_FILE)) || existsSync(join(path, "manifest.json"));
  if (!looksReleased) return { suite: openSuite(path), findings: [] };
  // Before anything is opened: what looks like a file may be a link or a pipe.
  const files = await checkFiles(path, options.checks ?? new Checks());
  const findings = [...files.findings];
  if (files.unsafe) return { suite: undefined, findings: [...findings, notRead(path)] };
  let opened: Suite | undefined;
  if (existsSync(join(path, SUMS_FILE)) && existsSync(join(path, "public"))) {
    await orUnreadable(findings, path, () => {
      try {
        opened = openSuite(path);
      } catch (cause) {
        // It is a release, as its files say: one that cannot be opened is what was asked for.
        if (!(cause instanceof UserError)) throw cause;
        findings.push(error("unreadable", path, cause.message));
      }
    });
  }
  // The compiler does not see what the work has assigned.
  const suite = opened as Suite | undefined;
  if (suite !== undefined) {
    const read = await auditFiles(suite, files, options);
    findings.push(...read.map((one) => within(suite, one)));
  } else if (findings.length === 0)
    findings.push(error("unreadable", path, "the folder public is not there"));
  return { suite, findings };
}
