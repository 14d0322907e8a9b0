/** How many model calls and tokens a run will take, before it takes any (`--dry-run`). No model is asked. */
import type { Dataset } from "../../../schemas/types/record.js";
import type { RunSettings } from "../../../schemas/types/run.js";
import { leastTokens } from "../../model/least-tokens.js";
import { NO_MODEL } from "../../model/no-model.js";
import type { ModelMessage, ModelRole } from "../../model/types.js";
import { estimateTokens } from "../../record/schema-text.js";
import type { Asker } from "../askers/index.js";
import type { Oracle } from "../oracles/index.js";
import { matcherMessages } from "../oracles/prompts/matcher.js";
import { responderMessages } from "../oracles/prompts/responder.js";
import { ASKING_STYLES, askerMessages } from "../prompts/asker.js";
import { SCHEMA_TOKENS } from "../prompts/context.js";
import { solverMessages } from "../prompts/solver.js";
import type { OracleTools } from "../protocol.js";
import type { Solver } from "../solvers/index.js";
import type { Task } from "../task.js";
import { tokenCost } from "../token-cost.js";
import { type Planned, type PlanOptions, plan, runDonors } from "./plan.js";

/** From the least that can be to the most; replies that cannot be read are asked for again and are not in it. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What one role's calls come to. */
export interface RoleForecast {
  readonly calls: Range;
  readonly prompt_tokens: Range;
  readonly completion_tokens: Range;
  /** At the configured prices; null without any. */
  readonly cost: Range | null;
}

export interface Forecast {
  readonly episodes: number;
  readonly roles: Partial<Record<ModelRole, RoleForecast>>;
}

/** Tokens that are guessed, because nobody has written them yet. */
export const GUESSED = {
  question: 40,
  answer: 60,
  /** Both say what they think before they answer. */
  oracle_reply: { least: 15, most: 200 },
  sql_reply: { least: 60, most: 600 },
} as const;
const EXCHANGE = GUESSED.question + GUESSED.answer;

const NOTHING: Range = { least: 0, most: 0 };
const plus = (a: Range, b: Range): Range => ({ least: a.least + b.least, most: a.most + b.most });

/** The tokens of a prompt that has been written: no tokeniser takes fewer than the one or more than the other. */
function tokensOf(messages: readonly ModelMessage[]): Range {
  const most = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  return { least: Math.min(leastTokens(messages), most), most };
}

interface Calls {
  readonly calls: Range;
  readonly prompt: Range;
  readonly completion: Range;
}

const NO_CALLS: Calls = { calls: NOTHING, prompt: NOTHING, completion: NOTHING };

/** Prompt sizes of a task, which all its conditions and seeds share. */
interface Sizes {
  readonly asker: Range;
  readonly solver: Range;
  /** Of each model that the oracle asks about a question. */
  readonly oracle: readonly Range[];
}

/** The prompts with which an oracle's models are asked one question. */
function oraclePrompts({ oracle: views }: Task, { matcher, responder }: Oracle): ModelMessage[][] {
  const refusing = { credits: [], action: { kind: "unanswerable" }, why: "" } as const;
  return [
    ...(matcher.reads === "routing" ? [matcherMessages(views.matcher(), "")] : []),
    ...(responder.reads === "annotations"
      ? [responderMessages(views.responder(responder.sql), "", refusing)]
      : []),
  ];
}

function sizesOf(
  task: Task,
  asker: Asker,
  oracle: Oracle,
  settings: RunSettings,
  ambiguities: number,
): Sizes {
  const { agent, donor } = task;
  const budget = settings.schema_tokens ?? SCHEMA_TOKENS;
  const style = ASKING_STYLES.find((one) => asker.name.endsWith(one));
  const view = asker.reads === "agent" && asker.readsDonor === true ? (donor?.view ?? agent) : agent;
  const turn = { turn: 1, maxTurn: ambiguities + 3 };
  return {
    asker: style === undefined ? NOTHING : tokensOf(askerMessages(style, view, [], turn, budget)),
    solver: tokensOf(solverMessages(agent, [], budget)),
    oracle: oraclePrompts(task, oracle).map(tokensOf),
  };
}

/** An asker on a model decides once at least, and at most as often as its budget lets it. */
function askerCalls({ asker }: Sizes, ambiguities: number): Calls {
  const most = ambiguities + 3;
  return {
    calls: { least: 1, most },
    prompt: { least: asker.least, most: most * asker.most + (EXCHANGE * most * (most - 1)) / 2 },
    completion: { least: 10, most: most * GUESSED.question },
  };
}

