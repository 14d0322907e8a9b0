import { readFileSync } from "node:fs";
import type {
  EndpointConfiguration,
  ModelsConfiguration,
  RoleConfiguration,
  TokenPrice,
} from "../../schemas/types/models.js";
import { UserError } from "../errors.js";
import { schemaFaults } from "../record/check-schema.js";
import { DEFAULT_DECODING, type Decoding } from "./roles.js";
import { MODEL_ROLES, type ModelRole } from "./types.js";

/** An endpoint with every default filled in. The key itself is read when the endpoint is opened, and kept there. */
export interface EndpointSettings {
  readonly name: string;
  readonly base_url: string;
  /** The environment variable that holds the key; undefined: none is sent. */
  readonly api_key_env: string | undefined;
  readonly concurrency: number;
  readonly rate_per_minute: number | null;
  readonly context_tokens: number | null;
  readonly deadline_ms: number;
  readonly max_attempts: number;
  readonly backoff_ms: number;
  readonly max_backoff_ms: number;
  readonly patience_ms: number;
  readonly price: TokenPrice | undefined;
}

/** What answers a role: where, under which name, and with which decoding. */
export interface RoleSettings {
  readonly role: ModelRole;
  readonly endpoint: EndpointSettings;
  readonly served_as: string;
  readonly decoding: Decoding;
  readonly price: TokenPrice | undefined;
}

/** A checked configuration. `named`: the roles that a person wrote down; the others have the defaults. */
export interface Models {
  readonly roles: Readonly<Record<ModelRole, RoleSettings>>;
  readonly endpoints: readonly EndpointSettings[];
  readonly named: readonly ModelRole[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the openai package goes when nobody tells it. */
const OPENAI = "https://api.openai.com/v1";
const ENDPOINT_DEFAULTS = {
  concurrency: 16,
  rate_per_minute: null,
  context_tokens: null,
  deadline_ms: 300_000,
  max_attempts: 6,
  backoff_ms: 500,
  max_backoff_ms: 30_000,
  patience_ms: 3_600_000,
};
/** Fields of the body that are set from the request and the role, so that `extra` may not set them against the key. */
const OWN_FIELDS = [
  "model",
  "messages",
  "stream",
  "n",
  "seed",
  "temperature",
  "top_p",
  "top_k",
  "max_tokens",
];

function endpointSettings(
  name: string,
  given: EndpointConfiguration,
  environment: Environment,
): EndpointSettings {
  const { base_url = environment.OPENAI_BASE_URL || OPENAI, api_key_env, price, ...limits } = given;
  if (!URL.canParse(base_url))
    throw new UserError(`the endpoint "${name}" has a base_url that is no URL: ${base_url}`, {
      remedy: "such as http://localhost:8000/v1",
    });
  const variable = api_key_env === undefined ? "OPENAI_API_KEY" : (api_key_env ?? undefined);
  const isSet = variable !== undefined && (environment[variable] ?? "") !== "";
  if (typeof api_key_env === "string" && !isSet)
    throw new UserError(
      `the endpoint "${name}" takes its key from the environment variable ${api_key_env}, which is not set`,
      { remedy: `set ${api_key_env}, or give "api_key_env": null for a server that wants no key` },
    );
  return {
    name,
    base_url: base_url.replace(/\/+$/, ""),
    api_key_env: isSet ? variable : undefined,
    ...ENDPOINT_DEFAULTS,
    ...limits,
    price,
  };
}

function roleSettings(
  role: ModelRole,
  given: RoleConfiguration,
  endpoints: ReadonlyMap<string, EndpointSettings>,
  usual: string,
): RoleSettings {
  const { endpoint: name = usual, served_as, price, ...decoding } = given;
  const endpoint = endpoints.get(name);
  if (endpoint === undefined)
    throw new UserError(`the role "${role}" names the endpoint "${name}", which is not configured`, {
      remedy: `endpoints: ${[...endpoints.keys()].join(", ")}`,
    });
  const clash = OWN_FIELDS.find((field) => Object.hasOwn(decoding.extra ?? {}, field));
  if (clash !== undefined)
    throw new UserError(`roles.${role}.extra sets "${clash}", which is a field of the role or the request`, {
      remedy: `set roles.${role}.${clash} where there is such a field, or leave it out`,
    });
  const whole = { ...DEFAULT_DECODING[role], ...decoding };
  return {
    role,
    endpoint,
    served_as: served_as ?? whole.model,
    decoding: whole,
    price: price ?? endpoint.price,
  };
}

/**
 * Fills in the defaults of a configuration and checks what a schema cannot.
 *
 * @throws UserError naming the field
 */
export function configureModels(
  configuration: ModelsConfiguration,
  environment: Environment = process.env,
): Models {
  const given = configuration.endpoints ?? {};
  const names = Object.keys(given);
  const endpoints = new Map(names.map((name) => [name, endpointSettings(name, given[name]!, environment)]));
  if (!endpoints.has("default")) endpoints.set("default", endpointSettings("default", {}, environment));
  const usual = names.length === 1 ? names[0]! : "default";
  const roles = configuration.roles ?? {};
  const settings = MODEL_ROLES.map(
    (role) => [role, roleSettings(role, roles[role] ?? {}, endpoints, usual)] as const,
  );
  return {
    roles: Object.fromEntries(settings) as Record<ModelRole, RoleSettings>,
    endpoints: [...endpoints.values()],
    named: MODEL_ROLES.filter((role) => roles[role] !== undefined),
  };
}

/**
 * Reads the file of `--models` (`schemas/models.schema.json`).
 *
 * @throws UserError naming file and field: no such file, no JSON, an unknown field, a wrong value
 */
export function readModels(path: string, environment: Environment = process.env): Models {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  } catch (cause) {
    const why = cause instanceof SyntaxError ? `is no JSON: ${cause.message}` : "cannot be read";
    throw new UserError(`the model configuration ${path} ${why}`, {
      remedy: "its format is schemas/models.schema.json",
      cause,
    });
  }
  const faults = schemaFaults("models", value);
  if (faults.length > 0)
    throw new UserError(`the model configuration ${path}: ${faults.join("; ")}`, {
      remedy: "its format is schemas/models.schema.json",
    });
  try {
    return configureModels(value as ModelsConfiguration, environment);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    const { remedy } = cause;
    throw new UserError(`the model configuration ${path}: ${cause.message}`, {
      cause,
      ...(remedy === undefined ? {} : { remedy }),
    });
  }
}

/** The paper's roles on the endpoint that the environment names; undefined where it names none. */
export function modelsOfEnvironment(environment: Environment = process.env): Models | undefined {
  const { OPENAI_BASE_URL, OPENAI_API_KEY } = environment;
  if ((OPENAI_BASE_URL ?? "") === "" && (OPENAI_API_KEY ?? "") === "") return undefined;
  return configureModels({}, environment);
}

/** An endpoint's address for messages: without the user, password or query that a URL may hold. */
export function shownAddress(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + (pathname === "/" ? "" : pathname);
}
