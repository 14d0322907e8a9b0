import type { PredictionTurn } from "../../../schemas/types/prediction.js";
import type { Interlocutor } from "../asking.js";
import type { AnswersClient, Episode } from "./client.js";

/**
 * An episode whose questions an answering service answers. Nothing is known here but its budget and its words: how a
 * question was routed and credited, whoever scores the episode derives again.
 *
 * @param stop fires when the run is stopped
 * @param signal fires when the episode's time is up, too
 */
export async function answeredElsewhere(
  service: AnswersClient,
  episode: Episode,
  stop: AbortSignal | undefined,
  signal: AbortSignal,
): Promise<Interlocutor<PredictionTurn>> {
  const { max_turn, asked, terms = [] } = await service.open(episode, stop);
  return {
    ambiguities: max_turn - 3,
    script: { terms },
    asked,
    async answer(question, dialogue) {
      const answered = await service.ask(episode, dialogue, question, signal);
      if ("failed" in answered) return { failed: answered.failed, detail: "its model gave no answer" };
      const { response } = answered;
      return { turn: { question, response }, said: { question, response, credits: [] } };
    },
  };
}
