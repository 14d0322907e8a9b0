import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Interrupted, SourceError, SourceErrors, UserError } from "../../pipelines/errors.js";
import {
  ensureFromManifest,
  type FetchOptions,
  fetchFromManifest,
  openFromManifest,
} from "../../sources/fetch/fetch-source.js";
import type { Artefact, SourceManifest } from "../../sources/manifest.js";
import { failureOf, temporaryFolder, writeFiles } from "./temporary.js";
import { serve, unrulyServer } from "./unruly-server.js";
import { zip } from "./zip-writer.js";

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

const ROWS = "rows of the first release";
const ARTEFACTS: Artefact[] = [
  {
    path: "rows.json",
    alternatives: ["old/rows.json"],
    kind: "file",
    required: true,
    releases: [{ name: "v1", sha256: sha256(ROWS) }],
  },
  { path: "databases", kind: "folder", endings: [".sqlite"], required: true },
  { path: "extra.csv", kind: "file", required: false },
];

function manifestOf(artefacts: Artefact[] = ARTEFACTS): SourceManifest {
  return {
    source: "bird",
    title: "Test",
    homepage: "https://example.org",
    citation: "nobody",
    licence: { id: "CC-BY-SA-4.0", url: "https://example.org/licence", attribution: "Test (nobody)" },
    access: "open",
    redistribution: "share-alike",
    obtain: "Get it and put it into {folder}/.",
    artefacts,
  };
}

const FILES = {
  "rows.json": ROWS,
  "databases/ünï/ünï.sqlite": "db 1",
  "databases/b/it's.sqlite": "db 2",
  "databases/b/notes.txt": "not part of it",
  "unrelated.bin": "not part of it",
};

async function copyOf(
  files: Record<string, string | Buffer> = FILES,
): Promise<{ from: string; out: string }> {
  const folder = temporaryFolder();
  await writeFiles(join(folder, "copy"), files);
  return { from: join(folder, "copy"), out: join(folder, "out") };
}

const lockText = (out: string) => readFileSync(join(out, "sources/bird/lock.json"), "utf8");
const take = (options: FetchOptions, artefacts?: Artefact[]) =>
  fetchFromManifest(manifestOf(artefacts), options);

