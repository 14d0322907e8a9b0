import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UserError } from "../../../errors.js";

/** Which hub is asked, and as whom. */
export interface HubAccess {
  /** The hub's address, without a slash at its end. */
  endpoint: string;
  /** Absent: nobody is logged in. Never shown, logged or put into an error. */
  token?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_ENDPOINT = "https://huggingface.co";

/** `~` and `$NAME` in a path, as huggingface_hub expands them; an unknown name stays as it is. */
function expanded(path: string, env: Environment): string {
  const home = env.HOME ?? homedir();
  return path
    .replace(/^~(?=\/|$)/, () => home)
    .replace(/\$(?:(\w+)|\{(\w+)\})/g, (whole, bare: string | undefined, braced: string | undefined) => {
      return env[bare ?? braced ?? ""] ?? whole;
    });
}

/** A variable that is set to something. */
const given = (env: Environment, name: string): string | undefined =>
  env[name] === "" ? undefined : env[name];

/** Where `hf auth login` keeps the token: HF_TOKEN_PATH, else `token` in HF_HOME, else in the cache's own place. */
export function tokenFile(env: Environment): string {
  const cache = given(env, "XDG_CACHE_HOME") ?? join(env.HOME ?? homedir(), ".cache");
  const home = given(env, "HF_HOME") ?? join(cache, "huggingface");
  return expanded(given(env, "HF_TOKEN_PATH") ?? join(home, "token"), env);
}

/** A token as it may stand in a header, or undefined where there is none. */
function cleaned(text: string, where: string): string | undefined {
  const token = text.replace(/[\r\n]/g, "").trim();
  if (token === "") return undefined;
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UserError(`what ${where} holds is no token: it has blanks or letters that a token cannot have`, {
    remedy: "copy the token again from the hub's settings",
  });
}

function storedToken(env: Environment): string | undefined {
  const path = tokenFile(env);
  if (!existsSync(path)) return undefined;
  try {
    return cleaned(readFileSync(path, "utf8"), path);
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    const { code = "unknown" } = cause as NodeJS.ErrnoException;
    throw new UserError(`the token's file ${path} cannot be read (${code})`, {
      remedy: "set HF_TOKEN, or mend the file",
      cause,
    });
  }
}

function endpointOf(text: string): string {
  const wrong = new UserError("HF_ENDPOINT is no web address without a user name or a query", {
    remedy: `leave it unset for ${DEFAULT_ENDPOINT}, or set it to such as https://hub.example.org`,
  });
  if (!URL.canParse(text)) throw wrong;
  const { protocol, username, password, search, hash } = new URL(text);
  if (!/^https?:$/.test(protocol) || username + password + search + hash !== "") throw wrong;
  return text.replace(/\/+$/, "");
}

/**
 * The hub and the token as the environment says them, by the rules of huggingface_hub: HF_ENDPOINT; HF_TOKEN, else the
 * old HUGGING_FACE_HUB_TOKEN, else the file of `tokenFile`; HF_HUB_OFFLINE forbids every request.
 *
 * @throws UserError when the hub may not be asked, or a setting cannot be used; never with the token in it
 */
export function hubAccess(env: Environment): HubAccess {
  if (/^(1|on|yes|true)$/i.test(env.HF_HUB_OFFLINE ?? "")) {
    throw new UserError("HF_HUB_OFFLINE is set, so the hub may not be asked", {
      remedy: "unset it, or publish to a folder with --to dir:PATH",
    });
  }
  const endpoint = endpointOf(given(env, "HF_ENDPOINT")?.trim() ?? DEFAULT_ENDPOINT);
  const variable = ["HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"].find((name) => given(env, name) !== undefined);
  const token = variable === undefined ? storedToken(env) : cleaned(env[variable] ?? "", variable);
  return token === undefined ? { endpoint } : { endpoint, token };
}
