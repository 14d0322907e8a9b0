/** Ask-then-solve (spec 4, "Episode"; paper section 2 and Algorithm in C.1): one episode, start to verdict. */
import type { EpisodeRecord, EpisodeTurn } from "../../schemas/types/episode.js";
import { drawsFor } from "../engine/random.js";
import { NO_MODEL } from "../model/no-model.js";
import type { ModelClient } from "../model/types.js";
import type { Turn } from "../oracle/index.js";
import { clarificationText } from "./agent-context.js";
import type { AgentCall, Asker } from "./askers/index.js";
import { type Asking, ask, type Interlocutor, type PutQuestion, type Underway } from "./asking.js";
import { exchange } from "./exchange.js";
import { leavesSuccessRate } from "./metrics/index.js";
import { EpisodeCalls, EpisodeCut, type LogPrompt } from "./model-calls.js";
import type { Oracle } from "./oracles/index.js";
import { SCHEMA_TOKENS } from "./prompts/context.js";
import type { Answer, Solver } from "./solvers/index.js";
import type { Task } from "./task.js";
import { type ExecutionCache, verify } from "./verifier/index.js";

export type { LogPrompt } from "./model-calls.js";

/** What an oracle is made with for one episode: the episode's own way to the models, and its deadline. */
export type OracleTools = Pick<AgentCall, "model" | "signal">;

export interface EpisodeSettings {
  condition: "none" | "asker" | "full";
  seed: number;
  asker: Asker;
  /** An oracle, or what makes one that asks models through the episode's own client. */
  oracle: Oracle | ((tools: OracleTools) => Oracle);
  solver: Solver;
  /** The run's models; none unless told. */
  model?: ModelClient;
  /** Milliseconds that the episode's model calls may take in all. */
  deadlineMs?: number;
  /** Estimated tokens that a prompt's schema may take. */
  schemaTokens?: number;
  /** When it fires no further call is made, and the episode ends with `Interrupted`. */
  signal?: AbortSignal;
}

async function answer({ task, solver, seed, call }: Underway, dialogue: readonly Turn[]): Promise<Answer> {
  const words = dialogue.map(({ question, response }) => ({ question, response }));
  if (solver.reads === "recording") return solver.solve(task.names.record_id);
  if (solver.reads === "agent") return solver.solve(task.agent, words, call);
  // One draw per record and seed, the same under every condition, so that conditions are compared on equal luck.
  return solver.solve(task.synthetic, words, drawsFor(seed, `solver/${solver.name}`, task.names.record_id));
}

/** The solver's answer after the dialogue, or how a model call ended the episode before there was one. */
async function askAndSolve<Put extends PutQuestion>(
  underway: Underway,
  interlocutor: Interlocutor<Put>,
  maxTurn: number,
  asking: Asking<Put>,
  onAsked: () => void,
): Promise<Answer> {
  try {
    if (asking.stop !== "nothing_to_ask") {
      asking.stop = "cut_short";
      await ask(underway, interlocutor, maxTurn, asking);
    }
    onAsked();
    const { failure } = asking;
    if (failure !== undefined) return { outcome: failure.failed, detail: `oracle: ${failure.detail}` };
    return await answer(underway, asking.dialogue);
  } catch (error) {
    if (!(error instanceof EpisodeCut)) throw error;
    return { outcome: error.outcome, detail: error.message };
  }
}

/** What agents were given that no model's prompt shows: the view and the clarifications as text. */
function logUnprompted(
  { task, asker, solver }: Underway,
  { dialogue }: Pick<Asking, "dialogue">,
  log: LogPrompt,
): string[] {
  const asked = asker.reads === "script" || asker.prompted === true;
  const solved = solver.reads === "agent" && solver.prompted === true;
  if (asked && solved) return [];
  const prompts = [log("context", task.context)];
  if (dialogue.length > 0) prompts.push(log("clarifications", clarificationText(dialogue)));
  return prompts;
}

/** The name of an episode, unique in its run. */
export function episodeId(condition: string, seed: number, recordId: string): string {
  return `${condition}/${seed}/${recordId}`;
}

const round = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;

/** An episode up to its SQL, before anybody has verified it. */
export interface Conversation<Put extends PutQuestion = EpisodeTurn> {
  readonly given: Answer;
  /** What the log says of it, verdict and verification aside. */
  readonly told: Omit<
    EpisodeRecord,
    "verdict" | "detail" | "flags" | "expected_success" | "timings_ms" | "turns"
  > & { turns: Put[] };
  readonly timings: { readonly asking: number; readonly solving: number };
}

