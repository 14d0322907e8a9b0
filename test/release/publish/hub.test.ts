import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditFolder } from "../../../pipelines/audit/release.js";
import type { PublishedFile } from "../../../pipelines/release/publish/files.js";
import { temporaryFolder, treeOf } from "../sample.js";
import { type HubServer, hubServer, type Seen } from "./hub-server.js";
import { manifestOf, publishTo, releaseOf, sendTo, someFiles } from "./releases.js";

let release = "";
let few: PublishedFile[] = [];
let hub: HubServer;
beforeAll(async () => {
  release = await releaseOf(["ambiqt"]);
  few = await someFiles(release);
});
beforeEach(async () => {
  hub = await hubServer();
});

const REPO = "lab/ambitab";
const commitsOf = (name = REPO): number => (hub.repositories.get(name)?.commits.length ?? 1) - 1;
const isCommit = ({ path }: Seen): boolean => path.includes("/commit/");
const isUpload = ({ method, path }: Seen): boolean => method === "PUT" && path.startsWith("/store/");

/** Every file of the repository, fetched as a person's tools do. */
async function download(server: HubServer, name: string, revision: string): Promise<string> {
  const folder = join(temporaryFolder(), "snapshot");
  const headers = { authorization: `Bearer ${server.token}` };
  const tree = await fetch(`${server.url}/api/datasets/${name}/tree/${revision}?recursive=true`, { headers });
  for (const { type, path } of (await tree.json()) as { type: string; path: string }[]) {
    if (type !== "file") continue;
    const address = `${server.url}/datasets/${name}/resolve/${revision}/${path.split("/").map(encodeURIComponent).join("/")}`;
    const first = await fetch(address, { headers, redirect: "manual" });
    const moved = first.headers.get("location");
    const answer = moved === null ? first : await fetch(moved);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), Buffer.from(await answer.arrayBuffer()));
  }
  return folder;
}