describe("taking in a local copy", () => {
  it("reads the folder in place and locks what belongs to the source", async () => {
    const { from, out } = await copyOf();
    const { root, lock } = await take({ from, out });
    expect(root).toBe(from);
    expect(lock).toMatchObject({
      source: "bird",
      held: "linked",
      adopted_from: from,
      redistribution: "share-alike",
      licence: { id: "CC-BY-SA-4.0", attribution: "Test (nobody)" },
      source_version: expect.stringMatching(/^v1\+[0-9a-f]{12}$/),
    });
    expect(lock.files).toEqual([
      { path: "databases/b/it's.sqlite", bytes: 4, sha256: sha256("db 2") },
      { path: "databases/ünï/ünï.sqlite", bytes: 4, sha256: sha256("db 1") },
      { path: "rows.json", bytes: ROWS.length, sha256: sha256(ROWS), release: "v1" },
    ]);
    expect(existsSync(join(out, "sources/bird/rows.json"))).toBe(false);
  });

  it("is found again without --from, and writes the same lock each time", async () => {
    const { from, out } = await copyOf();
    await take({ from, out });
    const first = lockText(out);
    expect((await openFromManifest(manifestOf(), out)).root).toBe(from);
    expect((await ensureFromManifest(manifestOf(), { out })).root).toBe(from);
    expect((await take({ out })).root).toBe(from);
    expect(lockText(out)).toBe(first);
  });

  it("copies when asked to, and then does not need the folder any more", async () => {
    const { from, out } = await copyOf();
    const { root, lock } = await take({ from, out, copy: true });
    expect(root).toBe(join(out, "sources/bird"));
    expect(lock).toMatchObject({ held: "copied", adopted_from: from });
    await rm(from, { recursive: true });
    expect(readFileSync(join(root, "databases/ünï/ünï.sqlite"), "utf8")).toBe("db 1");
    expect(existsSync(join(root, "unrelated.bin"))).toBe(false);
    expect((await openFromManifest(manifestOf(), out)).lock).toEqual(lock);
    expect((await take({ out })).lock).toEqual(lock);
  });

  it("does not download into a copy what the copy never had", async () => {
    const server = await unrulyServer((request, response) => serve(request, response, Buffer.from("x")));
    const artefacts = ARTEFACTS.map((one) =>
      one.required ? one : { ...one, downloads: [{ url: server.url }] },
    );
    const { from, out } = await copyOf();
    const { lock } = await take({ from, out, copy: true }, artefacts);
    expect((await take({ out }, artefacts)).lock).toEqual(lock);
    expect(server.ranges).toEqual([]);
  });

  it("stops when asked to", async () => {
    const { from, out } = await copyOf();
    const error = await failureOf(take({ from, out, signal: AbortSignal.abort() }));
    expect(error).toBeInstanceOf(Interrupted);
    expect(existsSync(join(out, "sources/bird/lock.json"))).toBe(false);
  });

  it("replaces an earlier copy wholly", async () => {
    const first = await copyOf();
    await take({ ...first, copy: true });
    const second = await copyOf({ "rows.json": "other rows", "databases/c/c.sqlite": "db 3" });
    const { root, lock } = await take({ from: second.from, out: first.out, copy: true });
    expect(lock.files.map((file) => file.path)).toEqual(["databases/c/c.sqlite", "rows.json"]);
    expect(existsSync(join(root, "databases/b/it's.sqlite"))).toBe(false);
    await openFromManifest(manifestOf(), first.out);
  });

  it("takes other places that upstream's packages use", async () => {
    const { "rows.json": rows, ...rest } = FILES;
    const { from, out } = await copyOf({ ...rest, "old/rows.json": rows });
    const { lock } = await take({ from, out });
    expect(lock.files.at(-1)).toMatchObject({ path: "old/rows.json", release: "v1" });
    expect(lock.source_version).toMatch(/^v1\+/);
  });

  it("records a file that is none of the known releases as unknown", async () => {
    const { from, out } = await copyOf({ ...FILES, "rows.json": "edited" });
    const { lock } = await take({ from, out });
    expect(lock.files.at(-1)).toMatchObject({ path: "rows.json", release: "unknown" });
    expect(lock.source_version).toMatch(/^unknown\+/);
  });

  it("gives copies that differ in any file different versions", async () => {
    const a = await copyOf();
    const b = await copyOf({ ...FILES, "databases/b/it's.sqlite": "db 9" });
    const version = async (options: FetchOptions) => (await take(options)).lock.source_version;
    expect(await version(a)).not.toBe(await version(b));
  });

  it("follows links to databases, and links that go round", async () => {
    const { from, out } = await copyOf({ "rows.json": ROWS, "elsewhere/d/d.sqlite": "db 4" });
    await writeFiles(from, { "databases/readme.txt": "x" });
    symlinkSync(join(from, "elsewhere", "d"), join(from, "databases", "d"));
    symlinkSync(join(from, "databases"), join(from, "elsewhere", "d", "round"));
    symlinkSync(join(from, "nowhere"), join(from, "databases", "dangling.sqlite"));
    expect((await take({ from, out })).lock.files.map((file) => file.path)).toEqual([
      "databases/d/d.sqlite",
      "rows.json",
    ]);
  });

  it("says in one message what is missing, where, and how to come by it", async () => {
    const { from, out } = await copyOf({ "extra.csv": "x", "databases/readme.txt": "no database" });
    const error = await failureOf(take({ from, out }));
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toBe(`source bird is not complete: rows.json, databases not found in ${from}`);
    expect((error as UserError).remedy).toContain(`put it into ${join(out, "sources", "bird")}/.`);
    expect((error as UserError).remedy).toContain("--from bird=DIR");
    expect(existsSync(join(out, "sources/bird/lock.json"))).toBe(false);
  });

  it("says when the folder is none", async () => {
    const { from, out } = await copyOf();
    for (const wrong of [join(from, "nope"), join(from, "rows.json")]) {
      const error = await failureOf(take({ from: wrong, out }));
      expect(error).toBeInstanceOf(UserError);
      expect(error.message).toContain("is not a folder");
    }
  });

  const strict = (change: Partial<Artefact>): Artefact[] => [
    { path: "rows.json", kind: "file", required: true, ...change },
    { path: "extra.csv", kind: "file", required: true, sha256: sha256("right"), bytes: 5 },
  ];
  it("refuses a file that must have one hash or size, naming file, expected and found", async () => {
    const { from, out } = await copyOf({ "rows.json": ROWS, "extra.csv": "right" });
    const one = await failureOf(take({ from, out }, strict({ sha256: sha256("x") })));
    expect(one).toBeInstanceOf(SourceError);
    expect(one.message).toBe(`rows.json: expected sha256 ${sha256("x")}, found ${sha256(ROWS)}`);
    const size = await failureOf(take({ from, out }, strict({ bytes: 3 })));
    expect(size.message).toBe(`rows.json: expected 3 bytes, found ${ROWS.length}`);
    await take({ from, out }, strict({ bytes: ROWS.length, sha256: sha256(ROWS) }));
    await writeFiles(from, { "extra.csv": "wrong" });
    const both = await failureOf(take({ from, out }, strict({ bytes: 3 })));
    expect(both).toBeInstanceOf(SourceErrors);
    expect(both.message).toContain("extra.csv: expected sha256");
  });
});

