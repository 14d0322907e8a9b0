import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { Interrupted, UserError } from "../../pipelines/errors.js";
import type { Download } from "../manifest.js";
import { type Answer, type PartState, requestRest } from "./http-range.js";
import { discardPart, partState } from "./part-file.js";
import { Restart, RetryLater, WrongAnswer } from "./transfer-errors.js";

export interface DownloadOptions {
  /** Tries per address, the first included. Default 6. */
  attempts?: number;
  /** First pause between tries, doubled each time up to 30 s. Default 500. */
  backoffMs?: number;
  /** A server's own "retry after" is kept up to this. Default 10 min. */
  maxRetryAfterMs?: number;
  /** Longest silence before a connection counts as dropped. Default 60 s. */
  idleTimeoutMs?: number;
  /** Longest time for the whole file; none when left out. */
  totalTimeoutMs?: number;
  signal?: AbortSignal;
  /** Called as bytes arrive: bytes on disk so far and, where the server says it, the whole size. */
  onProgress?: (received: number, total: number | undefined) => void;
  /** What a person can do instead; part of the error when every address fails. */
  remedy?: string;
}

/**
 * Downloads a file to `target`, trying each address in turn. Bytes go to `<target>.part` and are renamed only when size
 * and sha256 are right, so a file under its own name is always whole. An interrupted download goes on where it stopped
 * if the server still has the same file. Without a known size or hash, the server's word on the length, or the end of its
 * chunks, is what "whole" means; an answer that gives neither is refused.
 *
 * @throws UserError naming the address and what went wrong, or the hash or size that was expected and found;
 *   Interrupted when `signal` fires (the part stays for the next time).
 */
export async function downloadFile(
  downloads: readonly Download[],
  target: string,
  options: DownloadOptions = {},
): Promise<{ bytes: number; sha256: string; url: string }> {
  await mkdir(dirname(target), { recursive: true });
  const deadline = options.totalTimeoutMs === undefined ? undefined : Date.now() + options.totalTimeoutMs;
  const failures: string[] = [];
  for (const download of downloads) {
    try {
      return { ...(await fromOneAddress(download, target, options, deadline)), url: download.url };
    } catch (error) {
      if (!(error instanceof WrongAnswer)) throw error;
      failures.push(`${download.url}: ${error.message}`);
    }
  }
  throw new UserError(`cannot download ${failures.join("; ")}`, {
    ...(options.remedy === undefined ? {} : { remedy: options.remedy }),
  });
}

async function fromOneAddress(
  download: Download,
  target: string,
  options: DownloadOptions,
  deadline: number | undefined,
): Promise<{ bytes: number; sha256: string }> {
  const part = `${target}.part`;
  const attempts = options.attempts ?? 6;
  let pause = options.backoffMs ?? 500;
  let last = "";
  let doubted = false;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    stopIfAsked(options.signal);
    if (deadline !== undefined && Date.now() >= deadline) {
      throw new WrongAnswer(`not done within ${options.totalTimeoutMs} ms${last === "" ? "" : ` (${last})`}`);
    }
    let wait = pause;
    try {
      const state = await partState(part, download);
      const outcome = await receive(download, part, state, options, deadline);
      if (download.sha256 !== undefined && outcome.sha256 !== download.sha256) {
        await discardPart(part);
        const problem = `expected sha256 ${download.sha256}, found ${outcome.sha256}`;
        // A part put together from two states of the server's file deserves one clean try.
        if (state === undefined || doubted) throw new WrongAnswer(problem);
        doubted = true;
        last = problem;
        continue;
      }
      await rename(part, target);
      await rm(`${part}.json`, { force: true });
      return outcome;
    } catch (error) {
      stopIfAsked(options.signal);
      if (error instanceof WrongAnswer) {
        await discardPart(part);
        throw error;
      }
      if (error instanceof Restart) await discardPart(part);
      else if (error instanceof RetryLater) {
        if (error.afterMs !== undefined) wait = Math.min(error.afterMs, options.maxRetryAfterMs ?? 600_000);
      } else throw error;
      last = error.message;
    }
    pause = Math.min(pause * 2, 30_000);
    if (attempt < attempts) await sleep(wait, options.signal, deadline);
  }
  throw new WrongAnswer(`gave up after ${attempts} tries: ${last}`);
}

function stopIfAsked(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Interrupted();
}

/** One request: writes what arrives behind what is there; returns when the part is whole. */
async function receive(
  download: Download,
  part: string,
  state: PartState | undefined,
  options: DownloadOptions,
  deadline: number | undefined,
): Promise<{ bytes: number; sha256: string }> {
  const answer = await requestRest(download, state, {
    idleTimeoutMs: options.idleTimeoutMs ?? 60_000,
    deadline,
    signal: options.signal,
  });
  const hash = createHash("sha256");
  // In this order: a note about new bytes must never stand beside old ones.
  if (answer.offset > 0) await hashFile(part, hash);
  else await discardPart(part);
  await writeFile(
    `${part}.json`,
    JSON.stringify({ url: download.url, validator: answer.validator, total: answer.total }),
  );
  const received = await append(part, answer, hash, options);
  if (answer.total === undefined ? !answer.endIsProven : received < answer.total) {
    throw new RetryLater(
      `the connection ended after ${received} of ${answer.total ?? "an unknown number of"} bytes`,
    );
  }
  return { bytes: received, sha256: hash.digest("hex") };
}

async function append(part: string, answer: Answer, hash: Hash, options: DownloadOptions): Promise<number> {
  let received = answer.offset;
  const file = await open(part, answer.offset > 0 ? "r+" : "w");
  try {
    for await (const chunk of answer.body) {
      if (answer.total !== undefined && received + chunk.length > answer.total) {
        throw new WrongAnswer(`expected ${answer.total} bytes, found more`);
      }
      for (let done = 0; done < chunk.length; ) {
        done += (await file.write(chunk, done, chunk.length - done, received + done)).bytesWritten;
      }
      hash.update(chunk);
      received += chunk.length;
      options.onProgress?.(received, answer.total);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return received;
}

async function hashFile(path: string, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk);
}

/** Waits, but not past the deadline and not when asked to stop. */
function sleep(ms: number, signal: AbortSignal | undefined, deadline: number | undefined): Promise<void> {
  const bounded = deadline === undefined ? ms : Math.max(0, Math.min(ms, deadline - Date.now()));
  return new Promise((done) => {
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      done();
    };
    const timer = setTimeout(finish, bounded);
    signal?.addEventListener("abort", finish);
  });
}
