/**
 * A thread beside a child's SQL: descriptor 4 is a pipe that nobody writes to and that ends when the parent does, also
 * when the parent is killed. A statement that is running can then still be ended, by ending the whole process.
 */
import { rmSync } from "node:fs";
import { Socket } from "node:net";
import { parentPort } from "node:worker_threads";

const scratch = process.argv[2];
const lifeline = new Socket({ fd: 4, readable: true, writable: false });
const parentIsGone = () => {
  if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
  process.kill(process.pid, "SIGKILL");
};
lifeline.on("close", parentIsGone);
lifeline.on("error", parentIsGone);
lifeline.resume();
parentPort?.postMessage("held");
