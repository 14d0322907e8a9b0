/**
 * Answering for the holder of the private zones (spec 12, `predict` and `score`): an asker elsewhere puts questions to the
 * oracle here and is told what it would be told in an evaluation, which is the budget and the answers' words. What the
 * oracle made of a question stays in the holder's log.
 *
 * An episode has the protocol's budget, counted here. Whoever begins many runs can still collect answers, a budget at a
 * time, as from any oracle that is asked live; the log shows every run and question, so that its holder can see it.
 */

import type { LoggedAnswer } from "../../../schemas/types/answer.js";
import type { AnswerCall } from "../../../schemas/types/answer-call.js";
import type { AnswerService as ServiceCard } from "../../../schemas/types/answer-service.js";
import type { Dataset } from "../../../schemas/types/record.js";
import { UserError } from "../../errors.js";
import type { ModelClient } from "../../model/types.js";
import type { Turn } from "../../oracle/index.js";
import { PACKAGE_VERSION } from "../../package-root.js";
import type { Suite } from "../../record/suite.js";
import type { JoinedRecord } from "../../record/zones.js";
import type { SqlEngines } from "../../sql/engines.js";
import { SchemaCache } from "../agent-context.js";
import { exchange } from "../exchange.js";
import { EpisodeCalls, EpisodeCut } from "../model-calls.js";
import { callsModel, hasFailed, type Oracle } from "../oracles/index.js";
import type { OracleTools } from "../protocol.js";
import { partialTaskOf, prepareSchema, type Task } from "../task.js";
import type { GrowingAnswerLog } from "./log.js";
import { type Answered, type Opened, Refusal } from "./replies.js";

export interface AnswerServiceOptions {
  readonly suite: Suite;
  readonly log: GrowingAnswerLog;
  readonly oracleOf: (dataset: Dataset, tools: OracleTools) => Oracle;
  /** Tells scripted askers the terms, and so whoever asks for it. */
  readonly full: boolean;
  readonly model: ModelClient;
  /** Calls that the models answer at once; 0: none is asked. */
  readonly slots: number;
  readonly sandbox: SqlEngines;
  /** Milliseconds that the model calls of one question may take. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

interface Held {
  readonly record: JoinedRecord;
  readonly databases: string;
}

/** Tasks whose views are kept: the questions of an episode come close together. */
const TASKS = 256;

export class AnswerService {
  readonly card: ServiceCard;
  readonly #options: AnswerServiceOptions;
  readonly #records: ReadonlyMap<string, Held>;
  readonly #schemas = new SchemaCache();
  readonly #tasks = new Map<string, Task>();
  /** Episodes with a question under way: one after the other, so that a call that is sent twice is answered once. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  private constructor(options: AnswerServiceOptions, records: ReadonlyMap<string, Held>) {
    this.#options = options;
    this.#records = records;
    const { suite, log, full, slots } = options;
    const { oracle, oracle_sql } = log.settings;
    this.card = {
      service: "ambitab answer",
      protocol: 1,
      tool: `ambitab ${PACKAGE_VERSION}`,
      release: { name: suite.name, public_hash: suite.publicHash },
      datasets: suite.datasets.map(({ dataset }) => dataset),
      oracle,
      ...(oracle_sql === undefined ? {} : { oracle_sql }),
      full,
      slots,
    };
  }

  /**
   * Reads what the oracle answers from.
   *
   * @throws UserError where a zone that it reads is not here
   */
  static async open(options: AnswerServiceOptions): Promise<AnswerService> {
    const { suite, log } = options;
    const needed = callsModel(log.settings.oracle)
      ? (["oracle", "verifier"] as const)
      : (["oracle"] as const);
    const records = new Map<string, Held>();
    for (const { dataset, zones, databases, partialRecords } of suite.datasets) {
      const lacking = needed.find((zone) => !zones.includes(zone));
      if (lacking !== undefined) {
        throw new UserError(`${suite.name} does not hold the ${lacking} zone of ${dataset}`, {
          remedy: `the oracle ${log.settings.oracle} reads it: answer from a release that holds it`,
        });
      }
      for await (const { record } of partialRecords()) {
        const { provenance: _, ...rest } = record;
        records.set(record.record_id, { record: rest, databases });
      }
    }
    return new AnswerService(options, records);
  }

  /** @throws Refusal */
  async begin(call: AnswerCall): Promise<Opened> {
    const task = await this.#taskOf(call);
    const asked = this.#options.log.of(call).filter(({ response }) => response !== undefined);
    return {
      max_turn: ambiguitiesOf(task) + 3,
      asked: asked.map(({ question }) => question),
      ...(this.#options.full ? { terms: task.script.terms } : {}),
    };
  }

  /**
   * Answers a question. The same call again is given the same answer and costs nothing.
   *
   * @throws Refusal
   */
  async ask(call: AnswerCall): Promise<Answered> {
    const { run, record_id, condition, seed } = call;
    const key = JSON.stringify([run, record_id, condition, seed]);
    const before = this.#underWay.get(key) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(() => this.#answer(call));
    this.#underWay.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#underWay.get(key) === mine) this.#underWay.delete(key);
    }
  }

