import { appendFileSync } from "node:fs";
import { Interrupted, type SourceError } from "../errors.js";
import { readJsonl } from "../record/jsonl.js";
import { mapOrdered } from "./ordered.js";
import { applyOutcome, type Passage, passageOf, passageOfBadRow } from "./passage.js";
import type { Pipeline, SourceStream } from "./pipeline.js";
import type { BuildSettings, Item, SetStage } from "./stage.js";
import type { ResolvedStage, StageRunner } from "./stage-runner.js";

/** What stops a flow early, and what it does about bad rows. */
export interface FlowOptions {
  settings: BuildSettings;
  signal?: AbortSignal;
  resume?: string;
}

/** Turns source rows into passages; bad rows are gathered, or dropped where the build keeps going. */
export async function* passages(
  pipeline: Pipeline,
  stream: SourceStream<unknown>,
  options: FlowOptions,
  bad: SourceError[],
): AsyncGenerator<Passage> {
  const { limit, keep_going } = options.settings;
  let taken = 0;
  for await (const row of stream.items()) {
    if (options.signal?.aborted === true) throw new Interrupted(options.resume);
    if (limit !== null && taken >= limit) return;
    taken += 1;
    if ("bad" in row) {
      bad.push(row.bad);
      const file = row.bad.place.file;
      const sha256 = stream.inputs[file] ?? "";
      if (keep_going) yield passageOfBadRow(pipeline.dataset, pipeline.source, { path: file, sha256 }, row);
      continue;
    }
    // After a bad row nothing will be written, so the rest is only read to report every bad row at once.
    if (bad.length > 0 && !keep_going) continue;
    yield passageOf(pipeline.dataset, pipeline.source, row);
  }
}

/** Runs a whole-set stage: items go to disk while their projections are gathered, and come back decided. */
async function* throughSet(
  stream: AsyncIterable<Passage>,
  resolved: ResolvedStage,
  runner: StageRunner,
  spool: string,
): AsyncGenerator<Passage> {
  const stage = resolved.stage as SetStage<unknown, unknown>;
  const projections: { key: string; origin: Item<unknown>["origin"]; part: unknown }[] = [];
  appendFileSync(spool, "");
  for await (const passage of stream) {
    for (const item of passage.items) {
      projections.push({ key: item.key, origin: item.origin, part: stage.project(item) });
    }
    appendFileSync(spool, `${JSON.stringify(passage)}\n`);
  }
  const { decisions, input } = await runner.decide(resolved, projections);
  for await (const { value: passage } of readJsonl<Passage>(spool)) {
    passage.items = passage.items.flatMap((item) => {
      const outcome = decisions.get(item.key);
      if (outcome === undefined) throw new Error(`stage ${stage.name} decided nothing for ${item.key}`);
      passage.traces.push({ stage: resolved.index, input, outcome: JSON.stringify(outcome) });
      return applyOutcome(passage, item, stage, outcome, (made) => stage.merge(item, made));
    });
    yield passage;
  }
}

/** Chains all stages over a stream of rows: runs of per-item stages are taken together, row by row. */
export function throughStages(
  stream: AsyncIterable<Passage>,
  stages: readonly ResolvedStage[],
  runner: StageRunner,
  width: number,
  spool: (name: string) => string,
): AsyncIterable<Passage> {
  let flow = stream;
  for (let at = 0; at < stages.length; ) {
    const first = stages[at]!;
    if (first.stage.kind === "set") {
      flow = throughSet(flow, first, runner, spool(first.stage.name));
      at += 1;
      continue;
    }
    const end = stages.findIndex(({ stage, index }) => index > at && stage.kind === "set");
    const run = stages.slice(at, end === -1 ? stages.length : end);
    flow = mapOrdered(flow, width, async (passage) => {
      for (const resolved of run) await runner.advance(passage, resolved);
      return passage;
    });
    at += run.length;
  }
  return flow;
}
