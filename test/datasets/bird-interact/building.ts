import { readFileSync } from "node:fs";
import { join } from "node:path";
import { storePath } from "../../../pipelines/model/client.js";
import { openSuite } from "../../../pipelines/record/suite.js";
import { writeRelease } from "../../../pipelines/release/write.js";
import type { Funnel } from "../../../schemas/types/funnel.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { ambitab } from "../../system/command.js";

export interface Built {
  out: string;
  folder: string;
  funnel: Funnel;
  records: TaskRecord[];
  record(instance: string): TaskRecord;
  text(file: string): string;
}

/** Builds bird-interact with the real command. */
export async function buildBirdInteract(out: string, from: string, ...more: string[]): Promise<Built> {
  const args = [
    "build",
    "bird-interact",
    "--from",
    `bird-interact=${from}`,
    "--out",
    out,
    "--quiet",
    ...more,
  ];
  const { code, stderr } = await ambitab(args);
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  const folder = join(out, "build", "bird-interact");
  const text = (file: string): string => readFileSync(join(folder, file), "utf8");
  const records = text("records.jsonl")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TaskRecord);
  return {
    out,
    folder,
    funnel: JSON.parse(text("funnel.json")) as Funnel,
    records,
    record(instance) {
      const found = records.find(({ avt_id }) => avt_id === `bird-interact/all/${instance}`);
      if (found === undefined) throw new Error(`no record of ${instance}`);
      return found;
    },
    text,
  };
}

/** A release of a build, without the gate: that is for the release's own tests, and runs every reference again. */
export async function releaseOf(
  { out, folder }: Built,
  version: string,
  publishable: boolean,
): Promise<string> {
  const written = await writeRelease(
    openSuite(folder).datasets,
    { releases: join(out, "releases"), version, publicOnly: false, publishable, answers: storePath(out) },
    async () => undefined,
  );
  return written.folder;
}
