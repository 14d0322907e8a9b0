import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    if (existsSync(join(folder, "package.json")) && existsSync(join(folder, "schemas"))) return folder;
    const parent = dirname(folder);
    if (parent === folder) throw new Error("the ambitab package folder was not found above this module");
    folder = parent;
  }
}

/** The package's own folder, the same whether this runs from TypeScript under a test or from `dist/`. */
export const PACKAGE_ROOT = findRoot();

/** The package's version, as package.json says. */
export const PACKAGE_VERSION: string = (
  JSON.parse(readFileSync(join(PACKAGE_ROOT, "package.json"), "utf8")) as { version: string }
).version;

/** Path of a compiled module, for starting a child process on it: `compiledModule("pipelines/sql/sqlite/child")`. */
export function compiledModule(name: string): string {
  return join(PACKAGE_ROOT, "dist", `${name}.js`);
}
