import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { DROP_CODES } from "../pipelines/engine/drop-codes.js";
import { PACKAGE_ROOT } from "../pipelines/package-root.js";

interface Arrow {
  from: string;
  to: string;
  /** Nothing of it is left when the program runs. */
  typeOnly: boolean;
}

const files = ["pipelines", "sources", "scripts"].flatMap((folder) =>
  readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
    .map((entry) => relative(PACKAGE_ROOT, join(entry.parentPath, entry.name)).replaceAll("\\", "/")),
);
const textOf = (file: string): string => readFileSync(join(PACKAGE_ROOT, file), "utf8");

/** Relative imports and re-exports of a file, static and dynamic. */
function arrowsOf(file: string): Arrow[] {
  const text = textOf(file);
  const statements =
    /^\s*(?:import|export)\s+(type\s)?([^"';]*?)\s*from\s+"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/gm;
  return [...text.matchAll(statements)].map(([, type, names = "", target, dynamic]) => {
    const to = posix.join(dirname(file), target ?? dynamic ?? "").replace(/\.js$/, ".ts");
    const listed = /^\{([\s\S]*)\}$/.exec(names.trim())?.[1]?.split(",") ?? [];
    const parts = listed.map((part) => part.trim()).filter((part) => part !== "");
    const onlyTypes = parts.length > 0 && parts.every((part) => part.startsWith("type "));
    return { from: file, to, typeOnly: type !== undefined || onlyTypes };
  });
}

const arrows = files.flatMap(arrowsOf);

/** The rooms of spec 9 by height: an arrow may go down or stay in its own room or floor, never up. */
const FLOORS: Record<string, number> = {
  scripts: 3,
  // The library's door: it shows what is inside and holds nothing.
  "pipelines/index.ts": 3,
  "pipelines/audit": 2,
  "pipelines/release": 2,
  "pipelines/training": 2,
  "pipelines/view": 2,
  "pipelines/evaluation": 2,
  "pipelines/datasets": 2,
  "pipelines/engine": 1,
  "pipelines/oracle": 1,
  "pipelines/model": 1,
  "pipelines/record": 0,
  "pipelines/sql": 0,
};
/** Belong to no room and import none: the named errors and where the package lies. */
const GROUND = ["pipelines/errors.ts", "pipelines/package-root.ts"];

const roomOf = (file: string): string => {
  const parts = file.split("/");
  return parts[0] === "pipelines" ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
};

/** A circle among nodes, as a path that ends where it began; undefined where there is none. */
function circle(edges: readonly { from: string; to: string }[]): string[] | undefined {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const one of next.get(node) ?? []) {
      const found = visit(one, [...path, node]);
      if (found !== undefined) return found;
    }
    done.add(node);
    return undefined;
  };
  for (const node of next.keys()) {
    const found = visit(node, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

const show = ({ from, to }: Arrow): string => `${from} → ${to}`;

describe("the import graph", () => {
  it("is drawn from every file, and every arrow ends at one", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(arrows.length).toBeGreaterThan(300);
    const known = new Set(files);
    const lost = arrows.filter(({ to }) => !known.has(to) && !to.startsWith("schemas/types/"));
    expect(lost.map(show)).toEqual([]);
  });

  it("knows every room", () => {
    const rooms = new Set(files.filter((file) => !GROUND.includes(file)).map(roomOf));
    expect([...rooms].filter((room) => room !== "sources" && FLOORS[room] === undefined)).toEqual([]);
  });

  it("has no circle of files", () => {
    expect(circle(arrows.filter(({ typeOnly }) => !typeOnly))).toBeUndefined();
  });

  it("has no circle of rooms", () => {
    const between = arrows
      .filter(({ from, to, typeOnly }) => !typeOnly && !GROUND.includes(to) && roomOf(from) !== roomOf(to))
      .filter(({ to }) => roomOf(to) !== "sources" && !to.startsWith("schemas/"))
      .map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) }));
    expect(circle(between)).toBeUndefined();
  });

  it("points one way: scripts → releases, audits, evaluation, datasets → engine, oracles, models → records, SQL", () => {
    const upward = arrows.filter(({ from, to }) => {
      const [high, low] = [FLOORS[roomOf(from)], FLOORS[roomOf(to)]];
      return high !== undefined && low !== undefined && low > high;
    });
    expect(upward.map(show)).toEqual([]);
  });

  it("has the errors and the package's place on the ground: they import nothing of ours", () => {
    expect(arrows.filter(({ from }) => GROUND.includes(from)).map(show)).toEqual([]);
  });

  it("lets sources have nothing of pipelines but types and the named errors", () => {
    const wrong = arrows.filter(
      ({ from, to, typeOnly }) =>
        from.startsWith("sources/") && /^(pipelines|scripts)\//.test(to) && !typeOnly && !GROUND.includes(to),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it("keeps sources from records and SQL: below datasets, nothing runs a source", () => {
    const wrong = arrows.filter(
      ({ from, to, typeOnly }) => !typeOnly && to.startsWith("sources/") && (FLOORS[roomOf(from)] ?? 9) < 2,
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it("keeps evaluation from datasets", () => {
    const wrong = arrows.filter(
      ({ from, to }) => roomOf(from) === "pipelines/evaluation" && roomOf(to) === "pipelines/datasets",
    );
    expect(wrong.map(show)).toEqual([]);
  });
});

describe("names", () => {
  it("say what a file is about: no utils, helpers, common or misc", () => {
    const all = [...files, ...readdirSync(join(PACKAGE_ROOT, "test"), { recursive: true }).map(String)];
    expect(all.filter((file) => /(^|[/.-])(utils?|helpers?|common|misc)([/.-]|$)/i.test(file))).toEqual([]);
  });
});

describe("shared test modules", () => {
  it("have no hooks of their own: files share their workers' modules, so a hook would run for the first file alone", () => {
    const shared = readdirSync(join(PACKAGE_ROOT, "test"), { recursive: true })
      .map((name) => `test/${String(name).replaceAll("\\", "/")}`)
      .filter(
        (file) => /\.(ts|mts|mjs)$/.test(file) && !/\.test\.ts$/.test(file) && file !== "test/setup.ts",
      );
    expect(shared.length).toBeGreaterThan(20);
    const hook = /^(?:before|after)(?:Each|All)\(/m;
    expect(shared.filter((file) => hook.test(textOf(file)))).toEqual([]);
  });
});

describe("commands", () => {
  it("are loaded by the name under which their file registers them", () => {
    const listed = [
      ...textOf("scripts/ambitab.ts").matchAll(/^ {2}"?([\w-]+)"?: \(\) => import\("(\.\/[^"]+)\.js"\)/gm),
    ];
    expect(listed.length).toBeGreaterThan(5);
    for (const [, name = "", file = ""] of listed)
      expect(textOf(posix.join("scripts", `${file}.ts`)), file).toMatch(
        new RegExp(`\\.command\\("${name}[" ]`),
      );
    const registering = files.filter(
      (file) => /^scripts\/[^/]+\.ts$/.test(file) && textOf(file).includes("export function register"),
    );
    expect(registering.length).toBe(listed.length);
  });
});

describe("drop codes", () => {
  const reserved = /^\s*\/\/ Reserved/m;
  it("are each used by a stage, or documented as reserved", () => {
    const table = textOf("pipelines/engine/drop-codes.ts");
    const used = files
      .filter((file) => file.startsWith("pipelines/") && !file.endsWith("drop-codes.ts"))
      .map(textOf)
      .join("\n");
    const [, held = ""] = table.split(reserved);
    const unused = Object.keys(DROP_CODES).filter(
      (code) => !used.includes(`"${code}"`) && !held.includes(`${code}:`),
    );
    expect(unused).toEqual([]);
  });

  it("are explained in words", () => {
    for (const [code, text] of Object.entries(DROP_CODES)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(text.length, code).toBeGreaterThan(20);
    }
  });
});
