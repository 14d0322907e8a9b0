import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { ModelResponse } from "../../schemas/types/model-response.js";
import { SourceError, UserError } from "../errors.js";
import { schemaFaults } from "../record/check-schema.js";
import { sha256 } from "../record/ids.js";
import type { ResponseStore } from "./response-store.js";

/**
 * Writes a response archive: the stored answers as JSON lines sorted by key, compressed. The same answers give the same
 * bytes: the gzip header has no time and names no system.
 *
 * @param keys only these; all where left out
 * @returns how many answers, and the file's sha256
 * @throws UserError when the store lacks one of `keys`
 */
export function exportArchive(
  store: ResponseStore,
  path: string,
  keys?: Iterable<string>,
): { responses: number; sha256: string } {
  const wanted = keys === undefined ? undefined : new Set(keys);
  const lines: string[] = [];
  for (const { key, line } of store.lines()) {
    if (wanted !== undefined && !wanted.delete(key)) continue;
    lines.push(`${line}\n`);
  }
  if (wanted !== undefined && wanted.size > 0)
    throw new UserError(`${wanted.size} of the answers to export are not in ${store.path}`, {
      remedy: "run the build that asked for them again; it asks for what is missing",
    });
  const bytes = gzipSync(lines.join(""), { level: 9 });
  // The header's last byte names the system that packed it (RFC 1952); 255 is "unknown".
  bytes[9] = 255;
  const half = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(half, bytes);
    renameSync(half, path);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
  return { responses: lines.length, sha256: sha256(bytes) };
}

function readArchive(path: string, bytes: Buffer): string[] {
  let text: string;
  try {
    text = gunzipSync(bytes).toString("utf8");
  } catch (cause) {
    throw new SourceError({ file: path }, `is no whole gzip file (${(cause as Error).message})`, { cause });
  }
  const lines = text.split("\n");
  if (lines.pop() !== "")
    throw new SourceError({ file: path, line: lines.length + 1 }, "the last line is cut off");
  return lines;
}

function readLine(file: string, line: number, text: string): ModelResponse {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SourceError({ file, line }, `is no JSON: ${(cause as Error).message}`, { cause });
  }
  const [fault] = schemaFaults("model-response", value);
  if (fault !== undefined) throw new SourceError({ file, line }, fault);
  return value as ModelResponse;
}

/**
 * Puts the answers of a response archive into a store: all or none. Putting one in again does nothing.
 *
 * @returns how many answers the archive holds
 * @throws UserError when the file cannot be read; SourceError naming file and line when a line is not what the format
 *   promises, stands out of order, or holds another answer than the store to the same request
 */
export function importArchive(store: ResponseStore, path: string): number {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new UserError(`the response archive ${path} cannot be read`, { cause });
  }
  const hash = sha256(bytes);
  const lines = readArchive(path, bytes);
  if (store.hasArchive(hash)) return lines.length;
  const responses = lines.map((text, index) => readLine(path, index + 1, text));
  const unordered = responses.findIndex(({ key }, index) => index > 0 && key <= responses[index - 1]!.key);
  if (unordered >= 0)
    throw new SourceError({ file: path, line: unordered + 1 }, "lines are not sorted by key, each once");
  const conflict = store.addAll(responses, hash);
  if (conflict !== undefined) {
    const { key, role, template } = conflict.given;
    throw new SourceError(
      { file: path, line: responses.findIndex((one) => one.key === key) + 1 },
      `answers the request ${key.slice(0, 12)} (role "${role}", ${template}) otherwise than ${store.path} does; replay it into a fresh output folder`,
    );
  }
  return responses.length;
}
