import { createHash } from "node:crypto";
import canonicalize from "canonicalize";

/**
 * sha256 (hex) of a row's canonical JSON (RFC 8785): the same row hashes the same however its file is indented, escaped
 * or ordered. `value` must be what JSON.parse returned.
 */
export function rowSha256(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("only a JSON value has a canonical form");
  return createHash("sha256").update(text).digest("hex");
}
