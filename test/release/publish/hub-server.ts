import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEachFile } from "../../endings.js";

/** A file of a commit: its bytes, and whether they are kept in the store for large files. */
interface Entry {
  content: Buffer;
  lfs: boolean;
}

interface Commit {
  oid: string;
  title: string;
  tree: Map<string, Entry>;
}

export interface Repository {
  private: boolean;
  gated: false | "auto" | "manual";
  commits: Commit[];
  tags: Map<string, string>;
}

export interface Seen {
  method: string;
  path: string;
  query: string;
  authorization: string | undefined;
  body: Buffer;
}

/** What goes wrong with a request: it is refused, it breaks off, or it is done and not answered as it should be. */
export type Fault =
  | { status: number; headers?: Record<string, string>; body?: string }
  | "reset"
  | "done-then-reset"
  | { doneThen: number };

const listening: Server[] = [];
afterEachFile(async () => {
  for (const server of listening.splice(0)) {
    server.closeAllConnections();
    await new Promise<void>((closed) => server.close(() => closed()));
  }
});

const sha256 = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
const gitOid = (content: Buffer): string =>
  createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");

const ATTRIBUTES =
  "*.parquet filter=lfs diff=lfs merge=lfs -text\n*.gz filter=lfs diff=lfs merge=lfs -text\n";
const LARGE = 10 * 1024 * 1024;

/** An answer in the making. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * A server of our own that speaks the hub's API as the package uses it, and is as strict as the hub: it hashes what it is
 * given, refuses commits on an old parent, binary files outside the large-file store and unknown objects.
 */
