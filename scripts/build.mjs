// Builds the package: types from the JSON Schemas, JavaScript from the TypeScript, and the code fingerprints that
// key the stage store. Plain JavaScript, because it runs before anything is compiled.
//   node scripts/build.mjs              always compiles
//   node scripts/build.mjs --if-stale   compiles only when a source has changed since the last build (a few ms)
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const stampFile = join(root, "dist", "build-stamp.json");
const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** Every file below `folder` (relative to the root, forward slashes, sorted) that `wanted` accepts. */
function filesBelow(folder, wanted) {
  const top = join(root, folder);
  if (!existsSync(top)) return [];
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && wanted(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}

const isSource = (name) => name.endsWith(".ts") && !name.endsWith(".d.ts");
const schemaFiles = () => filesBelow("schemas", (name) => name.endsWith(".schema.json"));
const sourceFiles = () =>
  ["pipelines", "sources", "schemas", "scripts"].flatMap((dir) => filesBelow(dir, isSource));

/** What the browser gets of the local view: a script, compiled on its own for a browser's globals, and files as they are. */
const CLIENT = "pipelines/view/client";
const clientFiles = (pattern) => filesBelow(CLIENT, (name) => pattern.test(name));

function stamp() {
  const settings = ["tsconfig.json", "package.json", "scripts/build.mjs"];
  const files = [...sourceFiles(), ...schemaFiles(), ...clientFiles(/\.(css|svg|json)$/), ...settings];
  return Object.fromEntries(files.map((file) => [file, sha256(readFileSync(join(root, file)))]));
}

/** `schemas/x.schema.json` → `schemas/types/x.ts`; written only when the text differs, so that tsc stays incremental. */
async function generateTypes() {
  const { compile } = await import("json-schema-to-typescript");
  mkdirSync(join(root, "schemas", "types"), { recursive: true });
  for (const file of schemaFiles()) {
    const schema = JSON.parse(readFileSync(join(root, file), "utf8"));
    const name = posix.basename(file, ".schema.json");
    const text = await compile(schema, name, {
      bannerComment: `// Generated from ${file} by scripts/build.mjs. Do not edit: change the schema.`,
      additionalProperties: false,
      format: true,
      style: { printWidth: 110 },
    });
    const target = join(root, "schemas", "types", `${name}.ts`);
    if (!existsSync(target) || readFileSync(target, "utf8") !== text) writeFileSync(target, text);
  }
}

/** Modules that a TypeScript source loads at run time: type-only imports decide no outcome and are left out. */
function importsOf(file) {
  const text = readFileSync(join(root, file), "utf8");
  const found = [];
  const pattern =
    /^\s*(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;
  for (const match of text.matchAll(pattern)) found.push(match[1] ?? match[2]);
  return found;
}

/**
 * For each source module, the hash of the TypeScript of its whole run-time import closure and of the exact versions of
 * the packages in it. A stage's outcome is stored under this fingerprint, so changed code redoes exactly the stages that
 * reach it; computed here and shipped, so that a run from a checkout and a run from the package agree.
 */
function fingerprints() {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const packageVersion = (name) => {
    const bare = name.startsWith("@") ? name.split("/").slice(0, 2).join("/") : name.split("/")[0];
    return `${bare}@${lock.packages[`node_modules/${bare}`]?.version ?? "?"}`;
  };
  const files = sourceFiles();
  const known = new Set(files);
  const direct = new Map();
  for (const file of files) {
    const own = new Set();
    const packages = new Set();
    for (const name of importsOf(file)) {
      if (name.startsWith("node:")) continue;
      if (!name.startsWith(".")) {
        packages.add(packageVersion(name));
        continue;
      }
      const target = posix.normalize(posix.join(posix.dirname(file), name)).replace(/\.js$/, ".ts");
      if (!known.has(target))
        throw new Error(`${file} imports ${name}, which is not a source of this package`);
      own.add(target);
    }
    direct.set(file, { own, packages, hash: sha256(readFileSync(join(root, file))) });
  }
  const result = {};
  for (const file of files) {
    const closure = new Set([file]);
    for (const one of closure) for (const next of direct.get(one).own) closure.add(next);
    const parts = [...closure].sort().map((one) => `${one} ${direct.get(one).hash}`);
    const packages = new Set([...closure].flatMap((one) => [...direct.get(one).packages]));
    result[file.replace(/\.ts$/, "")] = sha256([...parts, ...[...packages].sort()].join("\n"));
  }
  return result;
}

async function main() {
  if (process.argv.includes("--if-stale") && existsSync(stampFile)) {
    if (JSON.stringify(stamp()) === readFileSync(stampFile, "utf8")) return;
  }
  await generateTypes();
  const before = stamp();
  const dist = join(root, "dist");
  if (existsSync(dist)) {
    // What no source stands for any more must not linger where an import could still find it.
    const alive = new Set(sourceFiles().map((file) => file.replace(/\.ts$/, "")));
    for (const dir of ["pipelines", "sources", "schemas", "scripts"]) {
      for (const file of filesBelow(`dist/${dir}`, () => true)) {
        const origin = file.slice("dist/".length).replace(/(\.d\.ts|\.js\.map|\.js)$/, "");
        if (!alive.has(origin)) rmSync(join(root, file));
      }
    }
  }
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  for (const project of ["tsconfig.json", join(CLIENT, "tsconfig.json")]) {
    const outcome = spawnSync(process.execPath, [compiler, "-p", join(root, project)], {
      stdio: ["ignore", 2, 2],
    });
    if (outcome.status === 0) continue;
    rmSync(stampFile, { force: true });
    process.exit(outcome.status ?? 1);
  }
  for (const file of clientFiles(/\.(css|svg)$/)) copyFileSync(join(root, file), join(dist, file));
  writeFileSync(join(dist, "fingerprints.json"), `${JSON.stringify(fingerprints(), null, 1)}\n`);
  writeFileSync(stampFile, JSON.stringify(before));
}

await main();
