import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SourceError, UserError } from "../../pipelines/errors.js";
import { type UnpackLimits, unpackArchive } from "../../sources/fetch/unpack.js";
import type { Unpack } from "../../sources/manifest.js";
import { failureOf, temporaryFolder, writeFiles } from "./temporary.js";
import { type ZipEntry, zip } from "./zip-writer.js";

async function unpack(
  archive: Buffer | readonly ZipEntry[],
  how: Partial<Unpack> = {},
  limits: UnpackLimits = {},
) {
  const folder = temporaryFolder();
  await writeFiles(folder, { "an archive.zip": Buffer.isBuffer(archive) ? archive : zip(archive) });
  const work = unpackArchive(
    join(folder, "an archive.zip"),
    folder,
    { format: "zip", into: "dev", ...how },
    limits,
  );
  return { folder, work };
}

/** Everything below a folder, sorted. */
const listing = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

describe("unpackArchive", () => {
  it("unpacks files and folders, odd names included", async () => {
    const { folder, work } = await unpack([
      { name: "top/", method: 0 },
      { name: "top/a.json", content: "[1]" },
      { name: 'top/it\'s/旅游 "住".db', content: Buffer.alloc(100_000, 7), method: 0 },
      { name: "top/empty.csv" },
    ]);
    expect(await work).toEqual({ files: 3, bytes: 100_003 });
    expect(listing(join(folder, "dev"))).toEqual(
      ["top/a.json", "top/empty.csv", 'top/it\'s/旅游 "住".db'].sort(),
    );
    expect(readFileSync(join(folder, "dev/top/a.json"), "utf8")).toBe("[1]");
  });

  it("strips leading folders, unpacks archives inside and leaves junk out", async () => {
    const inner = zip([
      { name: "dev_databases/x/x.sqlite", content: "db" },
      { name: "__MACOSX/dev_databases/._x", content: "junk" },
    ]);
    const { folder, work } = await unpack(
      [
        { name: "dev_20240627/dev.json", content: "[]" },
        { name: "dev_20240627/.DS_Store", content: "junk" },
        { name: "dev_20240627/dev_databases.zip", content: inner, method: 0 },
      ],
      {
        strip: 1,
        nested: [
          { path: "dev_databases.zip", into: "." },
          { path: "not-there.zip", into: "." },
        ],
      },
    );
    expect(await work).toMatchObject({ files: 2 });
    expect(listing(join(folder, "dev"))).toEqual(["dev.json", "dev_databases/x/x.sqlite"]);
  });

  const attacks: [string, ZipEntry[], RegExp][] = [
    [
      "a path that climbs",
      [{ name: "../evil.txt", content: "x" }],
      /invalid relative path|leaves its folder/,
    ],
    [
      "a path that climbs later",
      [{ name: "a/b/../../../evil", content: "x" }],
      /invalid relative path|leaves/,
    ],
    ["an absolute path", [{ name: "/etc/evil", content: "x" }], /absolute path/],
    ["a backslash", [{ name: "..\\evil", content: "x" }], /invalid characters|backslash/],
    ["a drive letter", [{ name: "C:evil", content: "x" }], /absolute path|drive letter/],
    ["a NUL in a name", [{ name: "a\0b", content: "x" }], /NUL/],
    ["a line break in a name", [{ name: "a\nb", content: "x" }], /control character/],
    ["an empty path part", [{ name: "a//b", content: "x" }], /empty path part/],
    ["a dot as path part", [{ name: "./a", content: "x" }], /empty path part/],
    [
      "a symbolic link",
      [{ name: "link", content: "/etc", mode: 0o120777 }],
      /entry "link" is a symbolic link/,
    ],
    ["a device", [{ name: "dev", mode: 0o020666 }], /neither a file nor a folder/],
    ["an encrypted entry", [{ name: "a", content: "x", flags: 1 }], /encrypted/],
    ["an unknown packing", [{ name: "a", content: "x", method: 99 }], /method 99/],
    [
      "a name that is there twice",
      [
        { name: "a", content: "x" },
        { name: "a", content: "y" },
      ],
      /"a" is there twice/,
    ],
    [
      "names that differ in case",
      [
        { name: "A", content: "x" },
        { name: "a", content: "y" },
      ],
      /there twice/,
    ],
    ["names that differ in Unicode form", [{ name: "\u00e9" }, { name: "e\u0301" }], /there twice/],
    ["a file that is also a folder", [{ name: "a/b" }, { name: "a" }], /is a file and a folder/],
    ["a file in a file", [{ name: "a" }, { name: "a/b" }], /lies in a file/],
    [
      "a wrong checksum",
      [{ name: "a", content: "x", claims: { crc32: 1 } }],
      /damaged: expected checksum 00000001/,
    ],
    [
      "a size that is too small",
      [{ name: "a", content: "xxxx", claims: { uncompressedSize: 1 } }],
      /too many bytes/,
    ],
    [
      "a size that is too large",
      [{ name: "a", content: "x", claims: { uncompressedSize: 9 } }],
      /not enough bytes/,
    ],
    ["a bomb", [{ name: "a", content: Buffer.alloc(4_000_000) }], /grows \d+ times/],
    [
      "entries that share their bytes",
      [{ name: "a", content: Buffer.alloc(5000, 1), method: 0 }].concat(
        Array.from({ length: 9 }, (_, at) => ({
          name: `b${at}`,
          content: Buffer.alloc(5000, 1),
          method: 0,
          sharesBytesOf: 0,
        })),
      ),
      /overlaps another entry/,
    ],
  ].map(([name, entries, message]) => [name, entries, message] as [string, ZipEntry[], RegExp]);
  it.each(attacks)("refuses %s and leaves nothing behind", async (_name, entries, message) => {
    const { folder, work } = await unpack([{ name: "good.txt", content: "good" }, ...entries]);
    const error = await failureOf(work);
    expect(error).toBeInstanceOf(SourceError);
    expect(error.message).toMatch(message);
    expect(error.message).toContain("an archive.zip");
    expect(readdirSync(folder)).toEqual(["an archive.zip"]);
    expect(existsSync(join(folder, "..", "evil.txt"))).toBe(false);
  });

  it("refuses a bad entry of an archive inside, naming both", async () => {
    const inner = zip([{ name: "../evil", content: "x" }]);
    const { folder, work } = await unpack([{ name: "in.zip", content: inner, method: 0 }], {
      nested: [{ path: "in.zip", into: "." }],
    });
    expect((await failureOf(work)).message).toContain("an archive.zip → in.zip");
    expect(readdirSync(folder)).toEqual(["an archive.zip"]);
  });

  it("keeps to its limits of entries, bytes and growth", async () => {
    const entries = Array.from({ length: 5 }, (_, at) => ({
      name: `${at}`,
      content: Buffer.alloc(1_100_000, at),
    }));
    const roomy = { maxRatio: 1e6 };
    expect(await (await unpack(entries, {}, roomy)).work).toEqual({ files: 5, bytes: 5_500_000 });
    const limits: [UnpackLimits, RegExp][] = [
      [{ ...roomy, maxEntries: 4 }, /expected at most 4 entries, found 5/],
      [{ ...roomy, maxBytes: 5_499_999 }, /entry "4" takes the archive past 5499999 bytes/],
      [{ maxRatio: 10 }, /grows \d+ times/],
    ];
    for (const [limit, message] of limits) {
      expect((await failureOf((await unpack(entries, {}, limit)).work)).message).toMatch(message);
    }
  });

  it("refuses what is no archive, or half of one", async () => {
    const whole = zip([
      { name: "a", content: Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * at) % 251)) },
    ]);
    for (const bytes of [
      Buffer.from("<html>sign in</html>"),
      Buffer.alloc(0),
      whole.subarray(0, whole.length >> 1),
    ]) {
      const error = await failureOf((await unpack(bytes)).work);
      expect(error).toBeInstanceOf(SourceError);
      expect(error.message).toContain("cannot be read as a zip archive");
    }
  });

  it("refuses an archive with damaged content", async () => {
    const bytes = zip([{ name: "a", content: "hello hello hello hello" }]);
    bytes[36] = (bytes[36] ?? 0) ^ 0xff;
    expect(await failureOf((await unpack(bytes)).work)).toBeInstanceOf(SourceError);
  });

  it("does not touch a folder that is there already", async () => {
    const folder = temporaryFolder();
    await writeFiles(folder, { "a.zip": zip([{ name: "a" }]), "dev/mine.txt": "mine" });
    const error = await failureOf(
      unpackArchive(join(folder, "a.zip"), folder, { format: "zip", into: "dev" }),
    );
    expect(error).toBeInstanceOf(UserError);
    expect(listing(folder)).toEqual(["a.zip", "dev/mine.txt"]);
  });

  it("refuses an entry that is not as deep as it must be", async () => {
    const { work } = await unpack([{ name: "readme.txt", content: "x" }], { strip: 1 });
    expect((await failureOf(work)).message).toContain("is not 1 folders deep");
  });
});
