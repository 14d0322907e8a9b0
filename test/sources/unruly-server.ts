import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEachTest } from "../endings.js";

export type Handler = (request: IncomingMessage, response: ServerResponse, attempt: number) => void;

export interface UnrulyServer {
  url: string;
  /** The Range header of each request so far; undefined for a request of the whole file. */
  ranges: (string | undefined)[];
}

const open: (() => Promise<void>)[] = [];
afterEachTest(async () => {
  for (const close of open.splice(0)) await close();
});

/** A real HTTP server that does whatever `handler` does; `attempt` counts requests from 1. Closed after the test. */
export async function unrulyServer(handler: Handler): Promise<UnrulyServer> {
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    handler(request, response, ranges.length);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  open.push(
    () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/a%20file.bin`, ranges };
}

/** The offset that a request asks to go on from. */
export function offsetOf(request: IncomingMessage): number {
  return Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
}

/** An honest answer, Range and If-Range included. */
export function serve(
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  etag = '"v1"',
): void {
  const from = offsetOf(request);
  const wanted = request.headers["if-range"];
  const headers = { etag, "accept-ranges": "bytes" };
  if (from > 0 && (wanted === undefined || wanted === etag)) {
    if (from >= content.length) {
      response.writeHead(416, { ...headers, "content-range": `bytes */${content.length}` }).end();
      return;
    }
    const range = `bytes ${from}-${content.length - 1}/${content.length}`;
    response.writeHead(206, { ...headers, "content-range": range, "content-length": content.length - from });
    response.end(content.subarray(from));
    return;
  }
  response.writeHead(200, { ...headers, "content-length": content.length }).end(content);
}

/**
 * Promises the rest of the file, sends `bytes` of it and drops the connection once `received` says that they have
 * arrived (what is still on its way would be lost with the connection, now more and now less of it).
 */
export function dropAfter(
  request: IncomingMessage,
  response: ServerResponse,
  content: Buffer,
  bytes: number,
  received: () => number,
  etag = '"v1"',
): void {
  const from = offsetOf(request);
  const range = { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` };
  response.writeHead(from > 0 ? 206 : 200, {
    etag,
    "content-length": content.length - from,
    ...(from > 0 ? range : {}),
  });
  response.write(content.subarray(from, from + bytes));
  const timer = setInterval(() => {
    if (received() >= from + bytes) response.destroy();
  }, 5);
  response.on("close", () => clearInterval(timer));
}