describe("opening a source that was taken in", () => {
  it("says how to fetch one that was not", async () => {
    const error = await failureOf(openFromManifest(manifestOf(), temporaryFolder()));
    expect(error).toMatchObject({
      message: "source bird has not been fetched",
      remedy: expect.stringContaining("ambitab fetch bird"),
    });
  });

  it("notices files that changed, went or came, and takes them in when told to", async () => {
    const { from, out } = await copyOf();
    await take({ from, out });
    await writeFiles(from, { "databases/b/it's.sqlite": "db X", "databases/new/new.sqlite": "db 5" });
    await rm(join(from, "databases/ünï/ünï.sqlite"));
    const error = await failureOf(openFromManifest(manifestOf(), out));
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain(
      "databases/b/it's.sqlite has changed, databases/ünï/ünï.sqlite is gone, databases/new/new.sqlite is new",
    );
    const { lock } = await take({ out });
    expect(lock.files.map((file) => file.path)).toContain("databases/new/new.sqlite");
    await openFromManifest(manifestOf(), out);
  });

  it("notices a change that keeps size and modification time", async () => {
    const { from, out } = await copyOf();
    const file = join(from, "rows.json");
    const long = new Date(1_700_000_000_000);
    utimesSync(file, long, long);
    await new Promise((done) => setTimeout(done, 2100)); // Old enough for its hash to be remembered.
    await take({ from, out });
    await openFromManifest(manifestOf(), out);
    expect(readFileSync(join(out, "cache/source-hashes.json"), "utf8")).toContain(sha256(ROWS));
    await writeFiles(from, { "rows.json": ROWS.toUpperCase() });
    utimesSync(file, long, long);
    expect(statSync(file).mtimeMs).toBe(long.getTime());
    expect((await failureOf(openFromManifest(manifestOf(), out))).message).toContain("rows.json has changed");
  });

  it("works without its memory of hashes, and with a broken one", async () => {
    const { from, out } = await copyOf();
    await take({ from, out });
    await writeFiles(out, { "cache/source-hashes.json": '{"half' });
    await openFromManifest(manifestOf(), out);
  });

  it("says when a linked folder is gone", async () => {
    const { from, out } = await copyOf();
    await take({ from, out });
    await rm(from, { recursive: true });
    expect((await failureOf(openFromManifest(manifestOf(), out))).message).toContain("rows.json is gone");
    expect((await failureOf(take({ out }))).message).toContain("is not a folder");
  });

  it.each(["", "{", "[]", '{"source": "bird"}'])("refuses a lock that is none: %j", async (text) => {
    const out = temporaryFolder();
    await writeFiles(out, { "sources/bird/lock.json": text });
    const error = await failureOf(openFromManifest(manifestOf(), out));
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain("is not a lock of source bird");
  });
});