function solverCalls({ solver }: Sizes, questions: Range): Calls {
  return {
    calls: { least: 1, most: 1 },
    prompt: {
      least: solver.least + questions.least * EXCHANGE,
      most: solver.most + questions.most * EXCHANGE,
    },
    completion: GUESSED.sql_reply,
  };
}

/** Each question is a call of each of the oracle's models. */
function oracleCalls({ oracle }: Sizes, questions: Range): Calls {
  const prompt = oracle.reduce(plus, NOTHING);
  const times = (range: Range): Range => ({
    least: questions.least * range.least,
    most: questions.most * range.most,
  });
  const { question, oracle_reply } = GUESSED;
  return {
    calls: times({ least: oracle.length, most: oracle.length }),
    prompt: times({ least: prompt.least, most: prompt.most + oracle.length * question }),
    completion: times({ least: oracle.length * oracle_reply.least, most: oracle.length * oracle_reply.most }),
  };
}

/** How many questions an asker puts. */
function questionsOf(asker: Asker, ambiguities: number): Range {
  if (ambiguities === 0 || asker.name === "none") return NOTHING;
  if (asker.name === "full" || asker.name === "full-adversarial")
    return { least: ambiguities, most: ambiguities };
  if (asker.name === "none-adversarial") return { least: ambiguities + 2, most: ambiguities + 2 };
  return { least: 0, most: ambiguities + 2 };
}

/** Who asks models in a run. */
export interface ForecastParties {
  readonly askerOf: (condition: Planned["condition"]) => Asker;
  readonly solver: Solver;
  readonly oracleOf: (dataset: Dataset, tools: OracleTools) => Oracle;
}

/** No call is made here. */
const NO_TOOLS: OracleTools = { model: NO_MODEL, signal: new AbortController().signal };

const isPrompted = (agent: Asker | Solver): boolean => agent.reads === "agent" && agent.prompted === true;

/** Goes through the run's plan and adds up what each episode's prompts are. */
export async function forecast(
  options: PlanOptions,
  { askerOf, solver, oracleOf }: ForecastParties,
): Promise<Forecast> {
  const sums = new Map<ModelRole, Calls>();
  const add = (role: ModelRole, one: Calls): void => {
    const sum = sums.get(role) ?? NO_CALLS;
    sums.set(role, {
      calls: plus(sum.calls, one.calls),
      prompt: plus(sum.prompt, one.prompt),
      completion: plus(sum.completion, one.completion),
    });
  };
  const { settings } = options;
  const sizes = new WeakMap<Task, Map<Asker, Sizes>>();
  let episodes = 0;
  for await (const { task, condition } of plan(options, await runDonors(options.suite, settings))) {
    episodes += 1;
    const asker = askerOf(condition);
    const ambiguities = task.scorer.ambiguities.filter(({ counts }) => counts).length;
    const known = sizes.get(task) ?? new Map<Asker, Sizes>();
    sizes.set(task, known);
    const oracle = oracleOf(task.names.dataset as Dataset, NO_TOOLS);
    const size = known.get(asker) ?? sizesOf(task, asker, oracle, settings, ambiguities);
    known.set(asker, size);
    const questions = questionsOf(asker, ambiguities);
    if (isPrompted(asker) && ambiguities > 0) add("asker", askerCalls(size, ambiguities));
    if (isPrompted(solver)) add("solver", solverCalls(size, questions));
    if (size.oracle.length > 0 && questions.most > 0) add("oracle", oracleCalls(size, questions));
  }
  const roles = [...sums].map(
    ([role, sum]) => [role, roleForecast(sum, settings.models?.[role]?.price)] as const,
  );
  return { episodes, roles: Object.fromEntries(roles) };
}

function roleForecast(
  { calls, prompt, completion }: Calls,
  price: { readonly prompt: number; readonly completion: number } | undefined,
): RoleForecast {
  const cost = (end: "least" | "most"): number =>
    price === undefined
      ? 0
      : tokenCost({ prompt_tokens: prompt[end], completion_tokens: completion[end] }, price);
  return {
    calls,
    prompt_tokens: prompt,
    completion_tokens: completion,
    cost: price === undefined ? null : { least: cost("least"), most: cost("most") },
  };
}
