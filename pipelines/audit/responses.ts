import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import type { ModelResponse } from "../../schemas/types/model-response.js";
import type { Checks } from "./checks.js";
import { error, type Finding } from "./finding.js";
import { LONGEST_LINE } from "./text-soundness.js";
import { obeys } from "./unreadable.js";

/** What a stream throws of a file that is no gzip, is cut off or is no JSON lines. */
const isTheirs = (cause: unknown): cause is Error => {
  const code = (cause as { code?: unknown }).code;
  return cause instanceof SyntaxError || (typeof code === "string" && code.startsWith("Z_"));
};

async function readArchive(path: string, file: string, checks: Checks): Promise<Finding[]> {
  const findings: Finding[] = [];
  const stream = createReadStream(path).pipe(createGunzip());
  let line = 0;
  let before = "";
  try {
    let unpacked = 0;
    stream.on("data", (chunk: Buffer) => {
      // A line that never ends is a bomb: what is unpacked since the last line must stay small.
      unpacked = chunk.includes(0x0a) ? 0 : unpacked + chunk.length;
      if (unpacked > LONGEST_LINE)
        stream.destroy(Object.assign(new Error("a line has no end"), { code: "Z_LINE" }));
    });
    for await (const text of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1;
      const place = `${file}, line ${line}`;
      const value = JSON.parse(text) as ModelResponse;
      findings.push(...obeys("model-response", value, "responses", place));
      if (value.key <= before)
        findings.push(error("responses", place, "is not sorted by key, each key once"));
      before = value.key;
      checks.add("stored answers of models read");
    }
  } catch (cause) {
    if (!isTheirs(cause)) throw cause;
    findings.push(error("responses", `${file}, line ${line}`, cause.message));
  }
  return findings;
}

/** Every response archive of a release can be read, to its end, as what a replayed build asks for. */
export async function checkResponses(
  path: string,
  present: readonly string[],
  checks: Checks,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const file of present.filter((one) => /^responses\/[^/]+\.jsonl\.gz$/.test(one)))
    findings.push(...(await readArchive(join(path, file), file, checks)));
  return findings;
}