/** The oracle that is here, as what an episode's questions are put to. */
function oracleHere(
  { task, settings }: { task: Task; settings: EpisodeSettings },
  call: AgentCall,
): Interlocutor {
  const { seed, signal } = settings;
  const oracle = typeof settings.oracle === "function" ? settings.oracle(call) : settings.oracle;
  return {
    ambiguities: task.scorer.ambiguities.filter(({ counts }) => counts).length,
    script: task.script,
    asked: [],
    answer: (question, dialogue) => exchange(question, task, { seed, oracle, signal }, dialogue),
  };
}

/** What an episode is run with, whoever answers. */
export type ConverseSettings = Omit<EpisodeSettings, "oracle">;

/**
 * Runs one episode up to the solver's answer. Records without a counted ambiguity skip the asking. Whatever askers,
 * solvers and model servers do ends in an answer or a reason for none; only what no retry can help (a refused key) is
 * thrown.
 */
export const converse = (
  task: Task,
  settings: EpisodeSettings,
  logPrompt: LogPrompt,
): Promise<Conversation> =>
  converseWith(task, settings, logPrompt, (call) => Promise.resolve(oracleHere({ task, settings }, call)));

/**
 * `converse` with whoever else may answer.
 *
 * @param open begins the episode with who answers it; is given the episode's own way to the models and its deadline
 */
export async function converseWith<Put extends PutQuestion>(
  task: Task,
  settings: ConverseSettings,
  logPrompt: LogPrompt,
  open: (call: AgentCall) => Promise<Interlocutor<Put>>,
): Promise<Conversation<Put>> {
  const {
    condition,
    seed,
    asker,
    solver,
    model = NO_MODEL,
    signal,
    deadlineMs,
    schemaTokens = SCHEMA_TOKENS,
  } = settings;
  const calls = new EpisodeCalls(model, {
    seed,
    log: logPrompt,
    ...(signal === undefined ? {} : { stop: signal }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  const call: AgentCall = { model: calls, seed, schemaTokens, signal: calls.signal };
  const underway: Underway = { task, asker, solver, seed, call, signal };
  const asking: Asking<Put> = { turns: [], dialogue: [], stop: "budget" };
  const started = performance.now();
  let askedAt: number | undefined;
  let given: Answer;
  let ambiguities: number;
  let maxTurn: number;
  try {
    const interlocutor = await open(call);
    ambiguities = interlocutor.ambiguities;
    maxTurn = ambiguities + 3;
    if (ambiguities === 0) asking.stop = "nothing_to_ask";
    given = await askAndSolve(underway, interlocutor, maxTurn, asking, () => {
      askedAt = performance.now();
    });
  } finally {
    calls.close();
  }
  const solvedAt = performance.now();
  askedAt ??= solvedAt;
  const prompts = [...calls.prompts, ...logUnprompted(underway, asking, logPrompt)];
  const { usage } = calls;
  return {
    given,
    told: {
      episode_id: episodeId(condition, seed, task.names.record_id),
      ...task.names,
      condition,
      asker: asker.name,
      seed,
      ambiguities,
      max_turn: maxTurn,
      ...(asker.reads === "agent" && asker.readsDonor === true ? { donor: task.donor!.record_id } : {}),
      turns: asking.turns,
      stop: asking.stop,
      fallback_stop: asking.stop === "fallback",
      ...(asking.unread === undefined ? {} : { unread_reply: asking.unread }),
      sql: given.outcome === "sql" ? given.sql : null,
      prompts: [...new Set(prompts)],
      ...(usage === undefined ? {} : { usage }),
    },
    timings: { asking: round(askedAt - started), solving: round(solvedAt - askedAt) },
  };
}

/** The verdict on a conversation's answer, and with it the whole episode. */
export async function verifyConversation(
  task: Task,
  { given, told, timings }: Conversation,
  executions: ExecutionCache,
): Promise<EpisodeRecord> {
  const started = performance.now();
  // A record that cannot be verified here says nothing of the answer, not even that there is none.
  const { verdict, detail, flags } =
    given.outcome === "sql" || !task.verifier.verifiable
      ? await verify(task.verifier, given.outcome === "sql" ? given.sql : "", task.databases, executions)
      : { verdict: given.outcome, detail: given.detail, flags: [] };
  return {
    ...told,
    verdict,
    ...(detail === undefined ? {} : { detail }),
    flags,
    ...(given.outcome === "sql" && given.expected !== undefined && !leavesSuccessRate(verdict)
      ? { expected_success: given.expected }
      : {}),
    timings_ms: { ...timings, verifying: round(performance.now() - started) },
  };
}

/** Runs one episode from start to verdict; see `converse`. Whatever SQL does is a verdict of the closed list. */
export async function runEpisode(
  task: Task,
  settings: EpisodeSettings,
  executions: ExecutionCache,
  logPrompt: LogPrompt,
): Promise<EpisodeRecord> {
  return verifyConversation(task, await converse(task, settings, logPrompt), executions);
}
