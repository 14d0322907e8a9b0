import type { ModelResponse } from "../../schemas/types/model-response.js";
import { ModelError } from "../errors.js";
import type { RoleSettings } from "./configuration.js";
import type { TimedReply } from "./endpoint.js";
import { leastTokens } from "./least-tokens.js";
import type { ModelAnswer, ModelMessage, ModelRequest } from "./types.js";

/** A response without what names its request. */
export type ResponseRest = Pick<
  ModelResponse,
  "outcome" | "text" | "finish_reason" | "served_model" | "usage" | "latency_ms" | "context_tokens"
>;

/** The line that an archive will hold. */
export function responseOf(
  request: ModelRequest,
  key: string,
  { decoding: { model } }: RoleSettings,
  rest: ResponseRest,
): ModelResponse {
  const { role, template, seed = null, sample = 0 } = request;
  return { key, role, template, model, sample, seed, ...rest };
}

/** An answered call. */
export const replied = ({
  truncated,
  text,
  finish_reason,
  served_model,
  usage,
  latency_ms,
}: TimedReply): ResponseRest => ({
  outcome: truncated ? "truncated" : "answered",
  text,
  finish_reason,
  served_model,
  usage,
  latency_ms,
  context_tokens: null,
});

/** A prompt that did not fit the context that the endpoint has. */
export const overflow = (detail: string, { endpoint }: RoleSettings): ResponseRest => ({
  outcome: "context_overflow",
  text: detail,
  finish_reason: null,
  served_model: null,
  usage: { prompt_tokens: 0, completion_tokens: 0 },
  latency_ms: 0,
  context_tokens: endpoint.context_tokens,
});

/**
 * Why a request cannot fit the endpoint's configured context; undefined where it may, and the server decides.
 *
 * @throws ModelError where no request of the role could
 */
export function overflowBeforehand(
  messages: readonly ModelMessage[],
  role: RoleSettings,
): string | undefined {
  const limit = role.endpoint.context_tokens;
  const most = messages.reduce((sum, { content }) => sum + content.length, 0);
  const answer = role.decoding.max_tokens ?? 1;
  // No text has more pieces than characters.
  if (limit === null || most + answer <= limit) return undefined;
  if (answer >= limit)
    throw new ModelError(
      `role "${role.role}" has max_tokens ${answer}, and its endpoint a context of ${limit} tokens for prompt and answer`,
      { remedy: `set roles.${role.role}.max_tokens lower` },
    );
  const prompt = leastTokens(messages);
  if (prompt + answer <= limit) return undefined;
  return `at least ${prompt} tokens of prompt and ${answer} of answer, and the context has ${limit}`;
}

/** What a caller is given. `stored`: it cost nothing. */
export function answerOf(response: ModelResponse, stored: boolean): ModelAnswer {
  const { outcome, key, text, model, usage } = response;
  return outcome === "context_overflow"
    ? { outcome, key, detail: text }
    : { outcome, key, text, model, usage, stored };
}
