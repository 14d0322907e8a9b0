/** One question and its answer (spec 4, step 3): match, then respond, then score what was recorded. */
import type { EpisodeTurn } from "../../schemas/types/episode.js";
import { FALLBACK_RATIONALE, type MatchResult, REFUSAL, type Turn } from "../oracle/index.js";
import { sha256 } from "../record/ids.js";
import {
  hasFailed,
  type Oracle,
  type OracleCall,
  type OracleFailure,
  type OracleResponder,
  type Routed,
  type Said,
} from "./oracles/index.js";
import { scoreTurn } from "./scorer/index.js";
import type { Task } from "./task.js";

/** What of an episode's settings decides an exchange. */
export interface ExchangeSettings {
  readonly seed: number;
  readonly oracle: Oracle;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The draw that a question's answer is: another for every record and seed, and another when the same words are asked
 * again, as a model without a seed would give. The same question of a record is answered alike under one seed in every
 * condition, and in every run that shares the response store, so that conditions are compared on equal luck. Records are
 * kept apart although their prompts may be one (a scoped matcher's are, for all requests with one term): intervals take
 * AVTs for independent.
 */
function callOf(
  question: string,
  dialogue: readonly Turn[],
  task: Task,
  settings: ExchangeSettings,
): OracleCall {
  const { seed, signal } = settings;
  const before = dialogue.filter((turn) => turn.question === question).length;
  const unit = sha256(`${task.names.record_id}\n${seed}\n${before}`);
  // 48 bits: a whole number that JSON and SQLite keep.
  return { sample: Number.parseInt(unit.slice(0, 12), 16), ...(signal === undefined ? {} : { signal }) };
}

/** One question: routed, answered, and scored from what was recorded of it. */
export async function exchange(
  question: string,
  task: Task,
  settings: ExchangeSettings,
  dialogue: readonly Turn[],
): Promise<{ turn: EpisodeTurn; said: Turn } | OracleFailure> {
  const { matcher, responder } = settings.oracle;
  const call = callOf(question, dialogue, task, settings);
  const routed: Routed | OracleFailure =
    matcher.reads === "registry"
      ? await matcher.match(question, dialogue, task.oracle.registry)
      : await matcher.match(question, task.oracle.matcher(), call);
  if (hasFailed(routed)) return routed;
  const answered = await respond(question, routed, task, responder, dialogue, call);
  if (hasFailed(answered)) return answered;
  const { text: response } = answered;
  // What could not be answered was not: neither half may leave a label for the scorer that the answer does not carry.
  const unread = routed.fallback === true ? "matcher" : answered.fallback === true ? "responder" : undefined;
  const { credits, action, why }: MatchResult =
    unread === "responder"
      ? { credits: [], action: { kind: "unanswerable" }, why: FALLBACK_RATIONALE }
      : routed;
  const { credited, source } = scoreTurn({ question, response, action, why }, task.scorer);
  const calls = [...(routed.calls ?? []), ...(answered.calls ?? [])];
  const turn: EpisodeTurn = {
    question,
    response,
    action: { ...action },
    why,
    live_credits: [...credits],
    credits: [...credited],
    credit_source: source,
    ...(unread === undefined ? {} : { fallback: unread }),
    ...(calls.length === 0 ? {} : { oracle_calls: calls }),
  };
  return { turn, said: { question, response, credits } };
}

async function respond(
  question: string,
  routed: Routed,
  task: Task,
  responder: OracleResponder,
  dialogue: readonly Turn[],
  call: OracleCall,
): Promise<Said | OracleFailure> {
  if (responder.reads === "registry") {
    const text = await responder.respond(question, routed.credits, dialogue, task.oracle.registry);
    return { text };
  }
  // Nobody decided what the question is about, so there is nothing to be worded.
  if (routed.fallback === true) return { text: REFUSAL };
  return responder.respond(question, routed, task.oracle.responder(responder.sql), call);
}
