/**
 * Askers, solvers, matchers and responders of a user's own, given as a module's path or as an HTTP address (spec 3). What
 * crosses is a view, never a record: a module gets the frozen view itself, an address gets it as JSON.
 */
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ModelError, UserError } from "../../errors.js";
import { sha256 } from "../../record/ids.js";
import { EpisodeCut } from "../model-calls.js";
import { postCall } from "./http.js";

export const PART_KINDS = ["asker", "solver", "matcher", "responder"] as const;
export type PartKind = (typeof PART_KINDS)[number];

/** The function that each kind of part has. */
export const CALLS = { asker: "decide", solver: "solve", matcher: "match", responder: "respond" } as const;

/** A user's part: how it is called, and what a run's settings say of it. */
export interface OwnPart {
  readonly kind: PartKind;
  /** What the run calls it: the module's or the address's own name. */
  readonly name: string;
  readonly address: string;
  /** Of a module's file. */
  readonly sha256?: string;
  /**
   * @param call what an address is sent
   * @param args what a module's function is given
   */
  invoke(call: object, args: readonly unknown[], signal: AbortSignal): Promise<unknown>;
}

const isHttp = (name: string): boolean => /^https?:\/\//.test(name);

/** Whether a name is a path or an address, and no name of ours. */
export const isOwnPart = (name: string): boolean =>
  isHttp(name) || /^(?:\.{1,2})?[/\\]|\.[cm]?js$|^file:/.test(name);

function httpPart(kind: PartKind, address: string): OwnPart {
  const { host, pathname } = new URL(address);
  return {
    kind,
    name: `${host}${pathname}`.replace(/\/+$/, ""),
    address,
    invoke: (call, _args, signal) => postCall(address, { call: CALLS[kind], ...call }, signal),
  };
}

type Module = Readonly<Record<string, unknown>>;

/** What the module exports for a kind: by the kind's name, or as its default. */
function exported(module: Module, kind: PartKind, path: string): Readonly<Record<string, unknown>> {
  const part = module[kind] ?? module.default;
  const call = CALLS[kind];
  if (typeof part === "function") return { [call]: part };
  const object = part as Readonly<Record<string, unknown>> | null | undefined;
  if (object === null || typeof object !== "object" || typeof object[call] !== "function") {
    throw new UserError(`${path} exports no ${kind}`, {
      remedy: `export an object with a function ${call} as "${kind}" or as the default`,
    });
  }
  return object;
}

async function modulePart(kind: PartKind, path: string): Promise<OwnPart> {
  const file = resolve(path.startsWith("file:") ? new URL(path).pathname : path);
  let source: Buffer;
  let module: Module;
  try {
    source = readFileSync(file);
  } catch (cause) {
    throw new UserError(`the ${kind} ${path} cannot be read`, { remedy: "name a module's file", cause });
  }
  try {
    module = (await import(pathToFileURL(file).href)) as Module;
  } catch (cause) {
    throw new UserError(`the ${kind} ${path} cannot be loaded: ${(cause as Error).message}`, { cause });
  }
  const part = exported(module, kind, path);
  const call = part[CALLS[kind]] as (...args: readonly unknown[]) => unknown;
  return {
    kind,
    name:
      typeof part.name === "string" && part.name !== ""
        ? part.name
        : basename(file).replace(/\.[cm]?js$/, ""),
    address: path,
    sha256: sha256(source),
    async invoke(_call, args) {
      try {
        return await call.apply(part, [...args]);
      } catch (cause) {
        // An episode that a model's call has ended inside the module ends as it would without one.
        if (cause instanceof EpisodeCut || cause instanceof ModelError) throw cause;
        throw new ModelError(`the ${kind} ${path} failed: ${(cause as Error)?.message ?? String(cause)}`, {
          remedy: "mend it and go on with --resume",
          cause,
        });
      }
    },
  };
}

/**
 * Loads a part that a user named.
 *
 * @throws UserError when there is no such module or it exports no such part
 */
export function loadPart(kind: PartKind, name: string): Promise<OwnPart> {
  return isHttp(name) ? Promise.resolve(httpPart(kind, name)) : modulePart(kind, name);
}
