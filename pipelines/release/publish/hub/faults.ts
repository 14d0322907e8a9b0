import { HubApiError, InvalidApiResponseFormatError } from "@huggingface/hub";
import { Interrupted, UserError } from "../../../errors.js";
import type { HubConnection } from "./connection.js";

const AGAIN = "run the same command again: it goes on where it stopped";

/** The status of a hub's refusal; undefined where there was no answer at all. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof HubApiError ? error.statusCode : undefined;

/** Whether an error is a connection's: `fetch` tells all of them as a TypeError with a cause. */
export const isBroken = (error: unknown): boolean =>
  error instanceof TypeError && (error.cause !== undefined || error.message === "fetch failed");

/** What the package throws where an answer is not what the protocol promises; it has no class of its own for all of it. */
const isNonsense = (error: unknown): boolean =>
  error instanceof InvalidApiResponseFormatError ||
  (error instanceof Error && /^(?:Invalid server response|Cannot get ETag)/.test(error.message));

/** What a server says, on one line and not too long: it goes to a terminal. */
function words(error: HubApiError): string {
  const { error: told, message } = (error.data ?? {}) as { error?: unknown; message?: unknown };
  const text = [told, message].find((one): one is string => typeof one === "string" && one.trim() !== "");
  // XML is what the stores behind the hub answer.
  const bare = (text ?? "")
    .replace(/<[^>]*>/g, " ")
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
  return bare === "" ? "" : `: ${bare.slice(0, 300)}`;
}

/** Of a broken connection: `ECONNRESET`, or what else the system calls it. */
function causeOf(error: Error): string {
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string };
  return code ?? message ?? error.message;
}

function refused(status: number, doing: string, said: string, isLoggedIn: boolean): UserError {
  const told = (message: string, remedy: string): UserError => new UserError(`${message}${said}`, { remedy });
  switch (status) {
    case 401:
      return isLoggedIn
        ? told(
            `the hub does not take the token (401) when ${doing}`,
            "make a new token and set HF_TOKEN to it",
          )
        : told(`the hub wants to know who asks (401) when ${doing}`, "set HF_TOKEN");
    case 403:
      return told(
        `the hub forbids it (403) when ${doing}`,
        "use a token that may write to that owner's repositories",
      );
    case 404:
      return told(
        `the hub has no such place (404) when ${doing}`,
        "check the name, and what the token may see",
      );
    case 409:
    case 412:
      return told(
        `somebody else changed the repository meanwhile (${status}) when ${doing}`,
        `wait for them, then ${AGAIN}`,
      );
    case 413:
      return told(
        `the hub finds it too large (413) when ${doing}`,
        "see the hub's limits on sizes; a smaller release (--datasets) fits",
      );
    case 429:
      return told(
        `the hub wants fewer requests (429) when ${doing}`,
        `wait as long as it says, then ${AGAIN}`,
      );
    default:
      return told(`the hub answered ${status} when ${doing}`, AGAIN);
  }
}

/**
 * What a person is told of a fault of the hub's or of the line to it. Never holds the token or an address's signature.
 *
 * @param doing what was being done, such as "listing the files of a/b"
 */
export function hubFault(error: unknown, doing: string, connection: HubConnection): unknown {
  if (error instanceof UserError || error instanceof Interrupted) return error;
  if (error instanceof HubApiError) {
    const said = connection.withoutSecrets(words(error));
    if (error.url !== undefined && !connection.isOwn(error.url)) {
      const message = `the hub's store of large files answered ${error.statusCode} when ${doing}${said}`;
      return new UserError(message, { remedy: AGAIN });
    }
    return refused(error.statusCode, doing, said, connection.isLoggedIn);
  }
  if (error instanceof Error && isBroken(error)) {
    const why = connection.withoutSecrets(causeOf(error));
    return new UserError(`${connection.endpoint} cannot be reached (${why}) when ${doing}`, {
      remedy: AGAIN,
    });
  }
  if (error instanceof SyntaxError || isNonsense(error)) {
    return new UserError(`${connection.endpoint} does not answer as a hub does when ${doing}`, {
      remedy: "check HF_ENDPOINT",
    });
  }
  return error;
}
