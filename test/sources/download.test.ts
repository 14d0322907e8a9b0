import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { Interrupted, UserError } from "../../pipelines/errors.js";
import { type DownloadOptions, downloadFile } from "../../sources/fetch/download.js";
import { failureOf, temporaryFolder, writeFiles } from "./temporary.js";
import { dropAfter, serve, unrulyServer } from "./unruly-server.js";

/** 200,000 bytes without a period that could hide a shift. */
const CONTENT = Buffer.from(
  Array.from({ length: 200_000 }, (_, at) => (at * 31 + Math.floor(at / 251) * 7) % 256),
);
const sha256 = (content: Buffer) => createHash("sha256").update(content).digest("hex");
const HASH = sha256(CONTENT);

/** Bytes that the download under test has written so far. */
let received = 0;
const soFar = () => received;
beforeEach(() => {
  received = 0;
});
const QUICK: DownloadOptions = {
  backoffMs: 5,
  attempts: 4,
  idleTimeoutMs: 5000,
  onProgress: (bytes) => {
    received = bytes;
  },
};

const place = () => join(temporaryFolder(), "déeper", "it's.bin");

/** After a failure nothing may stand under the file's own name. */
function expectNothingWhole(target: string): void {
  expect(existsSync(target)).toBe(false);
}

/** After a success the file is right and no part is left. */
function expectWhole(target: string, content = CONTENT): void {
  expect(readFileSync(target).equals(content)).toBe(true);
  expect(readdirSync(dirname(target))).toEqual(["it's.bin"]);
}

