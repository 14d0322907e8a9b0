import type { RequestBody } from "./attempt.js";
import type { RoleSettings } from "./configuration.js";
import type { ModelMessage } from "./types.js";

/** The body of a chat completion: OpenAI's fields, and what vLLM, SGLang and others take beside them. */
export function requestBody(
  { served_as, decoding }: RoleSettings,
  messages: readonly ModelMessage[],
  seed: number | undefined,
): RequestBody {
  const { temperature, top_p, top_k, max_tokens, thinking, extra } = decoding;
  const body: RequestBody = { model: served_as, messages };
  for (const [field, value] of Object.entries({ temperature, top_p, top_k, max_tokens, seed }))
    if (value !== null && value !== undefined) body[field] = value;
  const { chat_template_kwargs: given, ...rest } = extra;
  const kwargs = {
    ...(thinking === null ? {} : { enable_thinking: thinking }),
    ...(typeof given === "object" && given !== null ? given : {}),
  };
  if (Object.keys(kwargs).length > 0) body.chat_template_kwargs = kwargs;
  return Object.assign(body, rest);
}
