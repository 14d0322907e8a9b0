import { Worker } from "node:worker_threads";
import { compiledModule } from "../package-root.js";

/**
 * A thread for work that would keep the main one from everything else: making databases, above all. It is started with its
 * first task, does one task after the other, and keeps nobody alive.
 */
export interface WorkThread {
  /**
   * Runs the function `work` of a compiled module (`pipelines/datasets/…`, without ending) on a value, both ways as
   * structured clones. What it throws is thrown here, with its message, stack and `code`.
   *
   * The module must be in the import closure of the stage that asks: by it the stage is fingerprinted.
   */
  run(module: string, value: unknown): Promise<unknown>;
  /** Ends the thread; tasks that have not ended reject. */
  close(): Promise<void>;
}

/** What goes to the thread. */
export interface Task {
  id: number;
  module: string;
  value: unknown;
}

/** What comes back of a task. */
export type Answer =
  | { id: number; made: unknown }
  | { id: number; error: { name: string; message: string; stack?: string; code?: unknown } };

interface Waiting {
  resolve(made: unknown): void;
  reject(error: Error): void;
}

function errorOf({ name, message, stack, code }: Extract<Answer, { error: unknown }>["error"]): Error {
  const error = new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return code === undefined ? error : Object.assign(error, { code });
}

/** Opens a thread; nothing is started yet. */
export function openWorkThread(): WorkThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let tasks = 0;

  const fail = (error: Error): void => {
    worker = undefined;
    const lost = [...waiting.values()];
    waiting.clear();
    for (const { reject } of lost) reject(error);
  };
  const start = (): Worker => {
    const started = new Worker(compiledModule("pipelines/engine/thread-entry"), { execArgv: [] });
    started.on("message", (answer: Answer) => {
      const task = waiting.get(answer.id);
      waiting.delete(answer.id);
      // Only while there is work to wait for may it keep the program going.
      if (waiting.size === 0) started.unref();
      if ("error" in answer) task?.reject(errorOf(answer.error));
      else task?.resolve(answer.made);
    });
    started.on("error", fail);
    started.on("exit", () => fail(new Error("the work thread has ended")));
    return started;
  };
  return {
    run(module, value) {
      return new Promise((resolve, reject) => {
        worker ??= start();
        tasks += 1;
        waiting.set(tasks, { resolve, reject });
        worker.ref();
        worker.postMessage({ id: tasks, module, value } satisfies Task);
      });
    },
    async close() {
      await worker?.terminate();
    },
  };
}
