import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../../../pipelines/package-root.js";
import type { Funnel } from "../../../schemas/types/funnel.js";
import type { TaskRecord } from "../../../schemas/types/record.js";

export interface Built {
  folder: string;
  funnel: Funnel;
  records: TaskRecord[];
  dropped: { key: string; reason: string; detail: string }[];
  text(file: string): string;
  remove(): void;
}

const ambitab = (args: string[]): string =>
  execFileSync(process.execPath, [join(PACKAGE_ROOT, "dist", "scripts", "ambitab.js"), ...args], {
    encoding: "utf8",
  });

/** Builds taco with the real command, in a folder of its own. */
export function buildTaco(from: string, ...more: string[]): Built {
  const out = mkdtempSync(join(tmpdir(), "ambitab-taco-"));
  ambitab(["build", "taco", "--from", `taco=${from}`, "--out", out, "--quiet", ...more]);
  const folder = join(out, "build", "taco");
  const text = (file: string): string => readFileSync(join(folder, file), "utf8");
  const lines = <T>(file: string): T[] =>
    text(file)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as T);
  return {
    folder,
    funnel: JSON.parse(text("funnel.json")) as Funnel,
    records: lines<TaskRecord>("records.jsonl"),
    dropped: lines<Built["dropped"][number]>("dropped.jsonl"),
    text,
    remove: () => rmSync(out, { recursive: true, force: true }),
  };
}

/** What `trace` says of a key. */
export function trace(built: Built, key: string): string {
  return ambitab(["trace", "--out", join(built.folder, "..", ".."), key]);
}

/** Reasons with how often each drops a row, over all stages. */
export function reasons({ stages }: Funnel): Record<string, number> {
  return Object.fromEntries(stages.flatMap((stage) => Object.entries(stage.reasons)).sort());
}
