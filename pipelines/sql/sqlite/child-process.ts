import type { ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import { SqlError } from "../../errors.js";
import type { Row } from "../cell.js";
import type { JobEnd, SqliteJob } from "./job.js";
import { executionOf, type JobResult, type Lined, type Running } from "./lined-job.js";
import { residentBytes } from "./resident-memory.js";
import { startProcess } from "./start-process.js";
import { encodeFrame, FRAME, type Frame, FrameReader } from "./wire.js";

const BOOT_LIMIT_MS = 30_000;
const STDERR_KEPT = 4000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** How long a job that was given back may still keep its first process from other work. */
const ABANDONED_LIMIT_MS = 50;
/** Jobs of such a length, in milliseconds, are worth lining up: then the way to and fro costs a good part of them. */
const QUICK_MS = 3;
const LINE_LENGTH = 4;
/** What is lined up behind a job that has run this long, in milliseconds, goes to a free process. */
const STUCK_MS = 20;
/** Jobs younger than this are not looked at: nothing fills half a gigabyte sooner. */
const WATCHED_FROM_MS = 40;

/** The parent's side of one sandbox process: gives it a job, watches clock and memory, kills it when it must. */
export class SqlChild {
  /** Settles when the process can take its first job; rejects with an SqlError when it never could. */
  readonly ready: Promise<void>;
  /** Settles when the process is gone and all it wrote has been read. */
  readonly closed: Promise<void>;
  readonly #process: ChildProcess;
  readonly #pipe: Socket;
  readonly #reader = new FrameReader();
  #booted: () => void = () => undefined;
  #running: Running | undefined;
  readonly #line: Lined[] = [];
  /** Moving average of job durations, in milliseconds. */
  #pace = QUICK_MS;
  #gone = false;
  #stderr = "";

  /** `scratch`: see openReadOnly. */
  constructor(scratch: string) {
    const { child, pipe, lifeline } = startProcess(scratch);
    this.#process = child;
    this.#pipe = pipe;
    for (const stream of [pipe, lifeline]) stream.on("error", () => this.kill());
    pipe.on("data", (chunk: Buffer) => {
      for (const frame of this.#reader.push(chunk)) this.#take(frame);
    });
    this.#process.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_KEPT);
    });
    this.closed = new Promise((resolve) => {
      this.#process.once("close", () => resolve());
      // Where nothing could be started, nothing will close.
      this.#process.once("error", () => resolve());
    });
    this.ready = new Promise((resolve, reject) => {
      const limit = setTimeout(() => this.kill(), BOOT_LIMIT_MS);
      this.#booted = () => {
        clearTimeout(limit);
        resolve();
      };
      const fail = (how: string) => {
        clearTimeout(limit);
        this.#gone = true;
        reject(new SqlError(`an SQL process ended before it could start (${how})\n${this.#stderr}`.trim()));
        this.#settleAll({ kind: "died", how });
      };
      this.#process.once("error", (error) => fail(error.message));
      // Not "exit": by "close" everything the process wrote has been read.
      this.#process.once("close", (code, signal) => fail(signal ?? `exit code ${code}`));
    });
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Jobs it has, running and lined up. */
  get load(): number {
    return this.#line.length + (this.#running === undefined ? 0 : 1);
  }

  /** Whether it is free for a job, or works on quick ones behind which one more may be lined up. */
  get hasRoom(): boolean {
    if (this.#gone) return false;
    if (this.#running === undefined) return true;
    const quick = this.#pace < QUICK_MS && performance.now() - this.#running.started < STUCK_MS;
    return quick && this.load < LINE_LENGTH;
  }

  /** Gives it a job; only when ready. The job's clock starts when those before it have ended. Never rejects. */
  run(job: SqliteJob): Promise<JobResult> {
    return new Promise((settle) => {
      this.#line.push({ job, settle, abandoned: false });
      if (this.#running === undefined) this.#begin();
      // Jobs given in one turn leave in one write.
      if (this.#pipe.writableCorked === 0) {
        this.#pipe.cork();
        process.nextTick(() => this.#pipe.uncork());
      }
      this.#pipe.write(encodeFrame(FRAME.job, JSON.stringify(job)));
    });
  }

  /** Gives up a lined-up job, if one is stuck behind a long job; it settles as not begun. */
  giveBack(): boolean {
    const stuck = this.#running !== undefined && performance.now() - this.#running.started >= STUCK_MS;
    const last = this.#line.findLast((lined) => !lined.abandoned);
    if (!stuck || last === undefined) return false;
    last.abandoned = true;
    last.settle({ kind: "not_begun" });
    return true;
  }

  /** Ends the running job when the process has grown past the job's limit. */
  async watchMemory(): Promise<void> {
    const running = this.#running;
    const pid = this.#process.pid;
    if (running === undefined || pid === undefined) return;
    if (performance.now() - running.started < WATCHED_FROM_MS) return;
    const bytes = await residentBytes(pid);
    if (bytes !== undefined && bytes > running.job.limits.maxMemoryBytes) {
      this.#stop(running, { outcome: "too_large", what: "memory" });
    }
  }

  kill(): void {
    this.#gone = true;
    // Its end is worth waiting for, and near: also the end of its pipes, which "close" waits for.
    this.#process.ref();
    for (const stream of this.#process.stdio) if (stream instanceof Socket) stream.ref();
    this.#process.kill("SIGKILL");
  }

  /** The next of the line is the one that the process now works on. */
  #begin(): void {
    const next = this.#line.shift();
    if (next === undefined) {
      this.#running = undefined;
      return;
    }
    const wanted = next.abandoned ? ABANDONED_LIMIT_MS : next.job.limits.timeoutMs;
    const running: Running = {
      ...next,
      started: performance.now(),
      ahead: [],
      // A parent that was busy itself first reads what has arrived meanwhile: the job may be done.
      deadline: setTimeout(
        () => setImmediate(() => this.#stop(running, { outcome: "timeout" })),
        Math.min(wanted, LONGEST_TIMER_MS),
      ),
    };
    this.#running = running;
  }

  #stop(running: Running, outcome: { outcome: "timeout" } | { outcome: "too_large"; what: "memory" }): void {
    if (this.#running !== running) return;
    this.kill();
    const duration_ms = Math.round(performance.now() - running.started);
    this.#settleAll({ kind: "ended", execution: { ...outcome, duration_ms, rewrites: [] } });
  }

  /** The process is at its end: so is its running job, and the others have not begun. */
  #settleAll(result: JobResult): void {
    const running = this.#running;
    this.#running = undefined;
    const line = this.#line.splice(0);
    if (running !== undefined) {
      clearTimeout(running.deadline);
      if (!running.abandoned) running.settle(result);
    }
    for (const lined of line) if (!lined.abandoned) lined.settle({ kind: "not_begun" });
  }

  #take(frame: Frame): void {
    const running = this.#running;
    if (frame.kind === FRAME.ready) this.#booted();
    if (running === undefined) return;
    if (frame.kind === FRAME.ahead) running.ahead.push(JSON.parse(frame.payload) as Row[]);
    else if (frame.kind === FRAME.restart) running.ahead = [];
    else if (frame.kind === FRAME.end) this.#end(running, JSON.parse(frame.payload) as JobEnd);
  }

  #end(running: Running, end: JobEnd): void {
    clearTimeout(running.deadline);
    this.#pace = 0.8 * this.#pace + 0.2 * end.duration_ms;
    this.#begin();
    const { ahead, abandoned, settle, job } = running;
    // Memory that the allocator keeps must not count against the next job: such a process is replaced.
    if ((end.resident ?? 0) > job.limits.maxMemoryBytes / 2) {
      this.kill();
      this.#settleAll({ kind: "not_begun" });
    }
    if (!abandoned) settle({ kind: "ended", execution: executionOf(end, ahead) });
  }
}
