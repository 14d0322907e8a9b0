import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DROP_CODES } from "../pipelines/engine/drop-codes.js";
import { compiledModule, PACKAGE_ROOT } from "../pipelines/package-root.js";

const readme = readFileSync(join(PACKAGE_ROOT, "README.md"), "utf8");

describe("README", () => {
  it("lists every drop code with its meaning, and no other", () => {
    const listed = [...readme.matchAll(/^\| `([a-z_]+)` \| (.+) \|$/gm)]
      .map(([, code, meaning]) => [code, meaning])
      .filter(([code]) => code !== undefined && (Object.hasOwn(DROP_CODES, code) || code.includes("_")));
    expect(listed).toEqual(Object.entries(DROP_CODES));
  });

  it("names every command that --help lists", () => {
    const help = spawnSync(process.execPath, [compiledModule("scripts/ambitab"), "--help"], {
      encoding: "utf8",
    });
    const commands = [...help.stdout.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(10);
    for (const name of commands)
      expect(readme, `README does not name the command ${name}`).toContain(`\`${name}\``);
  });
});
