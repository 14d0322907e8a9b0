import type { Matcher, MatchResult, Responder } from "../../oracle/index.js";
import type { MatcherView, OracleSql, OracleVariant, OracleView, ResponderView } from "../../record/views.js";

/** What tells one call of an oracle's model from another with the same prompt, and how it is given up. */
export interface OracleCall {
  /** Which draw this is (`ModelRequest.sample`): the oracle LLM has no seed (spec 3). */
  readonly sample: number;
  /** Whose episode it is: for oracles whose chance must differ between records, and in no model's prompt. */
  readonly record?: string;
  readonly signal?: AbortSignal;
}

/** The model gave no reply for good: the episode ends with it as its verdict (spec 4). */
export interface OracleFailure {
  readonly failed: "context_overflow" | "model_error";
  readonly detail: string;
}

/** What a half of an oracle adds to its result when it is a model. */
export interface ModelMade {
  /** The reply could not be read, even on retry. */
  readonly fallback?: true;
  /** Keys of the stored answers that it was made of. */
  readonly calls?: readonly string[];
}
export type Routed = MatchResult & ModelMade;
export type Said = { readonly text: string } & ModelMade;

/** A deterministic matcher, or a person's own: it reads the registry view and the dialogue. */
export interface RegistryMatcher extends Matcher<OracleView> {
  readonly reads: "registry";
}

/** A model as the matcher: it reads the routing view and the question, and nothing of the dialogue. */
export interface ModelMatcher {
  readonly reads: "routing";
  readonly name: string;
  match(question: string, view: MatcherView, call: OracleCall): Promise<Routed | OracleFailure>;
}

/** A deterministic responder, or a person's own: it is told the credits. */
export interface RegistryResponder extends Responder<OracleView> {
  readonly reads: "registry";
}

/** A model as the responder: it is told the chosen action. */
export interface ModelResponder {
  readonly reads: "annotations";
  readonly name: string;
  readonly sql: OracleSql;
  respond(
    question: string,
    routed: MatchResult,
    view: ResponderView,
    call: OracleCall,
  ): Promise<Said | OracleFailure>;
}

export type OracleMatcher = RegistryMatcher | ModelMatcher;
export type OracleResponder = RegistryResponder | ModelResponder;

/** A simulated user: any matcher with any responder, each with the view that it may read. */
export interface Oracle {
  readonly name: string;
  /** The dataset's registry view, which the deterministic halves read. */
  readonly variant: OracleVariant;
  readonly matcher: OracleMatcher;
  readonly responder: OracleResponder;
}

/** The views of one task's oracles; a model's are made when they are first asked for. */
export interface OracleViews {
  readonly registry: OracleView;
  matcher(): MatcherView;
  responder(sql: OracleSql): ResponderView;
}

export const hasFailed = (result: object): result is OracleFailure => "failed" in result;
