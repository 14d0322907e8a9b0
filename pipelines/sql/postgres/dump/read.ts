import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { SourceError } from "../../../errors.js";

/** One file of a dump: `name` is how messages call it, the path itself unless told. */
export interface DumpFile {
  path: string;
  name?: string;
}

/** A file's script as text, and the hash of its bytes as they lie on disk. */
export interface DumpScript {
  file: string;
  text: string;
  sha256: string;
}

/** PostgreSQL's names of encodings that differ from iconv's. */
const ENCODINGS: Record<string, string> = {
  sql_ascii: "latin1",
  euc_jp: "EUC-JP",
  euc_kr: "EUC-KR",
  euc_cn: "GB2312",
  koi8r: "KOI8-R",
  koi8u: "KOI8-U",
};

/** The encoding that a dump says it is in, near its top. */
function declaredEncoding(bytes: Buffer): string {
  const head = bytes.subarray(0, 64 * 1024).toString("latin1");
  const named = /^\s*set\s+client_encoding\s*(?:=|to)\s*'?([\w-]+)'?/im.exec(head)?.[1]?.toLowerCase();
  if (named === undefined || /^(?:utf-?8|unicode)$/.test(named)) return "utf8";
  return ENCODINGS[named] ?? named.replace(/^win(\d+)$/, "windows-$1").replaceAll("_", "-");
}

function decode(file: string, bytes: Buffer): string {
  const encoding = declaredEncoding(bytes);
  if (encoding !== "utf8") {
    if (!iconv.encodingExists(encoding)) {
      throw new SourceError({ file }, `it says it is in the encoding ${encoding}, which is not known here`);
    }
    return iconv.decode(bytes, encoding);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SourceError({ file, line: firstBadLine(bytes) }, "bytes that are not UTF-8", { cause });
  }
}

/** The first line that is not UTF-8, from 1. A line feed is a byte of its own in UTF-8. */
function firstBadLine(bytes: Buffer): number {
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(10, from);
    const stop = end < 0 ? bytes.length : end;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(from, stop));
    } catch {
      return line;
    }
    from = stop + 1;
  }
  return line;
}

/** Reads a dump file, plain or gzipped, in whatever encoding it declares. */
export async function readDump({ path, name = path }: DumpFile): Promise<DumpScript> {
  let stored: Buffer;
  try {
    stored = await readFile(path);
  } catch (cause) {
    throw new SourceError({ file: name }, `the dump cannot be read: ${(cause as Error).message}`, { cause });
  }
  const sha256 = createHash("sha256").update(stored).digest("hex");
  if (stored.subarray(0, 5).toString("latin1") === "PGDMP") {
    const problem = "a dump in pg_dump's custom format; write it as plain text (pg_restore -f dump.sql)";
    throw new SourceError({ file: name }, problem);
  }
  let bytes = stored;
  if (stored[0] === 0x1f && stored[1] === 0x8b) {
    try {
      bytes = gunzipSync(stored);
    } catch (cause) {
      throw new SourceError({ file: name }, `damaged gzip: ${(cause as Error).message}`, { cause });
    }
  }
  return { file: name, text: decode(name, bytes), sha256 };
}
