import type { Failure } from "../execution.js";

type DistributiveOmit<T, Keys extends PropertyKey> = T extends unknown ? Omit<T, Keys> : never;
/** A failure before its time is known. */
export type FailureEnd = DistributiveOmit<Failure, "duration_ms" | "rewrites">;

/** What the server says of an error, beside the message. */
interface ServerError extends Error {
  code?: string;
  detail?: string;
  routine?: string;
  position?: string;
  where?: string;
}

/**
 * Whether the error means that there is no session any more: the server ended it (57P01 to 57P05, class 08) or the socket
 * closed. The driver's own errors have a code of the system, or none.
 */
export function isLostConnection(error: Error): boolean {
  const { code } = error as ServerError;
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) || /^(?:57P0[1-5]|08)/.test(code);
}

/** Whether the server cancelled the statement: at its time limit, or because somebody asked. */
export const isCancelled = (error: Error): boolean => (error as ServerError).code === "57014";

/** How the server's error ends a statement (spec 9), by its SQLSTATE. */
export function endOfError(error: Error): FailureEnd {
  const { code = "", message, routine } = error as ServerError;
  switch (code) {
    case "25006":
      return { outcome: "refused", reason: "write", message: `${message} (${code})` };
    case "53200":
      return { outcome: "too_large", what: "memory" };
    case "53100":
    case "53400":
      return { outcome: "too_large", what: "disk" };
    case "42601":
      // The extended protocol takes one statement: the function that says so, because messages are translated.
      if (routine === "exec_parse_message") {
        return { outcome: "refused", reason: "several_statements", message: `${message} (${code})` };
      }
  }
  return { outcome: "error", message: code === "" ? message : `${message} (${code})` };
}
