import { ModelError } from "../errors.js";
import { type EndpointSettings, type Models, type RoleSettings, shownAddress } from "./configuration.js";
import type { CallOutcome, Endpoint, TimedReply } from "./endpoint.js";
import { parseJsonReply, type Shape } from "./parse.js";
import { requestBody } from "./request-body.js";
import type { ModelRole } from "./types.js";

/** What one tiny call of a role came to. `ok`: it answered, as it was told to. */
export interface RoleCheck {
  readonly role: ModelRole;
  readonly endpoint: string;
  /** Without the user, password or query that a URL may hold. */
  readonly base_url: string;
  readonly model: string;
  readonly served_as: string;
  readonly ok: boolean;
  readonly reachable: boolean;
  /** Whether the server lists the model; null where it lists none. */
  readonly listed: boolean | null;
  /** What the reply calls the model; null where it says nothing. */
  readonly answers_as: string | null;
  readonly obeys_json: boolean;
  readonly latency_ms: number | null;
  /** What is wrong, or worth knowing; empty where all is well. */
  readonly note: string;
}

/** What an endpoint says of itself; asked once, however many roles it has. */
interface EndpointCheck {
  readonly endpoint: Endpoint;
  readonly models: string[] | undefined;
}

const WANTED = '{"ok": true}';
const isWanted: Shape<{ ok: true }> = (value): value is typeof value & { ok: true } => value.ok === true;
const MESSAGES = [
  { role: "user", content: `Reply with exactly this JSON object and nothing else: ${WANTED}` },
] as const;
/** Enough for the object and a fence; a model that thinks although it was told not to shows by running out of it. */
const MOST_TOKENS = 64;
const LONGEST_MS = 60_000;

/** A person waits for this: one attempt, and not for long. */
const impatient = (settings: EndpointSettings): EndpointSettings => ({
  ...settings,
  max_attempts: 1,
  patience_ms: 0,
  deadline_ms: Math.min(settings.deadline_ms, LONGEST_MS),
});

type Sent = { outcome: CallOutcome<TimedReply> } | { refused: ModelError };

async function send(endpoint: Endpoint, role: RoleSettings, signal: AbortSignal): Promise<Sent> {
  const max_tokens = Math.min(role.decoding.max_tokens ?? MOST_TOKENS, MOST_TOKENS);
  const small = { ...role, decoding: { ...role.decoding, max_tokens } };
  const observer = {
    sent: () => undefined,
    retried: () => undefined,
    keep: (reply: TimedReply) => Promise.resolve(reply),
  };
  try {
    return { outcome: await endpoint.call(small, requestBody(small, MESSAGES, undefined), observer, signal) };
  } catch (error) {
    if (error instanceof ModelError) return { refused: error };
    throw error;
  }
}

function noteOn(role: RoleSettings, sent: Sent, obeys: boolean, listed: boolean | null): string {
  if ("refused" in sent) return [sent.refused.message, sent.refused.remedy].filter(Boolean).join("; ");
  if (sent.outcome.kind !== "kept") return sent.outcome.detail;
  const reply = sent.outcome.value;
  if (!obeys) {
    const cut = reply.truncated ? ` (cut off after ${MOST_TOKENS} tokens: does it think?)` : "";
    return `did not reply with the JSON object it was asked for${cut}: ${JSON.stringify(reply.text.slice(0, 80))}`;
  }
  const { served_model } = reply;
  if (served_model !== null && served_model !== role.served_as)
    return `the server calls the model ${served_model}`;
  return listed === false ? "the server answers, though it does not list the model" : "";
}

async function checkRole(
  role: RoleSettings,
  { endpoint, models }: EndpointCheck,
  signal: AbortSignal,
): Promise<RoleCheck> {
  const sent = await send(endpoint, role, signal);
  const reply = "outcome" in sent && sent.outcome.kind === "kept" ? sent.outcome.value : undefined;
  const obeys = reply !== undefined && parseJsonReply(reply.text, isWanted).outcome === "parsed";
  const listed = models?.includes(role.served_as) ?? null;
  return {
    role: role.role,
    endpoint: role.endpoint.name,
    base_url: shownAddress(role.endpoint.base_url),
    model: role.decoding.model,
    served_as: role.served_as,
    ok: obeys,
    reachable: endpoint.wasHeard,
    listed,
    answers_as: reply?.served_model ?? null,
    obeys_json: obeys,
    latency_ms: reply?.latency_ms ?? null,
    note: noteOn(role, sent, obeys, listed),
  };
}

/**
 * Makes one tiny call for each role, without the store, one after the other so that the latencies mean something: is the
 * server there, has it the model, does it obey, how long does it take. Never throws for what a server does.
 *
 * @param roles the roles to check; those that the configuration names, or all where it names none, when left out
 * @throws Interrupted when `signal` fires
 */
export async function checkModels(
  models: Models,
  {
    roles = models.named.length > 0 ? models.named : (Object.keys(models.roles) as ModelRole[]),
    environment = process.env,
    signal = new AbortController().signal,
  }: {
    roles?: readonly ModelRole[];
    environment?: Readonly<Record<string, string | undefined>>;
    signal?: AbortSignal;
  } = {},
): Promise<RoleCheck[]> {
  const { Endpoint } = await import("./endpoint.js");
  const endpoints = new Map<string, EndpointCheck>();
  const checks: RoleCheck[] = [];
  for (const name of roles) {
    const role = models.roles[name];
    let checked = endpoints.get(role.endpoint.name);
    if (checked === undefined) {
      const endpoint = new Endpoint(impatient(role.endpoint), environment);
      checked = { endpoint, models: await endpoint.models(signal) };
      endpoints.set(role.endpoint.name, checked);
    }
    checks.push(await checkRole(role, checked, signal));
  }
  for (const { endpoint } of endpoints.values()) endpoint.close();
  return checks;
}
