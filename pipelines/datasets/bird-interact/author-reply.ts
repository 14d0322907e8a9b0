import { parseJsonReply } from "../../model/index.js";

/** The response in the author model's reply, or what is wrong with the reply, for the second attempt. */
export function readAuthorReply(text: string): { response: string } | { fault: string } {
  const reply = parseJsonReply(
    text,
    (value): value is typeof value & { response: string } => typeof value.response === "string",
  );
  if (reply.outcome !== "parsed") return { fault: reply.reason };
  return { response: reply.value.response.trim() };
}
