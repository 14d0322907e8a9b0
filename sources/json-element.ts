import { isUtf8 } from "node:buffer";
import { SourceError } from "../pipelines/errors.js";
import { findJsonFault } from "./json-fault.js";

/**
 * The value of one element of an array, from its bytes.
 *
 * @throws SourceError placed where the text breaks: `place` is where the element begins, lines and columns from 1.
 */
export function parseElement(
  bytes: Buffer,
  place: { file: string; row: number; line: number; column: number },
): unknown {
  if (!isUtf8(bytes)) throw new SourceError(place, "expected UTF-8, found bytes that are not");
  const text = bytes.toString("utf8");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = findJsonFault(text);
    if (fault === undefined) throw new SourceError(place, "this element is not JSON", { cause });
    const before = text.slice(0, fault.offset).split("\n");
    const last = before.at(-1) ?? "";
    const line = place.line + before.length - 1;
    const column = Buffer.byteLength(last, "utf8") + (before.length === 1 ? place.column : 1);
    const found = text.slice(fault.offset, fault.offset + 20).split("\n")[0] ?? "";
    throw new SourceError(
      { file: place.file, row: place.row, line, column },
      `expected ${fault.expected}, found ${found === "" ? "the end of the element" : `"${found}"`}`,
      { cause },
    );
  }
}
