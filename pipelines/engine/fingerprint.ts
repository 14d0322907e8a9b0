import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGE_ROOT } from "../package-root.js";

let table: Record<string, string> | undefined;

/**
 * The code fingerprint of a module: a hash over the TypeScript of its run-time import closure and the exact versions of
 * the packages in it. Computed by the build and shipped in `dist/fingerprints.json`, so that a run from a checkout and a
 * run from the package agree.
 *
 * @param moduleUrl the stage's `import.meta.url`
 */
export function codeFingerprint(moduleUrl: string): string {
  table ??= JSON.parse(readFileSync(join(PACKAGE_ROOT, "dist", "fingerprints.json"), "utf8")) as Record<
    string,
    string
  >;
  const path = relative(PACKAGE_ROOT, fileURLToPath(moduleUrl)).split(sep).join("/");
  const name = path.replace(/^dist\//, "").replace(/\.(ts|js)$/, "");
  const found = table[name];
  // A stage defined outside the package (a test's, a user's own) has no shipped fingerprint: its version must do.
  return found ?? `unshipped:${name.split("/").at(-1)}`;
}