describe("a release at the hub", () => {
  it("stands whole under its tag, passes its audit there, and is not sent again", async () => {
    const first = await publishTo(hub, REPO, release);
    expect(first.hub).toMatchObject({ isNew: true, isPrivate: false, tag: "v1.0.0", wasPublished: false });
    expect(hub.tree(REPO)).toEqual(treeOf(release));
    expect(hub.tree(REPO, "v1.0.0")).toEqual(treeOf(release));
    expect(commitsOf()).toBeGreaterThan(3);
    const snapshot = await download(hub, REPO, "v1.0.0");
    expect(existsSync(join(snapshot, ".gitattributes"))).toBe(true);
    const { findings } = await auditFolder(snapshot);
    expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
    const before = hub.seen.length;
    const second = await publishTo(hub, REPO, release);
    expect(second).toMatchObject({ wasThere: true, hash: first.hash });
    expect(second.files.every(({ action }) => action === "keep")).toBe(true);
    expect(hub.seen.slice(before).filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("looks whole only from the last commit on", async () => {
    await publishTo(hub, REPO, release);
    const trees = (hub.repositories.get(REPO)?.commits ?? []).map(({ tree }) => tree.has("SHA256SUMS"));
    expect(trees.slice(0, -1).some((has) => has)).toBe(false);
    expect(trees.at(-1)).toBe(true);
  });

  it("goes up in parts where the hub wants large files so", async () => {
    hub.partBytes = 3000;
    await publishTo(hub, REPO, release);
    expect(hub.seen.some(({ path }) => path.endsWith("/complete"))).toBe(true);
    expect(hub.tree(REPO, "v1.0.0")).toEqual(treeOf(release));
  });

  it("is found where the hub lists files page by page", async () => {
    hub.pageSize = 7;
    await publishTo(hub, REPO, release);
    expect((await publishTo(hub, REPO, release)).wasThere).toBe(true);
  });

  it("takes the place of an older one whole, and what only that one had goes", async () => {
    await publishTo(hub, REPO, release);
    hub.put(REPO, { "public/old/all.jsonl": "{}\n" });
    const newer = await releaseOf(["ambiqt"], { version: "1.1.0" });
    const dry = await publishTo(hub, REPO, newer, { dryRun: true });
    const actions = Object.fromEntries(dry.files.map(({ path, action }) => [path, action]));
    expect(actions).toMatchObject({
      "public/old/all.jsonl": "delete",
      "manifest.json": "replace",
      "lock.json": "keep",
    });
    const before = commitsOf();
    await publishTo(hub, REPO, newer);
    expect(hub.tree(REPO, "v1.1.0")).toEqual(treeOf(newer));
    expect(hub.tree(REPO, "v1.0.0")).toEqual(treeOf(release));
    // While it was changed, no list of sums vouched for it.
    const [next] = hub.repositories.get(REPO)?.commits.slice(before + 1) ?? [];
    expect([next?.tree.has("SHA256SUMS"), next?.tree.has("public/old/all.jsonl")]).toEqual([false, false]);
    await expect(publishTo(hub, "lab/other", release)).resolves.toMatchObject({ wasThere: false });
    hub.repositories.get(REPO)?.tags.delete("v1.0.0");
    await expect(publishTo(hub, REPO, release)).rejects.toThrow("older 1.0.0 would take its place");
  });

  it.each([
    ["what is no release", { "data/train.csv": "a,b\n" }, "no release (data/train.csv"],
    [
      "another project's manifest",
      { "manifest.json": '{"name":"x","version":"1.0.0","zones":[]}' },
      "no release",
    ],
    ["a manifest that is no JSON", { "manifest.json": "<html>" }, "no release"],
  ])("does not take the place of %s", async (_, files, message) => {
    hub.add(REPO);
    hub.put(REPO, files);
    await expect(publishTo(hub, REPO, release)).rejects.toThrow(message);
    expect(commitsOf()).toBe(1);
  });

  it("takes the place of a card alone, which a person writes when making the repository", async () => {
    hub.add(REPO);
    hub.put(REPO, { "README.md": "# to come\n" });
    await publishTo(hub, REPO, release);
    expect(hub.tree(REPO, "v1.0.0")).toEqual(treeOf(release));
  });

  it("never changes under a tag that is there", async () => {
    await publishTo(hub, REPO, release);
    hub.put(REPO, { "public/ambiqt/all.jsonl": "{}\n" });
    const { commits, tags } = hub.repositories.get(REPO) ?? { commits: [], tags: new Map<string, string>() };
    tags.set("v1.0.0", commits.at(-1)?.oid ?? "");
    await expect(publishTo(hub, REPO, release)).rejects.toThrow(
      "tag v1.0.0 with other contents (public/ambiqt",
    );
    expect(tags.get("v1.0.0")).toBe(commits.at(-1)?.oid);
  });
});

describe("a file", () => {
  it("may be empty, or have a name that means something in an address", async () => {
    const folder = temporaryFolder();
    const names = [
      "empty.jsonl",
      "a b/c#d?e=f&g.txt",
      "Übung 数据 🙂.txt",
      "100%25.txt",
      'it\'s "quoted".txt',
      "-rf",
    ];
    const odd = names.map((name, at): PublishedFile => {
      const from = join(folder, name);
      mkdirSync(dirname(from), { recursive: true });
      writeFileSync(from, at === 0 ? "" : `text ${at}${at % 2 === 0 ? "\0" : ""}`);
      const content = readFileSync(from);
      const sha256 = createHash("sha256").update(content).digest("hex");
      return { path: `public/${name}`, from, bytes: content.length, sha256, zone: "public" };
    });
    const all = [...few, ...odd];
    await sendTo(hub, REPO, manifestOf(release), all);
    const wanted = Object.fromEntries(all.map(({ path, sha256 }) => [path, sha256]));
    expect(hub.tree(REPO, "v1.0.0")).toEqual(wanted);
    expect((await sendTo(hub, REPO, manifestOf(release), all)).wasPublished).toBe(true);
  });
});

describe("--dry-run", () => {
  it("lists every file and sends nothing, logged in or not", async () => {
    for (const token of [hub.token, ""]) {
      const result = await publishTo(hub, REPO, release, { dryRun: true, token });
      const bytes = Object.fromEntries(result.files.map((file) => [file.path, file.bytes]));
      const files = Object.keys(treeOf(release));
      expect(Object.keys(bytes)).toEqual(files);
      for (const path of files) expect(bytes[path]).toBe(readFileSync(join(release, path)).length);
      expect(new Set(result.files.map(({ action }) => action))).toEqual(new Set(["add"]));
      expect(result.hub).toMatchObject({ isNew: true });
    }
    expect(hub.repositories.size).toBe(0);
    expect(hub.seen.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

describe("a hub that misbehaves", () => {
  const send = () => sendTo(hub, REPO, manifestOf(release), few);
  const hashes = () => Object.fromEntries(few.map(({ path, sha256 }) => [path, sha256]).sort());

  /** The n-th request of a kind fails so. */
  function failing(
    kind: (seen: Seen) => boolean,
    at: readonly number[],
    fault: ReturnType<HubServer["fault"]>,
  ): void {
    let count = 0;
    hub.fault = (seen) => {
      if (!kind(seen)) return undefined;
      count += 1;
      return at.includes(count) ? fault : undefined;
    };
  }

  const isTag = ({ path }: Seen): boolean => path.includes("/tag/");
  const isCreate = ({ path }: Seen): boolean => path === "/api/repos/create";
  const isPreupload = ({ path }: Seen): boolean => path.includes("/preupload/");
  const isTree = ({ path }: Seen): boolean => path.includes("/tree/");
  const wait = { "retry-after": "0" };

  it.each<[string, (seen: Seen) => boolean, readonly number[], ReturnType<HubServer["fault"]>]>([
    ["asks to wait at an upload", isUpload, [2], { status: 429, headers: wait }],
    ["asks to wait at a commit", isCommit, [2], { status: 429, headers: wait }],
    [
      "names the wait as RateLimit does",
      isPreupload,
      [1],
      { status: 429, headers: { ratelimit: '"api";r=0;t=0' } },
    ],
    ["is in trouble at an upload", isUpload, [1, 2], { status: 500 }],
    ["is in trouble at a listing", isTree, [1], { status: 503 }],
    ["breaks off an upload", isUpload, [3], "reset"],
    ["breaks off a commit before it is made", isCommit, [2], "reset"],
    ["breaks off a commit after it is made", isCommit, [2], "done-then-reset"],
    ["says 500 to a commit that it made", isCommit, [3], { doneThen: 500 }],
    ["says 504 to a repository that it made", isCreate, [1], { doneThen: 504 }],
    ["is in trouble at a tag", isTag, [1], { status: 503 }],
    ["says 500 to a tag that it made", isTag, [1], { doneThen: 500 }],
    [
      "lets an upload's address expire",
      isUpload,
      [1],
      {
        status: 403,
        headers: { "content-type": "application/xml" },
        body: "<Error>Request has expired</Error>",
      },
    ],
  ])("%s: the end is the same", async (_, kind, at, fault) => {
    failing(kind, at, fault);
    await send();
    expect(hub.tree(REPO, "v1.0.0")).toEqual(hashes());
    for (const times of hub.uploads().values()) expect(times).toBeLessThanOrEqual(3);
  });

  it("goes on where somebody else commits at the same time, and their files go", async () => {
    let done = false;
    hub.onRequest = (seen) => {
      if (!isCommit(seen) || done) return;
      done = true;
      hub.put(REPO, { "theirs.txt": "x" });
    };
    await send();
    expect(hub.tree(REPO, "v1.0.0")).toEqual(hashes());
  });

  it("is given the same release by two processes at once: both end well", async () => {
    await Promise.all([send(), send()]);
    expect(hub.tree(REPO, "v1.0.0")).toEqual(hashes());
  });

  it("names the wrong number of parts: it is said, and not waited for", async () => {
    hub.partBytes = 4000;
    hub.spoilParts = (parts) => parts.slice(1);
    await expect(send()).rejects.toThrow("does not answer as a hub does");
  });

  it("stops where a hub does not keep what it is sent", async () => {
    hub.onRequest = (seen) => {
      if (isTree(seen)) hub.put(REPO, { "funnel.json": "{}" });
    };
    hub.add(REPO);
    hub.put(REPO, { "manifest.json": readFileSync(join(release, "manifest.json"), "utf8") });
    // A listing is of one commit, so what was put after it shows in the next.
    await expect(send()).rejects.toThrow("somebody else changed the repository");
    expect(hub.repositories.get(REPO)?.tags.size).toBe(0);
  });

  it("sends nothing where the repository was opened to everybody in the midst of it", async () => {
    const gated = manifestOf(release);
    for (const entry of Object.values(gated.datasets)) entry.source = "ambrosia";
    hub.add(REPO, { private: true });
    failing(isCommit, [2], { status: 502 });
    hub.onRequest = (seen) => {
      const repository = hub.repositories.get(REPO);
      if (isCommit(seen) && commitsOf() === 1 && repository !== undefined) repository.private = false;
    };
    await expect(sendTo(hub, REPO, gated, few)).rejects.toThrow("everybody may read lab/ambitab");
    expect(hub.repositories.get(REPO)?.tags.size).toBe(0);
  });

  it.each([
    [401, "does not take the token"],
    [403, "forbids it"],
    [404, "has no such place"],
    [413, "too large"],
    [500, "answered 500"],
  ])("says %d: a person is told what and what to do, and never the token", async (status, message) => {
    hub.add(REPO);
    const echo = JSON.stringify({ error: `no \u001b[31m${hub.token}, see https://x.example/y?sig=secret` });
    hub.fault = (seen) => (isPreupload(seen) ? { status, body: echo } : undefined);
    const error = await send().catch((one: unknown) => one as Error & { remedy?: string });
    expect(error).toMatchObject({ name: "UserError", message: expect.stringContaining(message) });
    const told = JSON.stringify([error, (error as Error).message, (error as { remedy?: string }).remedy]);
    expect(told).not.toContain(hub.token);
    expect(told).not.toContain("secret");
    expect(told).not.toContain("\\u001b");
    expect((error as { remedy?: string }).remedy).toMatch(/\w{4}/);
  });

  it("asks for too long a wait: it is told and not waited for", async () => {
    hub.add(REPO);
    hub.fault = (seen) =>
      isPreupload(seen) ? { status: 429, headers: { "retry-after": "86400" } } : undefined;
    await expect(send()).rejects.toThrow("wants fewer requests");
  });

  it("names a fault of one object in the midst of a good answer", async () => {
    hub.add(REPO);
    const body = JSON.stringify({
      objects: [{ oid: "0", size: 1, error: { code: 422, message: "no room left" } }],
    });
    hub.fault = ({ path }) => (path.endsWith("/batch") ? { status: 200, body } : undefined);
    await expect(send()).rejects.toThrow("no room left");
  });

  it("is no hub: what answers with a page is said to be none", async () => {
    hub.fault = () => ({ status: 200, body: "<html>hello</html>" });
    await expect(send()).rejects.toThrow("does not answer as a hub does");
  });

  it("is not there", async () => {
    const gone = Object.assign(await hubServer(), { url: "http://127.0.0.1:9" });
    await expect(sendTo(gone, REPO, manifestOf(release), few)).rejects.toThrow("cannot be reached");
  });
});

describe("a token", () => {
  it("is needed to publish", async () => {
    await expect(publishTo(hub, REPO, release, { token: "" })).rejects.toThrow("no token");
    expect(hub.seen).toEqual([]);
  });
  it("that may only read is refused before anything is sent", async () => {
    hub.role = "read";
    await expect(publishTo(hub, REPO, release)).rejects.toThrow("tester may only read");
    expect(hub.repositories.size).toBe(0);
  });
  it("that is wrong is refused, and not told", async () => {
    const wrong = publishTo(hub, REPO, release, { token: "not-even-hf-like" });
    await expect(wrong).rejects.toThrow("does not take the token");
    await expect(wrong).rejects.not.toThrow("not-even");
  });
  it("that does not write to that owner is refused with the hub's words", async () => {
    await expect(publishTo(hub, "others/x", release)).rejects.toThrow("under this namespace");
  });
});
