import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** No reply of a model is as large; a server that goes on and on must not fill the memory. */
const LARGEST = 64 * 1024 * 1024;

/** As many as there can be slots. */
const KEPT_ALIVE = { keepAlive: true, maxFreeSockets: 4096 };

/** The whole body. Rejects where the connection ends before it does. */
function bodyOf(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on("data", (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > LARGEST) response.destroy(new Error(`the response is larger than ${LARGEST} bytes`));
    });
    response.once("error", reject);
    response.once("end", () => resolve(Buffer.concat(chunks)));
    response.once("close", () => {
      if (!response.complete) reject(new Error("it ended in the middle of the response"));
    });
  });
}

/** The package keeps nothing of an error's body but its field `error`; in it, every server's words survive. */
function wrapped(body: Buffer): string {
  const text = body.toString("utf8");
  try {
    return JSON.stringify({ error: JSON.parse(text) as unknown });
  } catch {
    return JSON.stringify({ error: { message: text } });
  }
}

/** What is told in a header and used here. Everything is read as JSON, whatever the server calls it. */
function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers({ "content-type": "application/json" });
  for (const name of ["retry-after", "retry-after-ms"]) {
    const value = response.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return headers;
}

/**
 * A `fetch` for the openai package on Node's own HTTP client. The built-in one gives up after 300 s without a header, and
 * nothing can tell it otherwise, while a busy server may well take longer to finish a long answer that is not streamed;
 * how long an attempt may take is the endpoint's deadline alone. It also takes less CPU. Connections are kept alive;
 * redirects are not followed, so that a key goes nowhere but to the configured server.
 */
export function openTransport(): { fetch: typeof fetch; close(): void } {
  const plain = new HttpAgent(KEPT_ALIVE);
  const secure = new HttpsAgent(KEPT_ALIVE);
  const send = (url: URL, init: RequestInit, again = true): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const isSecure = url.protocol === "https:";
      const options = {
        method: init.method ?? "GET",
        headers: Object.fromEntries(new Headers(init.headers)),
        agent: isSecure ? secure : plain,
        ...(init.signal ? { signal: init.signal } : {}),
      };
      const sent = isSecure ? httpsRequest(url, options, resolve) : httpRequest(url, options, resolve);
      // Also later: a connection may break when its answer is already given up.
      sent.on("error", (error: NodeJS.ErrnoException) => {
        // The server closed a kept connection just when it was used again: nobody's fault, and nothing was done there.
        if (again && sent.reusedSocket && error.code === "ECONNRESET" && init.signal?.aborted !== true)
          send(url, init, false).then(resolve, reject);
        else reject(error);
      });
      sent.end(typeof init.body === "string" ? init.body : undefined);
    });
  return {
    async fetch(url, init = {}) {
      const response = await send(new URL(url instanceof Request ? url.url : url), init);
      const body = await bodyOf(response);
      const { statusCode: status = 500 } = response;
      const headers = headersOf(response);
      if (status >= 200 && status < 300)
        return new Response(status === 204 ? null : new Uint8Array(body), { status, headers });
      if (status >= 400) return new Response(wrapped(body), { status, headers });
      // To the package a redirect is a success without an answer.
      const message = `the server redirects to ${response.headers.location}, and base_url must be the address itself`;
      return new Response(JSON.stringify({ error: { message } }), { status: 404, headers });
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}
