import type { RoleSettings } from "./configuration.js";

/** What a person can do about a refusal; undefined where the server's words must do. */
export function remedyFor(role: RoleSettings, status: number | undefined, words: string): string | undefined {
  const { endpoint, decoding, served_as } = role;
  if (status === 401 || status === 403) {
    return endpoint.api_key_env === undefined
      ? 'the server wants a key: set OPENAI_API_KEY, or name a variable in the endpoint\'s "api_key_env"'
      : `check the key in ${endpoint.api_key_env}`;
  }
  if (status === 404)
    return `does the server have ${served_as}? "ambitab models check" shows; "served_as" is for another name, and base_url ends before /chat/completions`;
  const vendor = decoding.top_k !== null || decoding.thinking !== null;
  if (status === 400 && vendor && /unrecogni|unknown|unsupported|unexpected|extra|not permitted/i.test(words))
    return `a server that takes no top_k or chat_template_kwargs needs "top_k": null and "thinking": null in roles.${role.role}`;
  return undefined;
}
