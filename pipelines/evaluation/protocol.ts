/** Ask-then-solve (spec 4, "Episode"; paper section 2 and Algorithm in C.1): one episode, start to verdict. */
import type { EpisodeRecord, EpisodeTurn } from "../../schemas/types/episode.js";
import { drawsFor } from "../engine/random.js";
import type { Turn } from "../oracle/index.js";
import { clarificationText } from "./agent-context.js";
import type { Asker, Decision } from "./askers/index.js";
import { leavesSuccessRate } from "./metrics/index.js";
import type { Oracle } from "./oracles/index.js";
import { scoreTurn } from "./scorer/index.js";
import type { Answer, Solver } from "./solvers/index.js";
import type { Task } from "./task.js";
import { type ExecutionCache, verify } from "./verifier/index.js";

/** Keeps a text that an agent was given and returns the hash it is logged under. */
export type LogPrompt = (role: "context" | "clarifications", text: string) => string;

export interface EpisodeSettings {
  condition: "none" | "asker" | "full";
  seed: number;
  asker: Asker;
  oracle: Oracle;
  solver: Solver;
}

interface Asking {
  turns: EpisodeTurn[];
  dialogue: Turn[];
  stop: EpisodeRecord["stop"];
}

function decide(asker: Asker, task: Task, dialogue: readonly Turn[], turn: number, maxTurn: number) {
  const budget = { turn, maxTurn };
  if (asker.reads === "script") return asker.decide(task.script, budget);
  // Credits are recorded, never shown: the asker gets the words alone.
  const words = dialogue.map(({ question, response }) => ({ question, response }));
  return asker.decide(task.agent, words, budget);
}

/** Asks until the asker stops or its budget of |Amb| + 3 decisions, the last one for stopping, is used up. */
async function ask(task: Task, { asker, oracle }: EpisodeSettings, maxTurn: number): Promise<Asking> {
  const turns: EpisodeTurn[] = [];
  const dialogue: Turn[] = [];
  for (let turn = 1; turn < maxTurn; turn += 1) {
    const decision: Decision = await decide(asker, task, dialogue, turn, maxTurn);
    if (decision.kind === "stop") return { turns, dialogue, stop: "asker" };
    if (decision.kind === "fallback_stop") return { turns, dialogue, stop: "fallback" };
    const { text: question } = decision;
    const { credits, action, why } = await oracle.matcher.match(question, dialogue, task.oracle);
    const response = await oracle.responder.respond(question, credits, dialogue, task.oracle);
    const { credited, source } = scoreTurn({ question, response, action, why }, task.scorer);
    turns.push({
      question,
      response,
      action: { ...action },
      why,
      live_credits: [...credits],
      credits: [...credited],
      credit_source: source,
    });
    dialogue.push({ question, response, credits });
  }
  return { turns, dialogue, stop: "budget" };
}

async function answer(task: Task, settings: EpisodeSettings, dialogue: readonly Turn[]): Promise<Answer> {
  const { solver, seed } = settings;
  const words = dialogue.map(({ question, response }) => ({ question, response }));
  if (solver.reads === "recording") return solver.solve(task.names.record_id);
  if (solver.reads === "agent") return solver.solve(task.agent, words);
  // One draw per record and seed, the same under every condition, so that conditions are compared on equal luck.
  return solver.solve(task.synthetic, words, drawsFor(seed, `solver/${solver.name}`, task.names.record_id));
}

/** The name of an episode, unique in its run. */
export function episodeId(condition: string, seed: number, recordId: string): string {
  return `${condition}/${seed}/${recordId}`;
}

/**
 * Runs one episode. Records without a counted ambiguity skip the asking. Whatever askers, solvers and SQL do ends in a
 * verdict of the closed list.
 */
export async function runEpisode(
  task: Task,
  settings: EpisodeSettings,
  executions: ExecutionCache,
  logPrompt: LogPrompt,
): Promise<EpisodeRecord> {
  const { names } = task;
  const { condition, seed } = settings;
  const ambiguities = task.scorer.ambiguities.filter(({ counts }) => counts).length;
  const maxTurn = ambiguities + 3;
  const started = performance.now();
  const asked: Asking =
    ambiguities === 0
      ? { turns: [], dialogue: [], stop: "nothing_to_ask" }
      : await ask(task, settings, maxTurn);
  const askedAt = performance.now();
  const given = await answer(task, settings, asked.dialogue);
  const solvedAt = performance.now();
  // A record that cannot be verified here says nothing of the answer, not even that there is none.
  const verification =
    given.outcome === "sql" || !task.verifier.verifiable
      ? await verify(task.verifier, given.outcome === "sql" ? given.sql : "", task.databases, executions)
      : { verdict: given.outcome, detail: given.detail, flags: [] };
  const verifiedAt = performance.now();
  const prompts = [logPrompt("context", task.context)];
  if (asked.dialogue.length > 0) prompts.push(logPrompt("clarifications", clarificationText(asked.dialogue)));
  const round = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000;
  return {
    episode_id: episodeId(condition, seed, names.record_id),
    ...names,
    condition,
    asker: settings.asker.name,
    seed,
    ambiguities,
    max_turn: maxTurn,
    turns: asked.turns,
    stop: asked.stop,
    fallback_stop: asked.stop === "fallback",
    sql: given.outcome === "sql" ? given.sql : null,
    verdict: verification.verdict,
    ...(verification.detail === undefined ? {} : { detail: verification.detail }),
    flags: verification.flags,
    ...(given.outcome === "sql" && given.expected !== undefined && !leavesSuccessRate(verification.verdict)
      ? { expected_success: given.expected }
      : {}),
    prompts,
    timings_ms: {
      asking: round(askedAt - started),
      solving: round(solvedAt - askedAt),
      verifying: round(verifiedAt - solvedAt),
    },
  };
}