describe("downloadFile", () => {
  it("downloads, verifies, and tells how far it is", async () => {
    const server = await unrulyServer((request, response) => serve(request, response, CONTENT));
    const target = place();
    const seen: [number, number | undefined][] = [];
    const outcome = await downloadFile([{ url: server.url, sha256: HASH, bytes: CONTENT.length }], target, {
      ...QUICK,
      onProgress: (received, total) => seen.push([received, total]),
    });
    expect(outcome).toEqual({ bytes: CONTENT.length, sha256: HASH, url: server.url });
    expectWhole(target);
    expect(seen.at(-1)).toEqual([CONTENT.length, CONTENT.length]);
  });

  it("goes on where the connection dropped, again and again", async () => {
    const server = await unrulyServer((request, response, attempt) =>
      attempt < 4 ? dropAfter(request, response, CONTENT, 50_000, soFar) : serve(request, response, CONTENT),
    );
    const target = place();
    await downloadFile([{ url: server.url, sha256: HASH }], target, QUICK);
    expectWhole(target);
    expect(server.ranges).toEqual([undefined, "bytes=50000-", "bytes=100000-", "bytes=150000-"]);
  });

  it("goes on in another run, and keeps the part when it gives up", async () => {
    const target = place();
    let broken = true;
    const server = await unrulyServer((request, response) =>
      broken ? dropAfter(request, response, CONTENT, 60_000, soFar) : serve(request, response, CONTENT),
    );
    const error = await failureOf(downloadFile([{ url: server.url }], target, { ...QUICK, attempts: 1 }));
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain("gave up after 1 tries");
    expectNothingWhole(target);
    expect(readFileSync(`${target}.part`).length).toBe(60_000);
    broken = false;
    await downloadFile([{ url: server.url }], target, QUICK);
    expectWhole(target);
    expect(server.ranges[1]).toBe("bytes=60000-");
  });

  it("starts over when the server ignores Range", async () => {
    const server = await unrulyServer((request, response, attempt) => {
      if (attempt === 1) return dropAfter(request, response, CONTENT, 70_000, soFar);
      response.writeHead(200, { "content-length": CONTENT.length }).end(CONTENT);
    });
    const target = place();
    await downloadFile([{ url: server.url }], target, QUICK);
    expectWhole(target);
  });

  const NEWER = Buffer.from(CONTENT.map((byte) => byte ^ 0xff));
  it("starts over when the file changed meanwhile, although the server resumes", async () => {
    const server = await unrulyServer((request, response, attempt) => {
      if (attempt === 1) return dropAfter(request, response, CONTENT, 70_000, soFar, '"v1"');
      delete request.headers["if-range"]; // A server that does not know If-Range.
      serve(request, response, NEWER, '"v2"');
    });
    const target = place();
    await downloadFile([{ url: server.url }], target, QUICK);
    expectWhole(target, NEWER);
    expect(server.ranges).toEqual([undefined, "bytes=70000-", undefined]);
  });

  it("starts over when the server honours If-Range", async () => {
    const server = await unrulyServer((request, response, attempt) =>
      attempt === 1
        ? dropAfter(request, response, CONTENT, 70_000, soFar, '"v1"')
        : serve(request, response, NEWER, '"v2"'),
    );
    const target = place();
    await downloadFile([{ url: server.url }], target, QUICK);
    expectWhole(target, NEWER);
  });

  it("starts over when a resumed range is not the one asked for, or of another file size", async () => {
    for (const range of ["bytes 0-199999/200000", "bytes 70000-199999/300000", "nonsense"]) {
      const server = await unrulyServer((request, response, attempt) => {
        if (attempt === 1) return dropAfter(request, response, CONTENT, 70_000, soFar);
        if (attempt === 2) {
          response.writeHead(206, { "content-range": range, etag: '"v1"' }).end(CONTENT.subarray(70_000));
          return;
        }
        serve(request, response, CONTENT);
      });
      const target = place();
      await downloadFile([{ url: server.url }], target, QUICK);
      expectWhole(target);
      expect(server.ranges[2]).toBeUndefined();
    }
  });

  it("tries once more from the start when two halves do not make the hash", async () => {
    // No ETag: nothing but the hash can tell that the second half is of another file.
    const server = await unrulyServer((request, response, attempt) => {
      if (attempt === 1) return dropAfter(request, response, NEWER, 70_000, soFar, "");
      serve(request, response, CONTENT);
    });
    const target = place();
    await downloadFile([{ url: server.url, sha256: HASH }], target, QUICK);
    expectWhole(target);
    expect(server.ranges).toEqual([undefined, "bytes=70000-", undefined]);
  });

  it("does not resume what nothing can vouch for", async () => {
    const server = await unrulyServer((request, response, attempt) =>
      attempt === 1
        ? dropAfter(request, response, CONTENT, 70_000, soFar, "")
        : serve(request, response, CONTENT),
    );
    const target = place();
    await downloadFile([{ url: server.url }], target, QUICK);
    expectWhole(target);
    expect(server.ranges).toEqual([undefined, undefined]);
  });

  it("starts over when the part is larger than the file", async () => {
    const server = await unrulyServer((request, response) => serve(request, response, CONTENT));
    const target = place();
    await writeFiles(dirname(target), {
      "it's.bin.part": Buffer.alloc(300_000),
      "it's.bin.part.json": JSON.stringify({ url: server.url, validator: '"v1"' }),
    });
    await downloadFile([{ url: server.url }], target, QUICK);
    expectWhole(target);
  });

  it.each([
    ["without a note", undefined],
    ["of another address", '{"url": "http://elsewhere", "validator": "\\"v1\\""}'],
    ["with a broken note", '{"url": '],
  ])("throws away a part %s", async (_name, note) => {
    const server = await unrulyServer((request, response) => serve(request, response, CONTENT));
    const target = place();
    await writeFiles(dirname(target), {
      "it's.bin.part": "garbage",
      ...(note === undefined ? {} : { "it's.bin.part.json": note }),
    });
    await downloadFile([{ url: server.url }], target, QUICK);
    expectWhole(target);
    expect(server.ranges).toEqual([undefined]);
  });

  it("refuses wrong bytes, deletes them, and names both hashes", async () => {
    const server = await unrulyServer((request, response) => serve(request, response, NEWER));
    const target = place();
    const error = await failureOf(downloadFile([{ url: server.url, sha256: HASH }], target, QUICK));
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain(`expected sha256 ${HASH}, found ${sha256(NEWER)}`);
    expectNothingWhole(target);
    expect(readdirSync(dirname(target))).toEqual([]);
  });

  it("refuses a file that is announced shorter or longer than it must be", async () => {
    for (const bytes of [CONTENT.length - 1, CONTENT.length + 1]) {
      const server = await unrulyServer((request, response) => serve(request, response, CONTENT));
      const target = place();
      const error = await failureOf(downloadFile([{ url: server.url, bytes }], target, QUICK));
      expect(error.message).toContain(`expected ${bytes} bytes, found ${CONTENT.length}`);
      expectNothingWhole(target);
      expect(server.ranges.length).toBe(1);
    }
  });

  it("is not taken in by a length that is longer than what comes", async () => {
    const server = await unrulyServer((_request, response) => {
      response.writeHead(200, { "content-length": CONTENT.length + 500 });
      response.write(CONTENT, () => setTimeout(() => response.destroy(), 20));
    });
    const target = place();
    const error = await failureOf(downloadFile([{ url: server.url }], target, QUICK));
    expect(error.message).toMatch(/gave up after 4 tries/);
    expectNothingWhole(target);
  });

  it("is not taken in by a length that is shorter than what comes", async () => {
    const server = await unrulyServer((_request, response) => {
      const head = `HTTP/1.1 200 OK\r\ncontent-length: ${CONTENT.length - 500}\r\n\r\n`;
      response.socket?.end(Buffer.concat([Buffer.from(head), CONTENT]));
    });
    const target = place();
    const error = await failureOf(downloadFile([{ url: server.url, sha256: HASH }], target, QUICK));
    expect(error).toBeInstanceOf(UserError);
    expectNothingWhole(target);
  });

  it("stops at the size it must have when more comes in chunks", async () => {
    const server = await unrulyServer((_request, response) => {
      response.writeHead(200).write(CONTENT);
      response.end("more");
    });
    const target = place();
    const error = await failureOf(downloadFile([{ url: server.url, bytes: CONTENT.length }], target, QUICK));
    expect(error.message).toContain(`expected ${CONTENT.length} bytes, found more`);
    expectNothingWhole(target);
  });

  it("takes chunks without a length, but not a cut stream of them", async () => {
    let cut = false;
    const server = await unrulyServer((_request, response) => {
      response
        .writeHead(200)
        .write(CONTENT, () => (cut ? setTimeout(() => response.destroy(), 20) : response.end()));
    });
    const target = place();
    await downloadFile([{ url: server.url }], target, QUICK);
    expectWhole(target);
    cut = true;
    const other = place();
    await failureOf(downloadFile([{ url: server.url }], other, QUICK));
    expectNothingWhole(other);
  });

  it("does not take the end of a connection for the end of a file", async () => {
    const server = await unrulyServer((_request, response) => {
      response.socket?.end(
        Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"), CONTENT]),
      );
    });
    const target = place();
    const error = await failureOf(downloadFile([{ url: server.url }], target, QUICK));
    expect(error.message).toContain("of an unknown number of bytes");
    expectNothingWhole(target);
    // With a hash the same answer is provably whole.
    await downloadFile([{ url: server.url, sha256: HASH, bytes: CONTENT.length }], target, QUICK);
    expectWhole(target);
  });

  it("refuses a content coding, which it did not ask for", async () => {
    const server = await unrulyServer((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(CONTENT);
    });
    const error = await failureOf(downloadFile([{ url: server.url }], place(), QUICK));
    expect(error.message).toContain("the server sent gzip unasked");
  });

  it.each([404, 401, 403, 410])("gives up at once at %i and tries the next address", async (status) => {
    const bad = await unrulyServer((_request, response) => response.writeHead(status).end());
    const good = await unrulyServer((request, response) => serve(request, response, CONTENT));
    const target = place();
    const outcome = await downloadFile([{ url: bad.url }, { url: good.url }], target, QUICK);
    expect(outcome.url).toBe(good.url);
    expectWhole(target);
    const error = await failureOf(
      downloadFile([{ url: bad.url }], place(), { ...QUICK, remedy: "get it by hand" }),
    );
    expect(error).toMatchObject({ remedy: "get it by hand", message: expect.stringContaining(`${status}`) });
    expect(bad.ranges.length).toBe(2);
  });

  it("tries again at 500, and waits as long as 429 and 503 ask", async () => {
    const server = await unrulyServer((request, response, attempt) => {
      if (attempt === 1) response.writeHead(500).end();
      else if (attempt === 2) response.writeHead(429, { "retry-after": "1" }).end();
      else if (attempt === 3) {
        response.writeHead(503, { "retry-after": new Date(Date.now() - 5000).toUTCString() }).end();
      } else serve(request, response, CONTENT);
    });
    const target = place();
    const start = performance.now();
    await downloadFile([{ url: server.url }], target, QUICK);
    expectWhole(target);
    expect(performance.now() - start).toBeGreaterThan(990);
    expect(server.ranges.length).toBe(4);
  });

  it("follows redirects, and resumes behind them", async () => {
    const files = await unrulyServer((request, response, attempt) =>
      attempt === 1
        ? dropAfter(request, response, CONTENT, 70_000, soFar)
        : serve(request, response, CONTENT),
    );
    const door = await unrulyServer((_request, response) =>
      response.writeHead(302, { location: files.url }).end(),
    );
    const target = place();
    await downloadFile([{ url: door.url, sha256: HASH }], target, QUICK);
    expectWhole(target);
    expect(files.ranges).toEqual([undefined, "bytes=70000-"]);
  });

  it("ends a silent connection and goes on from there", async () => {
    const server = await unrulyServer((request, response, attempt) => {
      if (attempt > 1) return serve(request, response, CONTENT);
      response.writeHead(200, { "content-length": CONTENT.length, etag: '"v1"' });
      response.write(CONTENT.subarray(0, 80_000)); // … and nothing more.
    });
    const target = place();
    await downloadFile([{ url: server.url }], target, { ...QUICK, idleTimeoutMs: 150 });
    expectWhole(target);
    expect(server.ranges).toEqual([undefined, expect.stringMatching(/^bytes=\d+-$/)]);
  });

  it("keeps to its whole time, however slowly bytes trickle", async () => {
    const server = await unrulyServer((_request, response) => {
      response.writeHead(200, { "content-length": CONTENT.length, etag: '"v1"' });
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    const target = place();
    const start = performance.now();
    const error = await failureOf(
      downloadFile([{ url: server.url }], target, { ...QUICK, totalTimeoutMs: 300 }),
    );
    expect(error.message).toContain("not done within 300 ms");
    // The server would go on for ever.
    expect(performance.now() - start).toBeLessThan(60_000);
    expectNothingWhole(target);
  });

  it("stops when asked to, and keeps the part", async () => {
    const stop = new AbortController();
    const server = await unrulyServer((_request, response) => {
      response.writeHead(200, { "content-length": CONTENT.length, etag: '"v1"' });
      response.write(CONTENT.subarray(0, 80_000));
    });
    const target = place();
    const work = downloadFile([{ url: server.url }], target, {
      ...QUICK,
      signal: stop.signal,
      onProgress: (bytes) => bytes === 80_000 && stop.abort(),
    });
    expect(await failureOf(work)).toBeInstanceOf(Interrupted);
    expectNothingWhole(target);
    expect(readFileSync(`${target}.part`).length).toBe(80_000);
  });

  it("says who cannot be reached", async () => {
    const server = await unrulyServer(() => undefined);
    const url = server.url.replace(/:\d+/, ":1");
    const error = await failureOf(downloadFile([{ url }], place(), { ...QUICK, attempts: 2 }));
    expect(error).toBeInstanceOf(UserError);
    expect(error.message).toContain(url);
    expect(error.message).toContain("gave up after 2 tries");
  });
});
