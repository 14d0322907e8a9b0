import type { Download } from "../manifest.js";
import { type RequestLimits, RequestWatch } from "./request-watch.js";
import { Restart, RetryLater, WrongAnswer } from "./transfer-errors.js";

/** What is on disk already: bytes, the server's mark of the file's state, and the whole size if it was told. */
export interface PartState {
  offset: number;
  /** A strong ETag or a Last-Modified date, as If-Range wants it. */
  validator: string | undefined;
  total: number | undefined;
}

export interface Answer {
  /** Where in the file the body begins: 0, or the part's size. */
  offset: number;
  /** Size of the whole file. */
  total: number | undefined;
  validator: string | undefined;
  /** Without a size: whether the transfer itself shows its end (chunked), so that a cut is not taken for it. */
  endIsProven: boolean;
  body: AsyncIterable<Uint8Array>;
}

/**
 * Asks an address for a file, or for the rest of it. The bytes are asked for as they are (no content coding), because
 * sizes, ranges and hashes speak of those.
 */
export async function requestRest(
  download: Download,
  state: PartState | undefined,
  limits: RequestLimits,
): Promise<Answer> {
  const headers: Record<string, string> = { "accept-encoding": "identity", "user-agent": "ambitab" };
  if (state !== undefined) {
    headers.range = `bytes=${state.offset}-`;
    if (state.validator !== undefined) headers["if-range"] = state.validator;
  }
  const watch = new RequestWatch(limits);
  try {
    const response = await watch.guard(
      fetch(download.url, { headers, signal: watch.signal, redirect: "follow" }),
    );
    if (download.url.startsWith("https:") && response.url.startsWith("http:")) {
      throw new WrongAnswer(`redirected from https to ${new URL(response.url).host} without encryption`);
    }
    const answer = readHead(response, download, state);
    return { ...answer, body: watchedBody(response, watch) };
  } catch (error) {
    watch.end();
    throw error;
  }
}

function readHead(
  response: Response,
  download: Download,
  state: PartState | undefined,
): Omit<Answer, "body"> {
  const { status, headers } = response;
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    throw new RetryLater(`the server answered ${status}`, retryAfterMs(headers.get("retry-after")));
  }
  if (status === 416 && state !== undefined)
    throw new Restart("the server has fewer bytes than are here already");
  if (status !== 200 && status !== 206) throw new WrongAnswer(`the server answered ${status}`);
  const coding = headers.get("content-encoding");
  if (coding !== null && coding !== "identity") throw new WrongAnswer(`the server sent ${coding} unasked`);
  const validator = validatorOf(headers);
  const length = wholeNumber(headers.get("content-length"));
  if (status === 206) {
    if (state === undefined) throw new WrongAnswer("the server sent a part of the file unasked");
    return continued(headers, download, state, validator);
  }
  const total = length ?? download.bytes;
  if (download.bytes !== undefined && total !== download.bytes) {
    throw new WrongAnswer(`expected ${download.bytes} bytes, found ${total}`);
  }
  const endIsProven = headers.get("transfer-encoding")?.includes("chunked") ?? false;
  return { offset: 0, total, validator, endIsProven };
}

function continued(
  headers: Headers,
  download: Download,
  state: PartState,
  validator: string | undefined,
): Omit<Answer, "body"> {
  const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get("content-range") ?? "");
  const start = wholeNumber(range?.[1] ?? null);
  const end = wholeNumber(range?.[2] ?? null);
  const total = wholeNumber(range?.[3] ?? null) ?? state.total ?? download.bytes;
  if (start !== state.offset || end === undefined || total === undefined || end + 1 !== total) {
    throw new Restart(
      `the server sent the range "${headers.get("content-range")}", asked for ${state.offset}-`,
    );
  }
  const known = download.bytes ?? state.total;
  if (known !== undefined && total !== known)
    throw new Restart(`the file has now ${total} bytes, had ${known}`);
  if (state.validator !== undefined && validator !== undefined && validator !== state.validator) {
    throw new Restart("the file on the server has changed since the download began");
  }
  return { offset: start, total, validator: validator ?? state.validator, endIsProven: true };
}

/** A strong ETag, else the date; a weak ETag does not promise equal bytes. */
function validatorOf(headers: Headers): string | undefined {
  const tag = headers.get("etag");
  if (tag?.startsWith('"')) return tag;
  return headers.get("last-modified") ?? undefined;
}

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d+$/.test(text) ? Number(text) : undefined;

function retryAfterMs(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = wholeNumber(value.trim());
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

async function* watchedBody(
  response: Response,
  watch: RequestWatch,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  try {
    while (reader !== undefined) {
      const { done, value } = await watch.guard(reader.read());
      if (done) return;
      watch.alive();
      yield value;
    }
  } finally {
    watch.end();
  }
}
