import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Child processes and system tests run the compiled package, so it must be current before any test. */
export default function setup(): void {
  const script = fileURLToPath(new URL("../scripts/build.mjs", import.meta.url));
  const outcome = spawnSync(process.execPath, [script, "--if-stale"], { stdio: "inherit" });
  if (outcome.status !== 0) throw new Error("the build failed: tests would run against stale code");
}
