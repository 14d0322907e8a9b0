import {
  type CommitOperation,
  commitIter,
  createRepo,
  datasetInfo,
  HubApiError,
  InvalidApiResponseFormatError,
  listFiles,
} from "@huggingface/hub";
import { UserError } from "../../../errors.js";
import type { PlacedFile } from "../plan.js";
import type { HubConnection } from "./connection.js";
import { hubFault, statusOf } from "./faults.js";

/** What matters of a dataset repository as it is now. */
export interface RepositoryState {
  private: boolean;
  /** Whoever wants the files must ask for them; `false` where nobody must. */
  gated: false | "auto" | "manual";
  /** The commit at the tip of `main`. */
  head: string;
}

/** The hub writes it itself, to keep large files in their store. */
export const HUB_OWN_FILE = ".gitattributes";

const BRANCH = "main";
/** Longer than any request that makes progress; the package is known to wait for ever after some faults. */
const STALLED_MS = 180_000;

/** One object of a large-file store's answer, as far as it is looked at here. */
interface StoredObject {
  size?: number;
  error?: { code: number; message: string };
  actions?: { upload?: { header?: Record<string, string> } };
}

/** Whether an object is to go up in as many parts as its size takes. */
function hasItsParts({ size = 0, actions }: StoredObject): boolean {
  const { chunk_size, ...header } = actions?.upload?.header ?? {};
  if (chunk_size === undefined) return true;
  return (
    Object.keys(header).filter((name) => /^\d+$/.test(name)).length === Math.ceil(size / Number(chunk_size))
  );
}

/**
 * Looks at the large-file store's answer before the package does: a fault of one object in the midst of a good answer, or
 * parts that do not add up, make the package lose its error (a rejection that nobody handles, or a wait without end).
 */
async function refuseFaultyObjects(url: string, response: Response): Promise<void> {
  if (!response.ok || !url.endsWith(".git/info/lfs/objects/batch")) return;
  const { objects = [] } = (await response.clone().json()) as { objects?: StoredObject[] };
  for (const object of objects) {
    if (object.error !== undefined) {
      const error = new HubApiError(url, object.error.code);
      error.data = { error: object.error.message };
      throw error;
    }
    if (!hasItsParts(object)) throw new InvalidApiResponseFormatError("parts that do not add up");
  }
}

/** What the package throws for such an answer. */
async function refusalOf(url: string, response: Response): Promise<HubApiError> {
  const error = new HubApiError(url, response.status);
  const text = await response.text();
  try {
    error.data = { error: (JSON.parse(text) as { error: string }).error };
  } catch {
    error.data = { error: text };
  }
  return error;
}

/** One dataset repository of a hub. Every method throws what `hubFault` makes of the hub's answer. */
export class HubRepository {
  readonly name: string;
  readonly connection: HubConnection;

  constructor(name: string, connection: HubConnection) {
    this.name = name;
    this.connection = connection;
  }

  get url(): string {
    return `${this.connection.endpoint}/datasets/${this.name}`;
  }