export class HubServer {
  readonly token = "hf_the_tests_own_token";
  role: "write" | "read" = "write";
  readonly repositories = new Map<string, Repository>();
  /** The large-file store, shared by all repositories as the hub's is. */
  readonly store = new Map<string, Buffer>();
  readonly seen: Seen[] = [];
  /** Asked before each request; the number counts requests of that kind (method and path pattern) from 1. */
  fault: (seen: Seen) => Fault | undefined = () => undefined;
  /** Told of each request before it is answered. */
  onRequest: (seen: Seen) => void = () => undefined;
  /** Files larger than this go up in parts of this size. */
  partBytes = Number.POSITIVE_INFINITY;
  /** What becomes of the list of parts before it is told. */
  spoilParts: (parts: string[]) => string[] = (parts) => parts;
  pageSize = 1000;
  url = "";
  readonly #parts = new Map<string, Map<number, Buffer>>();
  readonly #links = new Set<string>();

  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    listening.push(server);
  }

  /** Makes a repository as the hub does, with its own file in it. */
  add(name: string, settings: Partial<Pick<Repository, "private" | "gated">> = {}): Repository {
    const tree = new Map([[".gitattributes", { content: Buffer.from(ATTRIBUTES), lfs: false }]]);
    const first = { oid: gitOid(Buffer.from(randomUUID())), title: "initial commit", tree };
    const made: Repository = { private: false, gated: false, commits: [first], tags: new Map(), ...settings };
    this.repositories.set(name, made);
    return made;
  }

  /** Commits files past the API, as somebody else would. */
  put(name: string, files: Record<string, string | null>): void {
    const repository = this.#repository(name);
    const tree = new Map(this.#tip(repository).tree);
    for (const [path, text] of Object.entries(files)) {
      if (text === null) tree.delete(path);
      else tree.set(path, { content: Buffer.from(text), lfs: false });
    }
    repository.commits.push({ oid: gitOid(Buffer.from(randomUUID())), title: "by hand", tree });
  }

  /** Path → sha256 at the tip or a tag, without the hub's own file. */
  tree(name: string, revision = "main"): Record<string, string> {
    const files = [...this.#commit(this.#repository(name), revision).tree].filter(
      ([path]) => path !== ".gitattributes",
    );
    return Object.fromEntries(
      files
        .map(([path, { content }]) => [path, sha256(content)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  }

  /** Uploads to the store, by the hash of what was sent. */
  uploads(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { method, path } of this.seen) {
      const [, oid] = /^\/store\/([0-9a-f]{64})$/.exec(path) ?? [];
      if (method === "PUT" && oid !== undefined) counts.set(oid, (counts.get(oid) ?? 0) + 1);
    }
    return counts;
  }

  /** Everything that was sent here, with what a commit wraps unwrapped. */
  received(): Buffer {
    const unwrapped = this.seen
      .filter(({ path }) => path.includes("/commit/"))
      .flatMap(({ body }) => body.toString().split("\n"))
      .map((line) => (JSON.parse(line) as { value: { content?: string } }).value.content ?? "")
      .map((content) => Buffer.from(content, "base64"));
    const heads = this.seen.map(({ method, path, query }) => Buffer.from(`${method} ${path}?${query}\n`));
    return Buffer.concat([...heads, ...this.seen.map(({ body }) => body), ...unwrapped]);
  }

  #repository(name: string): Repository {
    const found = this.repositories.get(name);
    if (found === undefined) throw new Refusal(404, "Repository not found");
    return found;
  }

  #tip({ commits }: Repository): Commit {
    const last = commits.at(-1);
    if (last === undefined) throw new Error("a repository has no commit");
    return last;
  }

  #commit(repository: Repository, revision: string): Commit {
    if (revision === "main" || revision === "HEAD") return this.#tip(repository);
    const oid = repository.tags.get(revision) ?? revision;
    const found = repository.commits.find((one) => one.oid === oid);
    if (found === undefined) throw new Refusal(404, `Invalid rev id: ${revision}`);
    return found;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const seen: Seen = {
      method: request.method ?? "GET",
      path: decodeURIComponent(url.pathname),
      query: url.search.slice(1),
      authorization: request.headers.authorization,
      body: Buffer.alloc(0),
    };
    const fault = this.fault(seen);
    if (fault === "reset") {
      this.seen.push(seen);
      this.onRequest(seen);
      request.once("data", () => request.socket.destroy());
      if (request.method === "GET") request.socket.destroy();
      return;
    }
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return; // The client is gone.
    }
    seen.body = Buffer.concat(chunks);
    this.seen.push(seen);
    this.onRequest(seen);
    if (typeof fault === "object" && "status" in fault) {
      response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers });
      response.end(fault.body ?? JSON.stringify({ error: "as the test wants it" }));
      return;
    }
    try {
      const { status, headers, body } = this.#reply(seen, url, request.headers);
      if (fault === "done-then-reset") {
        request.socket.destroy();
        return;
      }
      const last = typeof fault === "object" ? fault.doneThen : status;
      response.writeHead(last, headers).end(body);
    } catch (error) {
      const { status = 500 } = error as { status?: number };
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: (error as Error).message }));
    }
  }

  #reply(seen: Seen, url: URL, headers: IncomingMessage["headers"]) {
    const { method, path } = seen;
    const json = (value: object, more: Record<string, string> = {}) => ({
      status: 200,
      headers: { "content-type": "application/json", ...more },
      body: JSON.stringify(value) as string | Buffer,
    });
    if (path.startsWith("/store/")) return this.#storeReply(seen, url);
    const isLoggedIn = seen.authorization === `Bearer ${this.token}`;
    if (seen.authorization !== undefined && !isLoggedIn)
      throw new Refusal(401, "Invalid credentials in Authorization header");
    if (path === "/api/whoami-v2") {
      if (!isLoggedIn) throw new Refusal(401, "Invalid username or password.");
      return json({
        type: "user",
        name: "tester",
        auth: { type: "access_token", accessToken: { role: this.role } },
      });
    }
    if (path === "/api/repos/create") {
      const { name, organization, type, visibility } = JSON.parse(seen.body.toString()) as Record<
        string,
        string
      >;
      if (type !== "dataset") throw new Refusal(400, "not a dataset");
      const full = `${organization}/${name}`;
      if (organization === "others")
        throw new Refusal(403, "You don't have the rights to create a dataset under this namespace");
      if (this.repositories.has(full)) throw new Refusal(409, "You already created this dataset repo");
      this.add(full, { private: visibility === "private" });
      return json({ url: `${this.url}/datasets/${full}`, id: full });
    }
    const [, api, name = "", rest = ""] =
      /^(\/api)?\/datasets\/([^/]+\/[^/]+?)(\/.*|\.git\/info\/lfs\/objects\/batch)$/.exec(path) ?? [];
    const repository = this.repositories.get(name);
    if (repository === undefined || (repository.private && !isLoggedIn))
      throw new Refusal(isLoggedIn ? 404 : 401, "Repository not found");
    if (method === "POST" && (!isLoggedIn || this.role === "read"))
      throw new Refusal(403, "You may only read");
    if (rest.startsWith(".git/")) return this.#batchReply(seen);
    const [, action = "", revision = "main", below] =
      /^\/([a-z]+)(?:\/([^/]+))?(?:\/(.*))?$/.exec(rest) ?? [];
    if (api === undefined && action === "resolve") {
      const entry = this.#commit(repository, revision).tree.get(below ?? "");
      if (entry === undefined) throw new Refusal(404, "Entry not found");
      if (!entry.lfs) return { status: 200, headers: { "content-type": "text/plain" }, body: entry.content };
      return { status: 302, headers: { location: this.#link(sha256(entry.content)) }, body: "" };
    }
    switch (`${method} ${action}`) {
      case "GET revision": {
        const { oid } = this.#commit(repository, revision);
        return json({
          _id: "1",
          id: name,
          private: repository.private,
          gated: repository.gated,
          sha: oid,
          lastModified: "2024-01-01",
        });
      }
      case "GET refs": {
        const tags = [...repository.tags].map(([tag, oid]) => ({
          name: tag,
          ref: `refs/tags/${tag}`,
          targetCommit: oid,
        }));
        return json({
          branches: [{ name: "main", ref: "refs/heads/main", targetCommit: this.#tip(repository).oid }],
          converts: [],
          tags,
        });
      }
      case "GET tree":
        return this.#treeReply(repository, revision, url, json);
      case "POST tag": {
        const { tag } = JSON.parse(seen.body.toString()) as { tag: string };
        if (repository.tags.has(tag)) throw new Refusal(409, "Tag reference exists already");
        repository.tags.set(tag, this.#commit(repository, revision).oid);
        return json({});
      }
      case "POST preupload": {
        const { files } = JSON.parse(seen.body.toString()) as {
          files: { path: string; size: number; sample: string }[];
        };
        return json({
          files: files.map((file) => {
            const isBinary = Buffer.from(file.sample, "base64").includes(0);
            const isLfs = isBinary || file.size > LARGE || /\.(parquet|gz)$/.test(file.path);
            return { path: file.path, uploadMode: isLfs ? "lfs" : "regular", shouldIgnore: false };
          }),
        });
      }
      case "POST commit": {
        if (headers["content-type"] !== "application/x-ndjson") throw new Refusal(400, "not NDJSON");
        const oid = this.#commitAll(repository, seen.body.toString());
        return json({
          success: true,
          commitOid: oid,
          commitUrl: `${this.url}/datasets/${name}/commit/${oid}`,
          hookOutput: "",
        });
      }
      default:
        throw new Refusal(404, `no such path: ${method} ${path}`);
    }
  }

  #treeReply<T>(
    repository: Repository,
    revision: string,
    url: URL,
    json: (value: object, more?: Record<string, string>) => T,
  ): T {
    const { tree } = this.#commit(repository, revision);
    const folders = new Set(
      [...tree.keys()].flatMap((path) =>
        path
          .split("/")
          .slice(0, -1)
          .map((_, at, parts) => parts.slice(0, at + 1).join("/")),
      ),
    );
    const entries = [
      ...[...folders].map((path) => ({ type: "directory", oid: gitOid(Buffer.from(path)), size: 0, path })),
      ...[...tree].map(([path, { content, lfs }]) => ({
        type: "file",
        path,
        size: content.length,
        oid: lfs ? gitOid(Buffer.from(`pointer to ${sha256(content)}`)) : gitOid(content),
        ...(lfs ? { lfs: { oid: sha256(content), size: content.length, pointerSize: 130 } } : {}),
      })),
    ];
    const from = Number(url.searchParams.get("cursor") ?? 0);
    const next = new URL(url);
    next.searchParams.set("cursor", String(from + this.pageSize));
    const isLast = from + this.pageSize >= entries.length;
    return json(
      entries.slice(from, from + this.pageSize),
      isLast ? {} : { link: `<${next.href}>; rel="next"` },
    );
  }

  /** A signed address into the store. */
  #link(oid: string, part = ""): string {
    const signature = randomUUID();
    this.#links.add(signature);
    return `${this.url}/store/${oid}${part}?X-Amz-Signature=${signature}`;
  }

  /** Takes the rights from every address that was given out. */
  expireLinks(): void {
    this.#links.clear();
  }

  #batchReply(seen: Seen) {
    const { operation, objects, transfers } = JSON.parse(seen.body.toString()) as {
      operation: string;
      transfers: string[];
      objects: { oid: string; size: number }[];
    };
    if (operation !== "upload" || transfers.includes("xet"))
      throw new Refusal(400, "not what the tests' store does");
    const told = objects.map(({ oid, size }) => {
      if (this.store.has(oid)) return { oid, size };
      if (size <= this.partBytes) return { oid, size, actions: { upload: { href: this.#link(oid) } } };
      const parts = Array.from({ length: Math.ceil(size / this.partBytes) }, (_, at) =>
        String(at + 1).padStart(5, "0"),
      );
      const header = Object.fromEntries(
        this.spoilParts(parts).map((part) => [part, this.#link(oid, `/${part}`)]),
      );
      const whole = {
        href: this.#link(oid, "/complete"),
        header: { chunk_size: String(this.partBytes), ...header },
      };
      return { oid, size, actions: { upload: whole } };
    });
    return {
      status: 200,
      headers: { "content-type": "application/vnd.git-lfs+json" },
      body: JSON.stringify({ transfer: "basic", objects: told }),
    };
  }

  #storeReply({ method, path, body, authorization }: Seen, url: URL) {
    // The store knows signatures only; a token that came here would have left the hub.
    if (authorization !== undefined) throw new Refusal(400, "a token was sent to the store");
    if (!this.#links.has(url.searchParams.get("X-Amz-Signature") ?? ""))
      throw new Refusal(403, "Request has expired");
    const [, oid = "", part] = /^\/store\/([0-9a-f]{64})(?:\/(\w+))?$/.exec(path) ?? [];
    const plain = { status: 200, headers: {}, body: "" as string | Buffer };
    if (method === "GET") return { ...plain, body: this.store.get(oid) ?? "" };
    if (part === undefined) {
      if (sha256(body) !== oid) throw new Refusal(400, "the bytes are not those of the hash");
      this.store.set(oid, body);
      return plain;
    }
    const parts = this.#parts.get(oid) ?? new Map<number, Buffer>();
    this.#parts.set(oid, parts);
    if (part !== "complete") {
      parts.set(Number(part), body);
      return { ...plain, headers: { etag: `"${part}"` } };
    }
    const { parts: named } = JSON.parse(body.toString()) as { parts: { etag: string; partNumber: number }[] };
    const whole = Buffer.concat(named.map(({ partNumber }) => parts.get(partNumber) ?? Buffer.alloc(0)));
    if (sha256(whole) !== oid) throw new Refusal(400, "the parts are not those of the hash");
    this.store.set(oid, whole);
    return plain;
  }

  #commitAll(repository: Repository, body: string): string {
    const lines = body
      .split("\n")
      .map((line) => JSON.parse(line) as { key: string; value: Record<string, string> });
    const [header, ...operations] = lines;
    const tip = this.#tip(repository);
    const { parentCommit, summary = "" } = header?.value ?? {};
    if (parentCommit !== undefined && parentCommit !== tip.oid)
      throw new Refusal(412, "A commit has happened since. Please refresh and try again.");
    const tree = new Map(tip.tree);
    for (const { key, value } of operations) {
      const { path = "", content = "", oid = "" } = value;
      if (key === "deletedFile") {
        if (!tree.delete(path)) throw new Refusal(400, `no file ${path} to delete`);
      } else if (key === "file") {
        const bytes = Buffer.from(content, "base64");
        if (bytes.includes(0) || bytes.length > LARGE)
          throw new Refusal(400, `${path} must go to the large-file store`);
        tree.set(path, { content: bytes, lfs: false });
      } else {
        const bytes = this.store.get(oid);
        if (bytes === undefined || bytes.length !== Number(value.size))
          throw new Refusal(400, `no object ${oid}`);
        tree.set(path, { content: bytes, lfs: true });
        const own = tree.get(".gitattributes")?.content.toString() ?? "";
        const line = `${path} filter=lfs diff=lfs merge=lfs -text\n`;
        tree.set(".gitattributes", {
          content: Buffer.from(own.includes(line) ? own : own + line),
          lfs: false,
        });
      }
    }
    const commit = { oid: gitOid(Buffer.from(randomUUID())), title: summary, tree };
    repository.commits.push(commit);
    return commit.oid;
  }
}

/** A hub that listens, and is closed after the file's tests. */
export async function hubServer(): Promise<HubServer> {
  const server = new HubServer();
  await server.listen();
  return server;
}
