import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Child processes and system tests run the compiled package, so it must be current before any test. The run also gets a
 * folder for what its workers share (`test/release/sample.ts`), which goes when the run ends.
 */
export default function setup(): () => void {
  const script = fileURLToPath(new URL("../scripts/build.mjs", import.meta.url));
  const outcome = spawnSync(process.execPath, [script, "--if-stale"], { stdio: "inherit" });
  if (outcome.status !== 0) throw new Error("the build failed: tests would run against stale code");
  const shared = mkdtempSync(join(tmpdir(), "ambitab-samples-"));
  process.env.AMBITAB_TEST_SAMPLES = shared;
  return () => rmSync(shared, { recursive: true, force: true });
}
