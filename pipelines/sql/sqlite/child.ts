/**
 * The process in which untrusted SQL runs: reads a job from descriptor 3, runs it, writes rows and end to the same
 * descriptor, one job at a time, for as long as its parent lives. Started by sandbox.ts, on the compiled module.
 */
import { readSync, rmSync, writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { JobEnd, SqliteJob } from "./job.js";
import { ownPeakBytes } from "./resident-memory.js";
import { runJob } from "./run.js";
import { WarmDatabases } from "./warm-databases.js";
import { encodeFrame, FRAME, FrameReader } from "./wire.js";

const PIPE = 3;
/** A job shorter than this, in milliseconds, cannot have filled much memory: its size is not looked up. */
const MEASURE_FROM_MS = 10;

// Ctrl-C goes to the whole terminal group; what it means is for the parent to decide.
process.on("SIGINT", () => undefined);

const scratch = process.argv[2] as string;
const lifeline = new Worker(new URL("./lifeline.js", import.meta.url), { argv: [scratch] });

function send(frame: Buffer): void {
  for (let at = 0; at < frame.length; ) at += writeSync(PIPE, frame, at);
}

const databases = new WarmDatabases(scratch);

let peakBefore = ownPeakBytes();

/** What the job did to this process's size; a peak between two looks of the parent counts too. */
function measured(end: JobEnd, job: SqliteJob): JobEnd {
  if (end.duration_ms < MEASURE_FROM_MS) return end;
  const peak = ownPeakBytes();
  const tooLarge = peak > job.limits.maxMemoryBytes && peak > peakBefore;
  peakBefore = peak;
  const resident = process.memoryUsage.rss();
  if (!tooLarge) return { ...end, resident };
  const { duration_ms, rewrites } = end;
  return { outcome: "too_large", what: "memory", duration_ms, rewrites, resident };
}

function serve(job: SqliteJob): void {
  // The last rows leave with the end, small results so in one frame.
  let held: string | undefined;
  const flush = () => {
    if (held !== undefined) send(encodeFrame(FRAME.ahead, held));
    held = undefined;
  };
  const end = runJob(databases, job, {
    ahead: (json) => {
      flush();
      held = json;
    },
    restart: () => {
      held = undefined;
      send(encodeFrame(FRAME.restart, ""));
    },
  });
  const text = JSON.stringify(measured(end, job));
  send(encodeFrame(FRAME.end, held === undefined ? text : `${text.slice(0, -1)},"rows":${held}}`));
}

const reader = new FrameReader();
const chunk = Buffer.alloc(64 * 1024);

/** Reads that may follow one another before the event loop has a turn. */
const READS_A_TURN = 16;

/** Waits for the parent, in blocking calls, and does what it has sent. */
function turn(): void {
  for (let reads = 0; reads < READS_A_TURN; reads++) {
    const got = readSync(PIPE, chunk);
    if (got === 0) {
      // The parent is gone without a word; the thread of lifeline.ts may come too late for this.
      rmSync(scratch, { recursive: true, force: true });
      process.exit(0);
    }
    for (const frame of reader.push(Buffer.from(chunk.subarray(0, got)))) {
      serve(JSON.parse(frame.payload) as SqliteJob);
    }
  }
  // Now and then through the event loop: V8 frees finished statements and finishes compiling in its tasks only.
  setImmediate(turn);
}

// Not before the lifeline holds: the first statement may be one that never ends.
lifeline.once("message", () => {
  send(encodeFrame(FRAME.ready, ""));
  turn();
});
