/**
 * The offline scorer (spec 3; paper section C.3): who gets credit in the metrics. It reads what a run recorded, not the
 * live matcher's opinion, so that a finished transcript always scores the same, whichever oracle produced it.
 *
 * @example
 * const credited = scoreTranscript(turns, view).map((turn) => turn.credited);
 */
import {
  FIXED_RATIONALES,
  findTarget,
  labelledAmbiguity,
  type NamedAmbiguity,
  type PhraseBook,
  phraseBook,
  type RoutingAction,
} from "../../oracle/index.js";

/** What a run records of one question: its words, the answer's, the routing action and the reason given for it. */
export interface RecordedTurn {
  readonly question: string;
  readonly response: string;
  readonly action: RoutingAction;
  readonly why: string;
}

/** Which ambiguities there are, in annotation order. `counts: false` ones are recognised and never credited. */
export interface ScoredAmbiguities {
  readonly ambiguities: readonly (NamedAmbiguity & { readonly counts: boolean })[];
}

/** What the credit was read from. Only `label` is a routing action's; `response` may be a volunteered resolution. */
export type CreditSource = "label" | "question" | "response" | "rationale";

/** Ids credited to one question (none or one: a routing action maps to one ambiguity) and where that was read. */
export interface TurnScore {
  readonly credited: readonly string[];
  readonly source: CreditSource | "none";
}

function mentioned(text: string, book: PhraseBook): number | undefined {
  const target = findTarget(text, book);
  return "ambiguity" in target ? target.ambiguity : undefined;
}

function mappedTo(turn: RecordedTurn, view: ScoredAmbiguities): [CreditSource, number] | undefined {
  const { action } = turn;
  const label = action.kind === "labeled" ? labelledAmbiguity(action.term, view.ambiguities) : undefined;
  if (label !== undefined) return ["label", label];
  const book = phraseBook(view.ambiguities);
  const texts: [CreditSource, string][] = [
    ["question", turn.question],
    ["response", turn.response],
    ["rationale", FIXED_RATIONALES.has(turn.why) ? "" : turn.why],
  ];
  for (const [source, text] of texts) {
    const place = mentioned(text, book);
    if (place !== undefined) return [source, place];
  }
  return undefined;
}

/**
 * The credit of one question. An exact labelled term takes precedence; otherwise the terms and aliases are matched
 * against the question, then the response, then the recorded routing rationale. "Matched" means what it means to the
 * deterministic matcher (`findTarget`): the same normalisation, quoted before earliest, everyday words only where they
 * are asked about; a tie, a generic question and the standard refusal match nothing. The first text that matches decides,
 * also when its ambiguity does not count.
 */
export function scoreTurn(turn: RecordedTurn, view: ScoredAmbiguities): TurnScore {
  const [source, place] = mappedTo(turn, view) ?? ["none" as const, -1];
  const ambiguity = view.ambiguities[place];
  if (ambiguity === undefined || !ambiguity.counts) return { credited: [], source: "none" };
  return { credited: [ambiguity.ambiguity_id], source };
}

/** The credits of an episode, question by question. */
export function scoreTranscript(
  turns: readonly RecordedTurn[],
  view: ScoredAmbiguities,
): readonly TurnScore[] {
  return turns.map((turn) => scoreTurn(turn, view));
}
