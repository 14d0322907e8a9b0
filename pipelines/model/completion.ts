import { type Failure, failureOfErrorBody } from "./failure.js";
import type { ModelUsage } from "./types.js";

/** What a server answered, as it stands in its chat completion. */
export interface Reply {
  readonly kind: "reply";
  readonly text: string;
  /** The server stopped at a length limit. */
  readonly truncated: boolean;
  readonly finish_reason: string | null;
  /** The name that the server gives the model; null where it gives none. */
  readonly served_model: string | null;
  readonly usage: ModelUsage;
}

interface Completion {
  error?: unknown;
  object?: unknown;
  model?: unknown;
  choices?: { message?: Message | null; finish_reason?: unknown }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown } | null;
}

interface Message {
  content?: unknown;
  refusal?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
}

const isText = (value: unknown): value is string => typeof value === "string";
const count = (value: unknown): number =>
  typeof value === "number" && value > 0 ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER) : 0;

/** Some servers give the content as a list of parts. */
function textOf(content: unknown): string | undefined {
  if (isText(content)) return content;
  if (!Array.isArray(content)) return undefined;
  return content
    .map((part: unknown) => (part as { text?: unknown } | null)?.text)
    .filter(isText)
    .join("");
}

const LENGTH = ["length", "max_tokens", "model_length"];
/** Endings that the model did not choose: what stands before them is not its answer. */
const CUT_OFF = ["abort", "error", "content_filter", "cancelled"];

/**
 * Reads the body of a response with status 200. Who fell silent decides what silence is:
 *
 * - an empty text, a refusal, or a model that only thought: the model's own answer, and it is scored as such
 * - no text at all (`null`), an aborted or filtered generation, an error body, no chat completion: the server's fault
 */
export function readCompletion(body: unknown): Reply | Failure {
  if (typeof body !== "object" || body === null)
    return { kind: "fault", fault: "malformed", detail: "the response is no chat completion" };
  const { error, object, model, choices, usage } = body as Completion;
  if ((error !== undefined && error !== null) || object === "error") return failureOfErrorBody(body);
  const [choice] = Array.isArray(choices) ? choices : [];
  if (choice === undefined)
    return { kind: "fault", fault: "malformed", detail: "the response holds no choice" };
  const { content, refusal, reasoning_content, reasoning } = choice.message ?? {};
  const finish = isText(choice.finish_reason) ? choice.finish_reason : null;
  if (finish !== null && CUT_OFF.includes(finish))
    return { kind: "fault", fault: "empty", detail: `the server ended the answer (${finish})` };
  const truncated = finish !== null && LENGTH.includes(finish);
  const thought = [reasoning_content, reasoning].some((one) => isText(one) && one !== "");
  const text = textOf(content) ?? (isText(refusal) ? refusal : truncated || thought ? "" : undefined);
  if (text === undefined)
    return { kind: "fault", fault: "empty", detail: "the answer has no content (null)" };
  return {
    kind: "reply",
    text,
    truncated,
    finish_reason: finish,
    served_model: isText(model) && model !== "" ? model : null,
    usage: {
      prompt_tokens: count(usage?.prompt_tokens),
      completion_tokens: count(usage?.completion_tokens),
    },
  };
}