  async #answer(call: AnswerCall): Promise<Answered> {
    const { dialogue, question } = call;
    if (dialogue === undefined || question === undefined)
      throw new Refusal(400, "a question comes with the dialogue before it");
    const task = await this.#taskOf(call);
    const most = ambiguitiesOf(task) === 0 ? 0 : ambiguitiesOf(task) + 2;
    const turn = dialogue.length + 1;
    const known = this.#options.log.of(call);
    const history = historyOf(known, dialogue);
    const answered = (response: string): Answered => ({ response, questions_left: most - turn });
    const there = known[turn - 1];
    if (there?.response !== undefined) {
      if (there.question === question) return answered(there.response);
      throw new Refusal(422, `question ${turn} of this episode was another, and it is answered`);
    }
    if (turn > most) throw new Refusal(422, `this episode has ${most} questions, and they are used up`);
    const made = await this.#exchange(call, question, task, history);
    await this.#options.log.put({ ...made, ...keyOf(call), turn, question, at: new Date().toISOString() });
    if (made.response !== undefined) return answered(made.response);
    return { failed: made.failed ?? "model_error" };
  }

  /** What the oracle makes of a question, as it is logged. */
  async #exchange(
    { seed }: AnswerCall,
    question: string,
    task: Task,
    history: readonly Turn[],
  ): Promise<Omit<LoggedAnswer, "run" | "record_id" | "condition" | "seed" | "turn" | "at" | "question">> {
    const { model, deadlineMs, signal, oracleOf } = this.#options;
    const calls = new EpisodeCalls(model, {
      seed,
      // An oracle's prompts are private, and its alone.
      log: () => "",
      ...(signal === undefined ? {} : { stop: signal }),
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    });
    try {
      const oracle = oracleOf(task.names.dataset as Dataset, { model: calls, signal: calls.signal });
      const made = await exchange(question, task, { seed, oracle, signal: calls.signal }, history);
      const usage = calls.usage?.oracle;
      const spent = usage === undefined ? {} : { usage };
      if (hasFailed(made)) return { ...made, ...spent };
      const { question: _q, credits: _c, credit_source: _s, ...turn } = made.turn;
      return { ...turn, ...spent };
    } catch (error) {
      if (error instanceof EpisodeCut) return { failed: error.outcome, detail: error.message };
      throw error;
    } finally {
      calls.close();
    }
  }

  /** The task of a call that may be answered here. */
  async #taskOf({ release, oracle, record_id, condition }: AnswerCall): Promise<Task> {
    const { card } = this;
    if (release !== card.release.public_hash) {
      const { name, public_hash } = card.release;
      throw new Refusal(412, `this service answers for release ${name} (${public_hash}), not for ${release}`);
    }
    if (oracle !== card.oracle)
      throw new Refusal(412, `this service answers with the oracle ${card.oracle}, not with ${oracle}`);
    if (condition === "full" && !card.full)
      throw new Refusal(403, "the full condition is not answered here: its holder has not allowed it");
    const held = this.#records.get(record_id);
    if (held === undefined) throw new Refusal(404, `there is no record ${record_id} in this release`);
    const kept = this.#tasks.get(record_id);
    if (kept !== undefined) return kept;
    const { suite: _, oracleOf, model, sandbox } = this.#options;
    const { record, databases } = held;
    const tools = { model, signal: AbortSignal.abort() };
    // Only a model responder is told of the database; PostgreSQL's would need a server to be described.
    if (oracleOf(record.dataset, tools).responder.reads === "annotations")
      await prepareSchema(record, databases, this.#schemas, sandbox);
    const task = partialTaskOf(record, databases, this.#schemas, "answer");
    this.#tasks.set(record_id, task);
    if (this.#tasks.size > TASKS) this.#tasks.delete(this.#tasks.keys().next().value ?? "");
    return task;
  }
}

const ambiguitiesOf = ({ scorer }: Task): number => scorer.ambiguities.filter(({ counts }) => counts).length;

const keyOf = ({ run, record_id, condition, seed }: AnswerCall) => ({ run, record_id, condition, seed });

/** The dialogue as the oracle remembers it; one that it did not have is refused, so nobody can put words into its mouth. */
function historyOf(
  known: readonly LoggedAnswer[],
  dialogue: readonly { readonly question: string; readonly response: string }[],
): Turn[] {
  return dialogue.map(({ question, response }, at) => {
    const logged = known[at];
    if (logged === undefined || logged.question !== question || logged.response !== response)
      throw new Refusal(422, `turn ${at + 1} of the dialogue is not what was asked and answered here`);
    return { question, response, credits: logged.live_credits ?? [] };
  });
}
