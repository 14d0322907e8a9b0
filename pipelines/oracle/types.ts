/**
 * What an oracle is (spec 3; paper sections 2 and B.2): a matcher that credits ambiguities to a question, and a
 * responder that words the answer. The two are separate objects, so that any matcher pairs with any responder.
 */

/** The names of an ambiguity: all that matching reads, live or offline. */
export interface NamedAmbiguity {
  readonly ambiguity_id: string;
  readonly term: string;
  readonly aliases: readonly string[];
}

/**
 * What the deterministic intent oracle reads: the intent variant of the view that `pipelines/record/views.ts` makes.
 * Ambiguities stand in annotation order. `response` is optional only because other variants of the view leave it out.
 */
export interface IntentView {
  readonly ambiguities: readonly (NamedAmbiguity & {
    readonly counts: boolean;
    readonly response?: string;
  })[];
}

/**
 * What the deterministic knowledge oracle reads: the knowledge variant of the view. `concepts` are the columns, literals
 * and content words of the hidden hint, `resolution` is the hint; optional as above.
 */
export interface KnowledgeView {
  readonly ambiguities: readonly (NamedAmbiguity & {
    readonly counts: boolean;
    readonly concepts?: readonly string[];
    readonly resolution?: string;
  })[];
}

/** One question, its answer, and the ids of the ambiguities that the matcher credited to it. */
export interface Turn {
  readonly question: string;
  readonly response: string;
  readonly credits: readonly string[];
}

/**
 * Where a question was routed, as it is recorded for the offline scorer. `labeled` names a registered term; `unlabeled`
 * quotes the SQL clause that a model matcher found (deterministic matchers never do); `unanswerable` is a refusal.
 */
export type RoutingAction =
  | { readonly kind: "labeled"; readonly term: string }
  | { readonly kind: "unlabeled"; readonly clause: string }
  | { readonly kind: "unanswerable" };

/** A matcher's decision: credited ambiguity ids (not repeated), the routing action, and the reason for it. */
export interface MatchResult {
  readonly credits: readonly string[];
  readonly action: RoutingAction;
  readonly why: string;
}

/** Credits ambiguities to a question. `history` holds the earlier turns of the episode, oldest first. */
export interface Matcher<View = IntentView> {
  readonly name: string;
  match(question: string, history: readonly Turn[], view: View): MatchResult | Promise<MatchResult>;
}

/** Words the answer to a question for which `credits` (ambiguity ids) were given. */
export interface Responder<View = IntentView> {
  readonly name: string;
  respond(
    question: string,
    credits: readonly string[],
    history: readonly Turn[],
    view: View,
  ): string | Promise<string>;
}
