import { existsSync } from "node:fs";
import { join } from "node:path";
import type { TaskRecord } from "../../schemas/types/record.js";
import { PIPELINES } from "../datasets/index.js";
import { databaseProblems } from "../engine/database-problems.js";
import { mapOrdered } from "../engine/ordered.js";
import { normalKey } from "../oracle/index.js";
import { schemaFaults } from "../record/check-schema.js";
import { traitsOf } from "../record/datasets.js";
import type { DatasetFolder } from "../record/suite.js";
import { readsSchemaVersion } from "../record/version.js";
import type { SqlEngines } from "../sql/engines.js";
import { compareExecutions, describeFailure } from "../sql/index.js";
import { error, type Finding, warning } from "./finding.js";
import { checkPostgresReadings } from "./postgres-readings.js";

/** A record and where it stands, for messages. */
interface Placed {
  record: TaskRecord;
  file: string;
  line: number;
}

/** ` word word ` for containment tests on word boundaries. */
const words = (text: string): string =>
  ` ${text
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(normalKey)
    .join(" ")} `;

/** The schema leaves open which datasets there are: they are those that can be built, each from its one source. */
function checkDataset({ record_id, dataset, provenance }: TaskRecord): Finding[] {
  const known = PIPELINES.find((one) => one.dataset === dataset);
  if (known === undefined) {
    const names = PIPELINES.map((one) => one.dataset).join(", ");
    return [error("dataset_unknown", record_id, `there is no dataset "${dataset}" (there are ${names})`)];
  }
  if (provenance.source === known.source) return [];
  const message = `is of ${dataset}, which is made from ${known.source}, and names the source "${provenance.source}"`;
  return [error("source_differs", record_id, message)];
}

function checkAmbiguities({ record }: Placed): Finding[] {
  const findings: Finding[] = [];
  const { record_id } = record;
  const terms = new Map<string, string>();
  const request = words(record.public.request);
  for (const one of record.oracle.ambiguities) {
    const key = normalKey(one.term);
    const twin = terms.get(key);
    if (key === "") {
      findings.push(error("term_empty", record_id, `the term "${one.term}" has no word or number in it`));
    } else if (twin !== undefined) {
      findings.push(
        error("terms_equal", record_id, `the terms "${twin}" and "${one.term}" are one after normalisation`),
      );
    }
    terms.set(key, one.term);
    if (one.counts && one.resolution.trim() === "") {
      findings.push(error("resolution_empty", record_id, `"${one.term}" counts and has no resolution`));
    }
    if (one.counts && one.response.trim() === "") {
      findings.push(error("response_empty", record_id, `"${one.term}" counts and has no response`));
    }
    if (one.response_status === "needs_review") {
      findings.push(warning("needs_review", record_id, `the response for "${one.term}" waits for a review`));
    }
    if (!request.includes(words(one.term))) {
      findings.push(
        warning("term_not_in_request", record_id, `the term "${one.term}" is not in the request`),
      );
    }
  }
  return findings;
}

/** What holds across records: unique ids, and one request and one set of terms per AVT. */
class AcrossRecords {
  readonly #ids = new Map<string, string>();
  readonly #avts = new Map<string, { request: string; terms: string; record_id: string }>();
  /** Per AVT, what its readings would be recognised by in the request. */
  readonly #choices = new Map<string, { request: string; names: Set<string>; ids: string[] }>();

  add({ record, file, line }: Placed): Finding[] {
    const findings: Finding[] = [];
    const { record_id, avt_id } = record;
    const place = `${file}, line ${line}`;
    const earlier = this.#ids.get(record_id);
    if (earlier !== undefined) {
      findings.push(error("record_id_twice", record_id, `stands at ${earlier} and again at ${place}`));
    }
    this.#ids.set(record_id, earlier ?? place);
    const request = record.public.request;
    const terms = JSON.stringify(record.oracle.ambiguities.map(({ term }) => normalKey(term)).sort());
    const first = this.#avts.get(avt_id);
    if (first === undefined) this.#avts.set(avt_id, { request, terms, record_id });
    else {
      const differs =
        first.request !== request ? "request" : first.terms !== terms ? "set of terms" : undefined;
      if (differs !== undefined) {
        findings.push(
          error("avt_differs", record_id, `has another ${differs} than ${first.record_id} of the same AVT`),
        );
      }
    }
    const choices = this.#choices.get(avt_id) ?? { request, names: new Set<string>(), ids: [] };
    for (const { sql_snippet, resolution, kind } of record.oracle.ambiguities) {
      if (kind === "column_choice" && sql_snippet !== undefined) choices.names.add(sql_snippet);
      else choices.names.add(resolution);
    }
    choices.ids.push(record_id);
    this.#choices.set(avt_id, choices);
    return findings;
  }

