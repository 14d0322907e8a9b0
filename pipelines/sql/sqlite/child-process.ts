import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { SqlError } from "../../errors.js";
import { compiledModule } from "../../package-root.js";
import type { Row } from "../cell.js";
import type { DigestExecution, Execution, Failure } from "../execution.js";
import type { JobEnd, SqliteJob } from "./job.js";
import { residentBytes } from "./resident-memory.js";
import { encodeFrame, FRAME, type Frame, FrameReader } from "./wire.js";

/** The process ended under a job for no reason of ours; `how` says with which signal or code. */
export interface Died {
  died: true;
  how: string;
}

interface Current {
  job: SqliteJob;
  started: number;
  ahead: Row[][];
  deadline: NodeJS.Timeout;
  settle(result: Execution | DigestExecution | Died): void;
}

const BOOT_LIMIT_MS = 30_000;
const STDERR_KEPT = 4000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
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
  #current: Current | undefined;
  #gone = false;
  #stderr = "";

  /** `scratch`: see openReadOnly. */
  constructor(scratch: string) {
    const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...environment } = process.env;
    const args = ["--max-old-space-size=256", compiledModule("pipelines/sql/sqlite/child"), scratch];
    this.#process = spawn(process.execPath, args, {
      // Local time is UTC, so that SQL on dates says the same on every machine.
      env: { ...environment, TZ: "UTC" },
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    });
    const [, , , pipe, lifeline] = this.#process.stdio;
    if (!(pipe instanceof Socket) || !(lifeline instanceof Socket)) {
      throw new SqlError("an SQL process could not be started: no pipes");
    }
    this.#pipe = pipe;
    // An idle pool keeps nobody alive; while a job runs its deadline does.
    this.#process.unref();
    for (const stream of [pipe, lifeline, this.#process.stderr]) if (stream instanceof Socket) stream.unref();
    for (const stream of [pipe, lifeline]) stream.on("error", () => this.kill());
    pipe.on("data", (chunk: Buffer) => {
      for (const frame of this.#reader.push(chunk)) this.#take(frame);
    });
    this.#process.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_KEPT);
    });
    this.closed = new Promise((resolve) => this.#process.once("close", () => resolve()));
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
        this.#finish({ died: true, how });
      };
      this.#process.once("error", (error) => fail(error.message));
      // Not "exit": by "close" everything the process wrote has been read.
      this.#process.once("close", (code, signal) => fail(signal ?? `exit code ${code}`));
    });
  }

  get gone(): boolean {
    return this.#gone;
  }

  get busy(): boolean {
    return this.#current !== undefined;
  }

  /** Runs one job; only when ready and not busy. Never rejects. */
  run(job: SqliteJob): Promise<Execution | DigestExecution | Died> {
    return new Promise((settle) => {
      const limit = Math.min(job.limits.timeoutMs, LONGEST_TIMER_MS);
      const current: Current = {
        job,
        started: performance.now(),
        ahead: [],
        settle,
        // A parent that was busy itself first reads what has arrived meanwhile: the job may be done.
        deadline: setTimeout(() => setImmediate(() => this.#stop(current, { outcome: "timeout" })), limit),
      };
      this.#current = current;
      this.#pipe.write(encodeFrame(FRAME.job, JSON.stringify(job)));
    });
  }

  /** Ends the running job when the process has grown past the job's limit. */
  async watchMemory(): Promise<void> {
    const current = this.#current;
    const pid = this.#process.pid;
    if (current === undefined || pid === undefined) return;
    if (performance.now() - current.started < WATCHED_FROM_MS) return;
    const bytes = await residentBytes(pid);
    if (bytes !== undefined && bytes > current.job.limits.maxMemoryBytes) {
      this.#stop(current, { outcome: "too_large", what: "memory" });
    }
  }

  kill(): void {
    this.#gone = true;
    // Its end is worth waiting for, and near: also the end of its pipes, which "close" waits for.
    this.#process.ref();
    for (const stream of this.#process.stdio) if (stream instanceof Socket) stream.ref();
    this.#process.kill("SIGKILL");
  }

  #stop(current: Current, outcome: { outcome: "timeout" } | { outcome: "too_large"; what: "memory" }): void {
    if (this.#current !== current) return;
    this.kill();
    const duration_ms = Math.round(performance.now() - current.started);
    const failure: Failure = { ...outcome, duration_ms, rewrites: [] };
    this.#finish(failure);
  }

  #finish(result: Execution | DigestExecution | Died): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    clearTimeout(current.deadline);
    current.settle(result);
  }

  #take(frame: Frame): void {
    const current = this.#current;
    if (frame.kind === FRAME.ready) this.#booted();
    if (current === undefined) return;
    if (frame.kind === FRAME.ahead) current.ahead.push(JSON.parse(frame.payload) as Row[]);
    else if (frame.kind === FRAME.restart) current.ahead = [];
    else if (frame.kind === FRAME.end) this.#end(current, JSON.parse(frame.payload) as JobEnd);
  }

  #end(current: Current, { resident = 0, ...end }: JobEnd): void {
    // Memory that the allocator keeps must not count against the next job: such a process is replaced.
    if (resident > current.job.limits.maxMemoryBytes / 2) this.kill();
    if (current.ahead.length > 0 && "rows" in end) end.rows = [...current.ahead, end.rows].flat();
    this.#finish(end);
  }
}
