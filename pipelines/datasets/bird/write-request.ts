import { askModel } from "../../engine/ask-model.js";
import type { Evidence, StageContext } from "../../engine/stage.js";
import { parseJsonReply, type Shape } from "../../model/index.js";
import { writingFault } from "./checks/index.js";
import { conceptsFor } from "./concepts.js";
import type { ModelInput, OpenReading, Writing, WrittenAmbiguity } from "./items.js";
import { REWRITER_TEMPLATE, type Refused, rewriterMessages } from "./prompts/rewriter.js";

export type WritingOutcome =
  | { writing: Writing; evidence: Evidence[] }
  | { complaint: string; evidence: Evidence[] };

interface RawWriting {
  request: string;
  ambiguities: unknown[];
}

const hasRequest: Shape<RawWriting> = (value): value is typeof value & RawWriting =>
  typeof value.request === "string" && Array.isArray(value.ambiguities);

const texts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === "string" && one.trim() !== "")
    : [];

function readAmbiguity(
  value: unknown,
  reading: OpenReading | undefined,
  evidence: string,
): WrittenAmbiguity | null {
  if (typeof value !== "object" || value === null || reading === undefined) return null;
  const fields = value as Record<string, unknown>;
  const text = (name: string): string => (typeof fields[name] === "string" ? fields[name].trim() : "");
  const term = text("term");
  return {
    term,
    aliases: texts(fields.aliases).filter((alias) => alias.toLowerCase() !== term.toLowerCase()),
    resolution: text("resolution"),
    response: text("response"),
    concepts: conceptsFor(texts(fields.concepts), reading, evidence),
  };
}

/** A reply as a writing, or what is wrong with its form. */
function readWriting(reply: string, row: ModelInput, readings: readonly OpenReading[]): Writing | string {
  const parsed = parseJsonReply(reply, hasRequest);
  if (parsed.outcome !== "parsed") return parsed.reason;
  const { request, ambiguities } = parsed.value;
  if (ambiguities.length !== readings.length) {
    return `there are ${ambiguities.length} ambiguities for ${readings.length} open points`;
  }
  const read = ambiguities.map((one, at) => readAmbiguity(one, readings[at], row.evidence));
  const whole = read.filter((one) => one !== null);
  return whole.length < read.length
    ? "an ambiguity is no object"
    : { request: request.trim(), ambiguities: whole };
}

const TRIES = 2;

/**
 * Asks the rewriter for a request that leaves the readings open, and checks what it wrote; it is told once what is wrong.
 * Both calls and the complaint are evidence.
 */
export async function writeRequest(
  row: ModelInput,
  readings: readonly OpenReading[],
  context: Pick<StageContext, "model">,
): Promise<WritingOutcome> {
  const evidence: Evidence[] = [];
  let refused: Refused | undefined;
  let complaint = "";
  for (let turn = 0; turn < TRIES; turn++) {
    const messages = rewriterMessages(row.question, row.evidence, readings, refused);
    const reply = await askModel(context, { role: "rewriter", template: REWRITER_TEMPLATE, messages });
    if (reply.text === null) {
      complaint = `the reply ended as ${String(reply.evidence.outcome)}`;
      evidence.push({ ...reply.evidence, complaint });
      // A reply that was cut off cannot be shown again; the same question would be cut off again.
      break;
    }
    const writing = readWriting(reply.text, row, readings);
    const { question, evidence: hint, reference } = row;
    const checked = { question, evidence: hint, readings, sql: reference.sql };
    const fault = typeof writing === "string" ? writing : await writingFault(writing, checked);
    if (typeof writing !== "string" && fault === null) {
      evidence.push(reply.evidence);
      return { writing, evidence };
    }
    complaint = fault ?? "";
    evidence.push({ ...reply.evidence, complaint });
    refused = { reply: reply.text, complaint };
  }
  return { complaint, evidence };
}
