/** The thread's own side of `thread.ts`. */
import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";
import { compiledModule } from "../package-root.js";
import type { Answer, Task } from "./thread.js";

async function answerTo({ id, module, value }: Task): Promise<Answer> {
  try {
    const { work } = (await import(pathToFileURL(compiledModule(module)).href)) as {
      work(value: unknown): unknown;
    };
    return { id, made: await work(value) };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { name, message, stack } = error;
    const { code } = error as { code?: unknown };
    return { id, error: { name, message, code, ...(stack === undefined ? {} : { stack }) } };
  }
}

// One after the other: tasks are synchronous but for loading their module.
let turn: Promise<void> = Promise.resolve();
parentPort?.on("message", (task: Task) => {
  turn = turn.then(async () => parentPort?.postMessage(await answerTo(task)));
});
