import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import { afterEachTest } from "../endings.js";
import type { ModelServerOptions } from "./model-server.mjs";

const running: ChildProcess[] = [];
afterEachTest(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

/** What a server in a process of its own has counted. */
export interface Counters {
  requests: number;
  /** Requests that were answered whole. */
  answered: number;
  faults: Record<string, number>;
  answeredByPrompt: Record<string, number>;
  mostAtOnce: number;
}

/** A model server in a process of its own, for tests that would otherwise measure themselves; ends with the test. */
export async function serverProcess(options: Omit<ModelServerOptions, "rules"> = {}): Promise<{
  url: string;
  counters(): Promise<Counters>;
  close(): Promise<void>;
}> {
  const script = join(PACKAGE_ROOT, "test", "model", "model-server.mjs");
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  running.push(child);
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  return {
    url,
    counters: async () => (await (await fetch(`${url}/counters`)).json()) as Counters,
    async close() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}
