import type { Traced } from "../../pipelines/audit/trace.js";
import type { LedgerStep } from "../../schemas/types/ledger.js";
import type { ModelResponse } from "../../schemas/types/model-response.js";
import { shorten, styled } from "./say.js";

type Evidence = NonNullable<LedgerStep["evidence"]>[number];
type Details = Readonly<Record<string, unknown>>;

/** Model answers by the key of their request. */
export type Answers = ReadonlyMap<string, ModelResponse>;

/** How much of a statement, a detail or an answer is shown. */
const WIDTH = 200;

const plural = (count: unknown, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;
const inWords = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const text = (value: unknown): string => shorten(inWords(value), WIDTH);
const hash = (value: unknown): string => inWords(value).slice(0, 12);

/** What no sentence below says, by name: nothing of the ledger is left out for being new. */
function rest(details: Details, said: readonly string[]): string {
  const more = Object.entries(details)
    .filter(([name]) => name !== "kind" && !said.includes(name))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${text(value)}`);
  return more.length === 0 ? "" : `; ${more.join("; ")}`;
}

function sqlLines(one: Details): string[] {
  const { outcome, rows, first, message, result_sha256, sql, table, verdict, verified_by, reference_sha256 } =
    one;
  const more = rest(one, [
    "outcome",
    "rows",
    "first",
    "message",
    "result_sha256",
    "sql",
    "table",
    "verdict",
    "verified_by",
    "reference_sha256",
  ]);
  if (reference_sha256 !== undefined) {
    const by = verified_by === undefined ? "" : ` (verified by ${text(verified_by)})`;
    return [`sql    reference ${hash(reference_sha256)}: ${text(verdict)}${by}${more}`];
  }
  const where = table === undefined ? "" : `on ${text(table)}: `;
  const result =
    outcome === "rows"
      ? `${plural(rows, "row")}${first === undefined ? "" : ` ${text(first)}`} [${hash(result_sha256)}]`
      : `${text(outcome)}: ${text(message)}`;
  return [`sql    ${where}${result}${more}`, ...(sql === undefined ? [] : [`       ${text(sql)}`])];
}

function modelLines(one: Details, answers: Answers): string[] {
  const { role, model, outcome, verdict, key, evidence_given, clarifications, complaint } = one;
  const said = ["role", "model", "outcome", "verdict", "key", "template", "evidence_given", "clarifications"];
  const who = model === undefined ? text(role) : `${text(role)} ${text(model)}`;
  const given =
    evidence_given === undefined
      ? clarifications === undefined
        ? ""
        : `, ${clarifications === 0 ? "nothing clarified" : `${plural(clarifications, "point")} clarified`}`
      : `, ${evidence_given === true ? "with" : "without"} the evidence`;
  const came = [outcome === "answered" && verdict !== undefined ? [] : [text(outcome)], verdict ?? []].flat();
  const why = complaint === undefined ? "" : `; refused: ${text(complaint)}`;
  const lines = [`model  ${who}${given}: ${came.join(", ")}${why}${rest(one, [...said, "complaint"])}`];
  if (typeof key !== "string") return lines;
  const answer = answers.get(key);
  const shown =
    answer === undefined ? "answer not stored here" : `${hash(key)} said: ${shorten(answer.text, WIDTH)}`;
  return [...lines, `       ${shown}`];
}

function readingLines(one: Details): string[] {
  const { operator, form, reference, alternative, sql } = one;
  const kind = form === undefined ? text(operator) : `${text(operator)} (${text(form)})`;
  const more = rest(one, ["operator", "form", "reference", "alternative", "sql"]);
  return [
    `edit   ${kind}: "${text(reference)}", or "${text(alternative)}"${more}`,
    ...(sql === undefined ? [] : [`       ${text(sql)}`]),
  ];
}

function databaseText(one: Details): string {
  const { database, tables } = one;
  const list = Array.isArray(tables) ? (tables as { name?: unknown; rows?: unknown }[]) : [];
  const counts = list.map(({ name, rows }) => `${inWords(name)} ${plural(rows, "row")}`).join(", ");
  return `db     ${text(database)}: ${shorten(counts, WIDTH)}${rest(one, ["database", "tables"])}`;
}

function evidenceLines(one: Evidence, answers: Answers): string[] {
  const details: Details = { ...one };
  switch (one.kind) {
    case "sql":
      return sqlLines(details);
    case "model":
      return modelLines(details, answers);
    case "reading":
      return readingLines(details);
    case "database":
      return [databaseText(details)];
    case "finding":
      return [`noted  ${text(details.code)}: ${text(details.detail)}${rest(details, ["code", "detail"])}`];
    case "draw":
      return [`drawn  ${rest(details, []).slice(2)}`];
    default:
      return [`${one.kind}${rest(details, [])}`];
  }
}

/** Counts of one step on one line: they are many and small. */
function countsLine(evidence: readonly Evidence[]): string[] {
  const counts = evidence
    .map((one): Details => ({ ...one }))
    .filter(({ kind }) => kind === "count")
    .map(({ name, count }) => `${inWords(name)} ${inWords(count)}`);
  return counts.length === 0 ? [] : [`count  ${shorten(counts.join(", "), WIDTH)}`];
}

function stepLines(step: LedgerStep, answers: Answers): string[] {
  const mark = step.outcome === "kept" ? styled("green", "kept   ") : styled("red", "dropped");
  const item = step.item === undefined ? "" : ` (${step.item})`;
  const several = step.outputs === undefined ? "" : `, ${plural(step.outputs, "output")}`;
  const why = step.reason === undefined ? "" : `  ${step.reason}: ${step.detail ?? ""}`;
  const evidence = step.evidence ?? [];
  const told = evidence.filter(({ kind }) => kind !== "count").flatMap((one) => evidenceLines(one, answers));
  return [
    `  ${mark}  ${step.stage}${item}${several}${why}`,
    ...[...countsLine(evidence), ...told].map((line) => `      ${line}`),
  ];
}

function recordLines({ record_id, public: open, oracle, verifier }: Traced["records"][number]): string[] {
  return [
    `  record  ${record_id}`,
    `      request: ${text(open.request)}`,
    ...(oracle?.ambiguities ?? []).map(({ term, response }) => `      "${term}" → ${text(response)}`),
    ...(verifier?.reference_sql ?? []).map((sql) => `      reference: ${text(sql)}`),
    ...(verifier === undefined ? ["      reference: not in this release"] : []),
  ];
}

/**
 * One row's way as text: its place in the source, each stage with its evidence in short, and the records. Where a record
 * was asked for by its own id, other readings are named only.
 */
export function tracedText({ entry, records }: Traced, asked: string, answers: Answers): string {
  const { file, row, file_sha256, row_sha256 } = entry.origin;
  const own = records.filter(({ record_id }) => record_id === asked);
  const shown = own.length > 0 ? own : records;
  const others = records.filter((one) => !shown.includes(one)).map(({ record_id }) => record_id);
  return [
    styled("bold", entry.key),
    `  source ${entry.source}, ${file}, row ${row}`,
    `  file sha256 ${file_sha256}`,
    `  row sha256  ${row_sha256 === "" ? "none: the row could not be read" : row_sha256}`,
    ...entry.steps.flatMap((step) => stepLines(step, answers)),
    ...(entry.record_ids.length === 0 ? ["  not in the benchmark"] : []),
    ...shown.flatMap(recordLines),
    ...(others.length === 0 ? [] : [`  other records of the row: ${others.join(", ")}`]),
  ].join("\n");
}
