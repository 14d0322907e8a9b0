/** What commands need that talk to an answering service, or are one. */
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../pipelines/errors.js";
import { AnswersClient } from "../../pipelines/evaluation/answers/client.js";
import type { Suite } from "../../pipelines/record/suite.js";
import type { RunSettings } from "../../schemas/types/run.js";

/** Whether an oracle is named by the address of a service. */
export const isService = (oracle: string): boolean => /^https?:\/\//.test(oracle);

/**
 * The token in a file, without the line's end behind it.
 *
 * @throws UserError, which does not show it, where there is none that a header can hold
 */
export function tokenIn(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw new UserError(`the token's file ${file} cannot be read`, {
      remedy: "name a file with a token",
      cause,
    });
  }
  if (/^[\x21-\x7e]{8,}$/.test(text)) return text;
  throw new UserError(`${file} holds no token: one is 8 characters or more, without blanks`, {
    remedy: "make one with: openssl rand -hex 32",
  });
}

/** Connects to the service that `--oracle` names, which must answer for this very release. */
export async function connectService(
  address: string,
  suite: Suite,
  datasets: readonly string[],
  tokenFile?: string,
): Promise<AnswersClient> {
  const client = await AnswersClient.connect(
    address,
    tokenFile === undefined ? {} : { token: tokenIn(tokenFile) },
  );
  client.assertAnswers(suite, datasets);
  return client;
}

/** What the service calls the run in this folder: drawn once, and the same when the run is gone on with. */
export function answeredBy(folder: string): NonNullable<RunSettings["answered_by"]> {
  const path = join(folder, "run.json");
  if (existsSync(path)) {
    try {
      const { answered_by } = JSON.parse(readFileSync(path, "utf8")) as Partial<RunSettings>;
      if (typeof answered_by?.run === "string") return answered_by;
    } catch {
      // Whoever claims the folder says what is wrong with it.
    }
  }
  return { run: randomUUID() };
}
