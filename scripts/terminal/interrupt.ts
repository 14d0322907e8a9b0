import { setMaxListeners } from "node:events";

/**
 * Runs work that a person may stop: the first Ctrl-C (or SIGTERM) asks it to end cleanly, the second ends the process at
 * once with the exit code for an interruption.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  // Every call under way waits for this one signal, and Node takes more than ten waiters for a leak.
  setMaxListeners(0, controller.signal);
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(130);
    process.stderr.write("\nstopping after what is under way; press Ctrl-C again to stop at once\n");
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}
