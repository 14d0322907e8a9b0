// Generated from schemas/models.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * Which endpoint, model and decoding answers the calls of a role: the file of --models. All that it leaves out has a default (spec 6).
 */
export interface ModelsConfiguration {
  /**
   * For editors.
   */
  $schema?: string;
  /**
   * Name → an OpenAI-compatible server. The endpoint "default" is there without being named: OPENAI_BASE_URL with OPENAI_API_KEY.
   */
  endpoints?: {
    [k: string]: EndpointConfiguration;
  };
  /**
   * Role → what answers it. A field that is left out is the paper's.
   */
  roles?: {
    asker?: RoleConfiguration;
    solver?: RoleConfiguration;
    oracle?: RoleConfiguration;
    rewriter?: RoleConfiguration;
    probe?: RoleConfiguration;
    "evidence-probe-a"?: RoleConfiguration;
    "evidence-probe-b"?: RoleConfiguration;
    judge?: RoleConfiguration;
    "response-author"?: RoleConfiguration;
  };
}
export interface EndpointConfiguration {
  /**
   * Up to and without /chat/completions, such as http://localhost:8000/v1. Left out: OPENAI_BASE_URL.
   */
  base_url?: string;
  /**
   * The environment variable that holds the key, never the key itself; null sends none. Left out: OPENAI_API_KEY where that is set, else none.
   */
  api_key_env?: string | null;
  /**
   * Calls at once.
   */
  concurrency?: number;
  /**
   * Calls started in a minute, retries counted; null: no limit.
   */
  rate_per_minute?: number | null;
  /**
   * Tokens that prompt and answer may have together. A request that cannot fit is not sent. null: the server decides alone. Stored overflows count for the same number only, so give it when the server's context grows.
   */
  context_tokens?: number | null;
  /**
   * Time of one attempt, from sending to the last byte.
   */
  deadline_ms?: number;
  /**
   * Attempts that may fail by a fault of the server's before the call is given up. Being told to wait is no fault.
   */
  max_attempts?: number;
  /**
   * Wait before the second attempt; doubled before each further one, and jittered.
   */
  backoff_ms?: number;
  /**
   * The longest such wait.
   */
  max_backoff_ms?: number;
  /**
   * How long a call may be put off by a server that tells it to wait (429) before it is given up.
   */
  patience_ms?: number;
  price?: TokenPrice;
}
/**
 * Price of a million tokens, in whatever currency you count.
 */
export interface TokenPrice {
  prompt: number;
  completion: number;
}
export interface RoleConfiguration {
  /**
   * Name of an endpoint. Left out: the only one of this file, else "default".
   */
  endpoint?: string;
  /**
   * The model, named so that another person can find it. Part of a request's key.
   */
  model?: string;
  /**
   * What this server calls the model, where it is not the same. No part of a request's key.
   */
  served_as?: string;
  temperature?: number | null;
  top_p?: number | null;
  /**
   * Not in OpenAI's own interface: null leaves it out.
   */
  top_k?: number | null;
  /**
   * Sent as chat_template_kwargs.enable_thinking; null leaves it out.
   */
  thinking?: boolean | null;
  max_tokens?: number | null;
  /**
   * Further fields of the request's body, as the server wants them.
   */
  extra?: {};
  price?: TokenPrice;
}