describe("fetching without a copy", () => {
  const inner = zip([{ name: "databases/a/a.sqlite", content: "db 1" }]);
  const outer = zip([
    { name: "top/rows.json", content: ROWS },
    { name: "top/databases.zip", content: inner, method: 0 },
  ]);
  const unpack = {
    format: "zip" as const,
    into: "dev",
    strip: 1,
    nested: [{ path: "databases.zip", into: "." }],
  };
  const archived = (url?: string): Artefact[] => [
    {
      path: "dev.zip",
      kind: "archive",
      required: false,
      unpack,
      ...(url === undefined ? {} : { downloads: [{ url }] }),
    },
    { path: "dev/rows.json", kind: "file", required: true, archive: "dev.zip" },
    { path: "dev/databases", kind: "folder", endings: [".sqlite"], required: true, archive: "dev.zip" },
  ];

  it("downloads, unpacks the archive and the one inside, and locks the content", async () => {
    const server = await unrulyServer((request, response) => serve(request, response, outer));
    const out = temporaryFolder();
    const steps: string[] = [];
    const { root, lock } = await take({ out, onStep: (step) => steps.push(step.kind) }, archived(server.url));
    expect(root).toBe(join(out, "sources/bird"));
    expect(lock).toMatchObject({ held: "placed", adopted_from: null });
    expect(lock.files.map((file) => file.path)).toEqual(["dev/databases/a/a.sqlite", "dev/rows.json"]);
    expect(existsSync(join(root, "dev.zip"))).toBe(false);
    expect([...new Set(steps)]).toEqual(["downloading", "unpacking", "verifying"]);
    await take({ out }, archived(server.url));
    expect(server.ranges.length).toBe(1);
  });

  it("unpacks an archive that a person put there, and leaves it there", async () => {
    const out = temporaryFolder();
    await writeFiles(out, { "sources/bird/dev.zip": outer });
    const { root, lock } = await take({ out }, archived());
    expect(lock.files.length).toBe(2);
    expect(existsSync(join(root, "dev.zip"))).toBe(true);
  });

  it("asks for what only a person can get before it downloads anything", async () => {
    const server = await unrulyServer((request, response) => serve(request, response, Buffer.from(ROWS)));
    const artefacts: Artefact[] = [
      { path: "rows.json", kind: "file", required: true, downloads: [{ url: server.url }] },
      { path: "databases", kind: "folder", endings: [".sqlite"], required: true },
    ];
    const out = temporaryFolder();
    const error = await failureOf(take({ out }, artefacts));
    expect(error.message).toBe("source bird is not complete: databases not found");
    expect((error as UserError).remedy).toContain("Get it and put it into");
    expect(server.ranges).toEqual([]);
    await writeFiles(out, { "sources/bird/databases/a/a.sqlite": "db 1" });
    const { lock } = await take({ out }, artefacts);
    expect(lock.files.map((file) => file.path)).toEqual(["databases/a/a.sqlite", "rows.json"]);
    expect(lock.held).toBe("placed");
  });

  it("leaves no lock and nothing half unpacked when the archive is bad", async () => {
    const bad = zip([{ name: "top/../../evil", content: "x" }]);
    const server = await unrulyServer((request, response) => serve(request, response, bad));
    const out = temporaryFolder();
    expect(await failureOf(take({ out }, archived(server.url)))).toBeInstanceOf(SourceError);
    expect(existsSync(join(out, "sources/bird/lock.json"))).toBe(false);
    expect(existsSync(join(out, "sources/bird/dev"))).toBe(false);
  });

  it("says what a person can do when a download fails", async () => {
    const server = await unrulyServer((_request, response) => response.writeHead(404).end());
    const error = await failureOf(take({ out: temporaryFolder() }, archived(server.url)));
    expect(error).toMatchObject({ remedy: expect.stringContaining("Get it and put it into") });
    expect(error.message).toContain("404");
  });
});