  /** Requests that name what was to be asked: one finding an AVT. */
  close(): Finding[] {
    return [...this.#choices.values()].flatMap(({ request, names, ids }) => {
      const text = words(request);
      const named = [...names].filter((name) => words(name).trim() !== "" && text.includes(words(name)));
      const [place] = ids;
      if (named.length === 0 || place === undefined) return [];
      return [warning("names_reading", place, `the request names ${named.join(" and ")} verbatim`)];
    });
  }
}

/** What is wrong with a database file; each file is checked once. */
function checkDatabase(path: string, checked: Map<string, string[]>): string[] {
  const known = checked.get(path);
  if (known !== undefined) return known;
  const problems = existsSync(path) ? databaseProblems(path) : ["the file is not there"];
  checked.set(path, problems);
  return problems;
}

/** Runs the reference and every alternative under the record's own comparison. */
async function checkReadings(record: TaskRecord, database: string, sandbox: SqlEngines): Promise<Finding[]> {
  const { record_id, verifier } = record;
  const findings: Finding[] = [];
  const [reference] = verifier.reference_sql;
  if (reference === undefined) return findings;
  const gold = await sandbox.run({ database, sql: reference });
  if (gold.outcome !== "rows") {
    return [error("reference_fails", record_id, `the reference SQL: ${describeFailure(gold)}`)];
  }
  if (gold.row_count === 0) {
    // A dataset may say that an empty result is an answer.
    const rule = traitsOf(record.dataset).emptyReference === true ? warning : error;
    findings.push(rule("reference_empty", record_id, "the reference SQL returns no rows"));
  }
  const { policy, ordered } = verifier.comparison;
  for (const sql of verifier.alternative_sql ?? []) {
    const other = await sandbox.run({ database, sql });
    if (other.outcome !== "rows") {
      findings.push(
        error("alternative_fails", record_id, `an alternative reading: ${describeFailure(other)}`),
      );
    } else if (compareExecutions(policy, ordered, other, gold).verdict === "match") {
      findings.push(
        error(
          "alternative_equal",
          record_id,
          `an alternative reading gives the reference's result under ${policy}`,
        ),
      );
    }
  }
  return findings;
}

/**
 * Checks records against the schema and the semantic rules of spec 1 ("Rules that validation enforces beyond the
 * schema"). Streams: memory grows with the number of ids, not with the records.
 *
 * @param datasets the folders to check; ids must be unique across all of them
 * @returns findings in file order; the check fails if one is an error
 */
export async function* validate(
  datasets: readonly DatasetFolder[],
  engines: SqlEngines,
  width: number,
): AsyncGenerator<{ findings: Finding[]; record_id: string }> {
  const across = new AcrossRecords();
  const checked = new Map<string, string[]>();
  for (const dataset of datasets) {
    const results = mapOrdered(dataset.records(), width, async (placed: Placed) => {
      const { record, file, line } = placed;
      const version: unknown = record.schema_version;
      if (typeof version === "string" && !readsSchemaVersion(version)) {
        const message = `has schema version ${version}, which this ambitab does not read: use the version that wrote it`;
        return {
          placed,
          findings: [error("schema_version", `${file}, line ${line}`, message)],
          whole: false,
        };
      }
      const faults = schemaFaults("record", record);
      if (faults.length > 0) {
        const findings = faults.map((fault) => error("schema", `${file}, line ${line}`, fault));
        return { placed, findings, whole: false };
      }
      const findings = [...checkDataset(record), ...checkAmbiguities(placed)];
      const { engine, path } = record.public.database;
      const database = join(dataset.databases, path);
      if (engine === "postgres" && record.verifier.verifiable) {
        findings.push(...(await checkPostgresReadings(record, database, engines.postgres)));
      } else if (record.verifier.verifiable) {
        const [problem] = checkDatabase(database, checked);
        if (problem !== undefined) findings.push(error("database", record.record_id, `${path}: ${problem}`));
        else findings.push(...(await checkReadings(record, database, engines)));
      }
      return { placed, findings, whole: true };
    });
    for await (const { placed, findings, whole } of results) {
      if (whole) findings.push(...across.add(placed));
      yield { findings, record_id: String(placed.record.record_id) };
    }
  }
  const last = across.close();
  if (last.length > 0) yield { findings: last, record_id: "" };
}
