/** Builds of the sample's AmbiTab-Bird with a model server that answers from the sample's made-up answers, or otherwise. */
import { join } from "node:path";
import { bird } from "../../../pipelines/datasets/bird/pipeline.js";
import { type BuildResult, runPipeline } from "../../../pipelines/engine/run.js";
import type { BuildSettings } from "../../../pipelines/engine/stage.js";
import type { ModelMessage } from "../../../pipelines/model/index.js";
import type { DroppedRow } from "../../../schemas/types/dropped.js";
import type { LedgerEntry } from "../../../schemas/types/ledger.js";
import type { TaskRecord } from "../../../schemas/types/record.js";
import { sampleFolder } from "../../../sources/index.js";
import { jsonLines } from "../../engine/toy.js";
import type { Answer, SeenRequest } from "../../model/model-server.mjs";
import { client, server } from "../../model/open-client.js";
import { temporaryFolder } from "../../sources/temporary.js";

export const SAMPLE = sampleFolder("bird");
const SETTINGS: BuildSettings = { seed: 1, limit: null, strict_readings: false, keep_going: false };

/** The made-up answer to a request. */
export type Reply = (role: string | undefined, messages: readonly ModelMessage[]) => string;

export async function sampleReply(): Promise<Reply> {
  const made = (await import(`${SAMPLE}/answers.mjs`)) as { reply: Reply };
  return made.reply;
}

export const messagesOf = ({ body }: SeenRequest): ModelMessage[] => body.messages as ModelMessage[];

export interface Built extends BuildResult {
  records: TaskRecord[];
  dropped: DroppedRow[];
  ledger: LedgerEntry[];
  prompts: SeenRequest[];
}

/** Runs the real pipeline against a server that answers as `answer` says. */
export async function built(
  answer: (request: SeenRequest) => Answer,
  {
    jobs = 2,
    out = temporaryFolder(),
    ...more
  }: Partial<BuildSettings> & { jobs?: number; out?: string } = {},
): Promise<Built> {
  const { url, requests } = await server({ rules: [{ answer: (request) => answer(request) }] });
  const model = await client(url, { out });
  const result = await runPipeline(bird, {
    out,
    root: SAMPLE,
    settings: { ...SETTINGS, ...more },
    jobs,
    model,
  });
  const read = <T>(file: string): T[] => jsonLines<T>(join(result.folder, file));
  return {
    ...result,
    records: read<TaskRecord>("records.jsonl"),
    dropped: read<DroppedRow>("dropped.jsonl"),
    ledger: read<LedgerEntry>("ledger.jsonl"),
    prompts: [...requests],
  };
}