  get #common(): { repo: { type: "dataset"; name: string }; hubUrl: string; fetch: typeof fetch } {
    const { endpoint, fetch } = this.connection;
    return { repo: { type: "dataset", name: this.name }, hubUrl: endpoint, fetch };
  }

  async #try<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw hubFault(error, doing, this.connection);
    }
  }

  async #json<T>(doing: string, path: string, init: RequestInit = {}): Promise<T> {
    return this.#try(doing, async () => {
      const url = `${this.connection.endpoint}/api/datasets/${this.name}${path}`;
      const response = await this.connection.fetch(url, init);
      if (!response.ok) throw await refusalOf(url, response);
      return (await response.json()) as T;
    });
  }

  /** Refuses a token that the hub does not take, or that is known to be for reading only. */
  async refuseReader(): Promise<void> {
    const who = await this.#try("asking whose token it is", async () => {
      const url = `${this.connection.endpoint}/api/whoami-v2`;
      const response = await this.connection.fetch(url);
      // Not every hub knows the question.
      if (response.status === 404) return undefined;
      if (!response.ok) throw await refusalOf(url, response);
      return (await response.json()) as { name?: string; auth?: { accessToken?: { role?: string } } };
    });
    if (who?.auth?.accessToken?.role !== "read") return;
    throw new UserError(`the token of ${who.name ?? "this user"} may only read`, {
      remedy: "make a token that may write to that owner's repositories",
    });
  }

  /** The repository as it is now; undefined where there is none, or none that the token may see. */
  async state(): Promise<RepositoryState | undefined> {
    return this.#try(`looking at ${this.name}`, async () => {
      try {
        const { endpoint, fetch } = this.connection;
        const options = { name: this.name, revision: BRANCH, hubUrl: endpoint, fetch };
        const {
          private: isPrivate,
          gated,
          sha,
        } = await datasetInfo({ ...options, additionalFields: ["sha"] });
        return { private: isPrivate, gated, head: sha };
      } catch (error) {
        const status = statusOf(error);
        // To whoever is not logged in the hub does not say whether a repository is there.
        if (status === 404 || (status === 401 && !this.connection.isLoggedIn)) return undefined;
        throw error;
      }
    });
  }

  /** Makes the repository; one that somebody made meanwhile is left as it is. */
  async create(isPrivate: boolean): Promise<void> {
    await this.#try(`making the repository ${this.name}`, async () => {
      try {
        const visibility = isPrivate ? "private" : "public";
        await createRepo({ ...this.#common, accessToken: "", visibility });
      } catch (error) {
        if (statusOf(error) !== 409 && (await this.state()) === undefined) throw error;
      }
    });
  }

  /** The files at a commit, page by page. */
  async files(revision: string): Promise<Map<string, PlacedFile>> {
    return this.#try(`listing the files of ${this.name}`, async () => {
      const files = new Map<string, PlacedFile>();
      for await (const entry of listFiles({ ...this.#common, revision, recursive: true })) {
        if (entry.type === "directory") continue;
        const { size, lfs, oid } = entry;
        files.set(entry.path, {
          bytes: lfs?.size ?? size,
          ...(lfs === undefined ? {} : { sha256: lfs.oid }),
          ...(lfs !== undefined || oid === undefined ? {} : { gitOid: oid }),
        });
      }
      return files;
    });
  }

  /** A small text file at a commit; undefined where it is not there. */
  async text(path: string, revision: string): Promise<string | undefined> {
    return this.#try(`reading ${path} of ${this.name}`, async () => {
      const url = `${this.url}/resolve/${revision}/${path}`;
      const response = await this.connection.fetch(url);
      if (response.status === 404) return undefined;
      if (!response.ok) throw await refusalOf(url, response);
      return response.text();
    });
  }

  /** Tag → commit. */
  async tags(): Promise<Map<string, string>> {
    const { tags } = await this.#json<{ tags: { name: string; targetCommit: string }[] }>(
      `listing the tags of ${this.name}`,
      "/refs",
    );
    return new Map(tags.map(({ name, targetCommit }) => [name, targetCommit]));
  }

  /** Tags a commit. */
  async tag(name: string, commit: string): Promise<void> {
    await this.#json(`tagging ${this.name} as ${name}`, `/tag/${commit}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tag: name }),
    });
  }

  /**
   * Uploads what the hub has not got and commits it on top of `parent`; a hub whose tip is another one refuses. Throws the
   * package's own errors, so that the caller can tell what may be tried again.
   *
   * @returns the new commit
   */
  async commit(
    title: string,
    operations: CommitOperation[],
    parent: string,
    signal: AbortSignal,
  ): Promise<string> {
    const stalled = new AbortController();
    let active = Date.now();
    const watch = setInterval(() => {
      if (this.connection.pending > 0) active = Date.now();
      else if (Date.now() - active > STALLED_MS) stalled.abort();
    }, 1000);
    const end = new Promise<never>((_, reject) => {
      stalled.signal.addEventListener("abort", () => {
        const fault = new TypeError("fetch failed", { cause: new Error("nothing happened for too long") });
        reject(fault);
      });
    });
    const work = async (): Promise<string> => {
      const run = commitIter({
        ...this.#common,
        fetch: async (input, init) => {
          const response = await this.connection.fetch(input, init);
          await refuseFaultyObjects(String(input), response);
          return response;
        },
        title,
        operations,
        branch: BRANCH,
        parentCommit: parent,
        abortSignal: AbortSignal.any([signal, stalled.signal]),
        // The plain store of large files, which the hub keeps for such clients and moves on itself (README).
        useXet: false,
      });
      for (;;) {
        const next = await run.next();
        active = Date.now();
        if (next.done !== true) continue;
        if (next.value === undefined) throw new Error("the hub's package gave no commit");
        return next.value.commit.oid;
      }
    };
    try {
      return await Promise.race([work(), end]);
    } finally {
      clearInterval(watch);
    }
  }
}
