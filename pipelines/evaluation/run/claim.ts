/** A run's folder and its settings: run.json is written once, and a run is resumed only under what it was started under. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunSettings } from "../../../schemas/types/run.js";
import { UserError } from "../../errors.js";
import { canonicalLine } from "../../record/schema-order.js";

/** Writes a file that is there whole or not at all. */
export function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.partial`, text);
  renameSync(`${path}.partial`, path);
}

/** An object of one of our schemas as an indented file. */
export const jsonFileText = (schema: string, value: object): string =>
  `${JSON.stringify(JSON.parse(canonicalLine(schema, value)), null, 2)}\n`;

/** What a run is resumed under must be what it was started under; how a suite's path was typed does not matter. */
function changedSettings(path: string, settings: RunSettings): string[] {
  let old: Record<string, unknown>;
  try {
    old = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch (cause) {
    throw new UserError(`${path} cannot be read`, { remedy: "name another folder with --run", cause });
  }
  const { hash } = { ...(old.suite as object | undefined) } as { hash?: unknown };
  // As it would be written, for the order of keys is the writer's.
  const now = JSON.parse(jsonFileText("run", settings)) as Record<string, unknown>;
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((key) =>
    key === "suite" ? hash !== settings.suite.hash : JSON.stringify(old[key]) !== JSON.stringify(now[key]),
  );
}

/**
 * Writes run.json, or checks that it is the same run that is being resumed.
 *
 * @throws UserError where another run is there, or the same without `resume`
 */
export function claimFolder(folder: string, settings: RunSettings, resume: boolean): void {
  const path = join(folder, "run.json");
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    writeWhole(path, jsonFileText("run", settings));
    return;
  }
  if (!resume) {
    throw new UserError(`there is a run in ${folder} already`, {
      remedy: "add --resume to go on with it, or name another folder with --run",
    });
  }
  const changed = changedSettings(path, settings);
  if (changed.length === 0) return;
  throw new UserError(`the run in ${folder} was started with other settings (${changed.join(", ")})`, {
    remedy: "resume it with the settings of its run.json, or name another folder with --run",
  });
}
