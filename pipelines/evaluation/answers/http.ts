/**
 * The answering service over HTTP. JSON both ways; the shapes are `schemas/answer-service.schema.json` (what `GET /` says)
 * and `schemas/answer-call.schema.json` (what is posted).
 *
 * | call | reply |
 * | --- | --- |
 * | `GET /` | what this service is: release, oracle, whether it tells terms |
 * | `POST /open` | `{"max_turn": 4, "asked": []}`, and `"terms"` where the holder allows the full condition |
 * | `POST /ask` | `{"response": "…", "questions_left": 1}`, or `{"failed": "context_overflow"}` where the oracle's model gave out |
 *
 * A call that is refused has a status from 400 and `{"error": "…"}`. With a token, every call must bear it.
 */
import { timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { AnswerCall } from "../../../schemas/types/answer-call.js";
import { UserError } from "../../errors.js";
import { schemaFaults } from "../../record/check-schema.js";
import { sha256 } from "../../record/ids.js";
import { Refusal } from "./replies.js";
import type { AnswerService } from "./service.js";

/** A dialogue crosses in whole with every question; no model reads one as large. */
const LARGEST_BODY = 16 * 1024 * 1024;

export interface ServeOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** What every call must bear; anybody may ask without it. */
  readonly token?: string;
  /** Told of what failed here, which the asker is not told. */
  readonly onFault: (error: unknown) => void;
}

/** A service that is heard at an address. */
export interface Served {
  readonly address: string;
  /** Takes no more calls and waits for those under way. */
  close(): Promise<void>;
}

/** Compares hashes, so that neither the time nor the length tells how much of a token was right. */
function isToken(given: string | undefined, token: string): boolean {
  const [wanted, got] = [`Bearer ${token}`, given ?? ""].map((text) => Buffer.from(sha256(text)));
  return wanted !== undefined && got !== undefined && timingSafeEqual(wanted, got);
}

function readCall(text: string): AnswerCall {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, "the body is no JSON");
  }
  const [fault] = schemaFaults("answer-call", value);
  if (fault !== undefined) throw new Refusal(400, `the call is not as it should be: ${fault}`);
  return value as AnswerCall;
}

/** The service's calls as an app of hono's. */
export function answerApp(
  service: AnswerService,
  { token, onFault }: Pick<ServeOptions, "token" | "onFault">,
): Hono {
  const app = new Hono();
  app.onError((error, context) => {
    if (error instanceof Refusal) return context.json({ error: error.message }, error.status);
    onFault(error);
    context.header("retry-after", "2");
    return context.json({ error: "the service cannot answer now; its holder sees why" }, 503);
  });
  app.notFound((context) => context.json({ error: "there is GET /, POST /open and POST /ask" }, 404));
  app.use(async (context, next) => {
    if (token !== undefined && !isToken(context.req.header("authorization"), token))
      throw new Refusal(401, "the call bears no token, or a wrong one");
    // A page in somebody's browser can post a form anywhere, but no JSON without being asked for leave.
    if (
      context.req.method === "POST" &&
      !/^application\/json\b/.test(context.req.header("content-type") ?? "")
    )
      throw new Refusal(415, "the body must be application/json");
    await next();
  });
  const tooLarge = (): never => {
    throw new Refusal(413, `the body is larger than ${LARGEST_BODY} bytes`);
  };
  app.use(bodyLimit({ maxSize: LARGEST_BODY, onError: tooLarge }));
  app.get("/", (context) => context.json(service.card));
  app.post("/open", async (context) => context.json(await service.begin(readCall(await context.req.text()))));
  app.post("/ask", async (context) => context.json(await service.ask(readCall(await context.req.text()))));
  return app;
}

/** Errors of listening that a person can do something about. */
function cannotListen(error: NodeJS.ErrnoException, { host, port }: ServeOptions): Error {
  const why: Record<string, string> = {
    EADDRINUSE: "another program listens there",
    EACCES: "this user may not listen there",
    EADDRNOTAVAIL: "this machine has no such address",
    ENOTFOUND: "there is no such host",
  };
  const known = why[error.code ?? ""];
  if (known === undefined) return error;
  return new UserError(`cannot listen on ${host}, port ${port}: ${known}`, {
    remedy: "choose others with --host and --port",
    cause: error,
  });
}

/**
 * Serves an app at an address.
 *
 * @throws UserError where nobody can listen there
 */
export function serveAnswers(service: AnswerService, options: ServeOptions): Promise<Served> {
  const { host, port } = options;
  const server = createServer(getRequestListener(answerApp(service, options).fetch));
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(error, options)));
    server.listen(port, host, () => {
      const { address, family, port: bound } = server.address() as AddressInfo;
      resolve({
        address: `http://${family === "IPv6" ? `[${address}]` : address}:${bound}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            // Kept connections wait for calls that will not be taken.
            server.closeIdleConnections();
          }),
      });
    });
  });
}
