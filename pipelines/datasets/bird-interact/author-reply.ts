/** The response in the author model's reply, or what is wrong with the reply, for the second attempt. */
export function readAuthorReply(text: string): { response: string } | { fault: string } {
  const said = text.replace(/<think>[\s\S]*?<\/think>/g, "");
  const [start, end] = [said.indexOf("{"), said.lastIndexOf("}")];
  if (start < 0 || end < start) return { fault: "the reply holds no JSON object" };
  let value: unknown;
  try {
    value = JSON.parse(said.slice(start, end + 1));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { fault: `the reply is not JSON: ${error.message}` };
  }
  const response = (value as { response?: unknown } | null)?.response;
  if (typeof response !== "string") return { fault: 'the object has no text "response"' };
  return { response: response.trim() };
}
