/** How many model calls and tokens a run will take, before it takes any (`--dry-run`). No model is asked. */
import type { RunSettings } from "../../../schemas/types/run.js";
import { leastTokens } from "../../model/least-tokens.js";
import type { ModelMessage, ModelRole } from "../../model/types.js";
import { estimateTokens } from "../../record/schema-text.js";
import type { Asker } from "../askers/index.js";
import { ASKING_STYLES, askerMessages } from "../prompts/asker.js";
import { SCHEMA_TOKENS } from "../prompts/context.js";
import { solverMessages } from "../prompts/solver.js";
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
export const GUESSED = { question: 40, answer: 60, sql_reply: { least: 60, most: 600 } } as const;
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
}

function sizesOf({ agent, donor }: Task, asker: Asker, settings: RunSettings, ambiguities: number): Sizes {
  const budget = settings.schema_tokens ?? SCHEMA_TOKENS;
  const style = ASKING_STYLES.find((one) => asker.name.endsWith(one));
  const view = asker.reads === "agent" && asker.readsDonor === true ? (donor?.view ?? agent) : agent;
  const turn = { turn: 1, maxTurn: ambiguities + 3 };
  return {
    asker: style === undefined ? NOTHING : tokensOf(askerMessages(style, view, [], turn, budget)),
    solver: tokensOf(solverMessages(agent, [], budget)),
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
}

const isPrompted = (agent: Asker | Solver): boolean => agent.reads === "agent" && agent.prompted === true;

/** Goes through the run's plan and adds up what each episode's prompts are. */
export async function forecast(
  options: PlanOptions,
  { askerOf, solver }: ForecastParties,
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
    const size = known.get(asker) ?? sizesOf(task, asker, settings, ambiguities);
    known.set(asker, size);
    if (isPrompted(asker) && ambiguities > 0) add("asker", askerCalls(size, ambiguities));
    if (isPrompted(solver)) add("solver", solverCalls(size, questionsOf(asker, ambiguities)));
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
