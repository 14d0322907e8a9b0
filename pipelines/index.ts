/**
 * The library: records, views, oracles, episodes and metrics for programs that evaluate their own askers and solvers.
 * What is exported here is the package's interface and changes by semantic versioning; what is not, is not.
 *
 * @example Evaluate an asker of your own
 * ```ts
 * import { evaluate, openParties, openSqliteSandbox, openSuite, type AgentAsker } from "ambitab";
 *
 * const asker: AgentAsker = {
 *   reads: "agent",
 *   name: "mine",
 *   decide: (view, dialogue) =>
 *     dialogue.length === 0 ? { kind: "question", text: `What is ${view.request}?` } : { kind: "stop" },
 * };
 * const suite = openSuite("out/releases/1.0.0");
 * const { solver, oracleOf, settings } = await openParties({ asker: "none", oracle: "deterministic", solver: "replay=answers.jsonl" });
 * const sandbox = openSqliteSandbox({ children: 2 });
 * const summary = await evaluate({
 *   folder: "out/runs/mine", suite, solver, asker, oracleOf, sandbox, width: 16, resume: false,
 *   settings: { ...settings, ...runScope(suite), asker: "mine", conditions: { none: "none", asker: "mine", full: "full" } },
 * });
 * await sandbox.close();
 * ```
 *
 * @example Read records, make a view, ask the oracle
 * ```ts
 * for (const dataset of openSuite("out/build").datasets)
 *   for await (const { record } of dataset.records()) {
 *     const view = oracleView(record, oracleVariantOf(record.dataset));
 *     const { matcher } = oracleNamed("deterministic", record.dataset);
 *     if (matcher.reads !== "registry") continue; // a model matcher has a view of its own
 *     const { credits } = await matcher.match("What do you mean by length?", [], view);
 *   }
 * ```
 */
export type { EpisodeRecord } from "../schemas/types/episode.js";
export type { Prediction } from "../schemas/types/prediction.js";
export type { Ambiguity, Comparison, Dataset, Knowledge, TaskRecord } from "../schemas/types/record.js";
export type { RunSettings } from "../schemas/types/run.js";
export type { RunSummary } from "../schemas/types/summary.js";
// Datasets of your own: a source's manifest, a reader, a list of stages.
export { type NewDataset, registerDataset } from "./datasets/index.js";
export { definePipeline, type Pipeline } from "./engine/pipeline.js";
export { runPipeline } from "./engine/run.js";
export { drop, itemStage, keep, setStage } from "./engine/stage.js";
// Errors that a person is meant to see.
export { Interrupted, ModelError, SourceError, UserError } from "./errors.js";
// Hidden answers: the asker's side of a service that answers, and the log of whoever ran it.
export { AnswersClient, type AnswersClientOptions } from "./evaluation/answers/client.js";
export { AnswerLog } from "./evaluation/answers/log.js";
// Askers: what decides each turn.
export {
  type AgentAsker,
  type AgentCall,
  ASKER_NAMES,
  type Asker,
  askerNamed,
  type Budget,
  type Decision,
  type Exchange,
  specRandomized,
} from "./evaluation/askers/index.js";
// Metrics: from episodes to numbers.
export {
  type Episode,
  type EpisodeMetrics,
  episodeMetrics,
  type Measure,
  type Metric,
  questionF1Reward,
  summarise,
  VERDICTS,
  type Verdict,
} from "./evaluation/metrics/index.js";
// Oracles: a matcher and a responder.
export { ORACLES, type Oracle, oracleNamed } from "./evaluation/oracles/index.js";
// Episodes: ask, then solve, then verify.
export { type EpisodeSettings, type LogPrompt, runEpisode } from "./evaluation/protocol.js";
export { evaluate, predict, type RunOptions } from "./evaluation/run/index.js";
export { readEpisodes } from "./evaluation/run/log.js";
export { openParties, type Parties, type PartyNames } from "./evaluation/run/parties.js";
export { runScope } from "./evaluation/run/scope.js";
export { scorePredictions } from "./evaluation/run/score.js";
export { summariseRun } from "./evaluation/run/summary.js";
export { scoreTranscript, scoreTurn } from "./evaluation/scorer/index.js";
export {
  type AgentSolver,
  type Answer,
  SOLVERS,
  type Solver,
  solverNamed,
} from "./evaluation/solvers/index.js";
export { SchemaCache, type Task, taskOf } from "./evaluation/task.js";
export { ExecutionCache, type Verification, verify } from "./evaluation/verifier/index.js";
// Models: any OpenAI-compatible server, every answer stored.
export {
  configureModels,
  type ModelAnswer,
  type ModelClient,
  type ModelRequest,
  modelsOfEnvironment,
  NO_MODEL,
  type OpenModelClient,
  openModelClient,
  readModels,
} from "./model/index.js";
export {
  canonicalQuestion,
  type Matcher,
  type MatchResult,
  REFUSAL,
  type Responder,
  type RoutingAction,
  type Turn,
} from "./oracle/index.js";
// Records: releases and builds, and the check that a record obeys its schema.
export { schemaFaults } from "./record/check-schema.js";
export { schemaText } from "./record/schema-text.js";
export { type DatasetFolder, openSuite, type Placed, type Suite } from "./record/suite.js";
// Views: what each party may read.
export {
  type AgentView,
  agentView,
  type OracleVariant,
  type OracleView,
  oracleVariantOf,
  oracleView,
  type ScorerView,
  scorerView,
  type VerifierView,
  verifierView,
} from "./record/views.js";
// SQL: untrusted statements in a sandbox, results compared by policy.
export { compareExecutions, type Execution, openSqliteSandbox, type SqliteSandbox } from "./sql/index.js";
