import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { CommitOperation } from "@huggingface/hub";
import { SUMS_FILE } from "../../../audit/checksums.js";
import { Interrupted, UserError } from "../../../errors.js";
import type { PublishedFile } from "../files.js";
import { isDone, LAST, type Plan, planFor } from "../plan.js";
import { hubFault, isBroken, statusOf } from "./faults.js";
import { HUB_OWN_FILE, type HubRepository, type RepositoryState } from "./repository.js";

/** How much goes into one commit: what is not kept in the store for large files stands in the request itself. */
export interface BatchSize {
  files: number;
  bytes: number;
}

/** The hub's own advice is 50 to 100 files a commit. */
export const BATCH: BatchSize = { files: 100, bytes: 64 * 1024 * 1024 };

interface Batch {
  title: string;
  operations: CommitOperation[];
  files: number;
  bytes: number;
}

const MARK = "manifest.json";

/** The mark of our releases first, the files that make it look whole last, the rest as they are listed. */
const rank = (path: string): number => (path === MARK ? 0 : LAST.includes(path) ? 2 : 1);

/** A plan as commits. */
export function batchesOf(plan: Plan, title: string, { files: most, bytes: limit }: BatchSize): Batch[] {
  const gone = plan.remove.map(({ path }) => path);
  // Until the last commit an older release's sums must not vouch for what is being changed.
  const isUpdate = plan.replace.some(({ path }) => path === SUMS_FILE);
  const first = [...gone, ...(isUpdate ? [SUMS_FILE] : [])];
  const batches: Batch[] = [];
  for (let at = 0; at < first.length; at += 1000) {
    const operations = first.slice(at, at + 1000).map((path) => ({ operation: "delete" as const, path }));
    batches.push({ title: `${title}: what goes`, operations, files: 0, bytes: 0 });
  }
  const sent = [...plan.add, ...plan.replace].sort((a, b) => rank(a.path) - rank(b.path));
  let open: PublishedFile[] = [];
  let bytes = 0;
  const close = (): void => {
    if (open.length === 0) return;
    const operations = open.map(({ path, from }) => ({
      operation: "addOrUpdate" as const,
      path,
      content: pathToFileURL(from),
    }));
    batches.push({ title, operations, files: open.length, bytes });
    [open, bytes] = [[], 0];
  };
  for (const file of sent) {
    const isTail = rank(file.path) === 2 && open.some(({ path }) => rank(path) < 2);
    if (open.length >= most || bytes + file.bytes > limit || isTail) close();
    open.push(file);
    bytes += file.bytes;
  }
  close();
  return batches.map((batch, index) => ({
    ...batch,
    title: batches.length === 1 ? batch.title : `${batch.title} (${index + 1} of ${batches.length})`,
  }));
}

/** Whether a look at the repository and another try may help: nobody knows what was done, or an address has expired. */
function mayGoOn(error: unknown, repository: HubRepository): boolean {
  const status = statusOf(error);
  if (repository.connection.isTired) return false;
  if (status === undefined) return isBroken(error);
  if (status === 409 || status === 412 || status >= 500) return true;
  const { url = "" } = error as { url?: string };
  return (
    (status === 400 || status === 401 || status === 403) && url !== "" && !repository.connection.isOwn(url)
  );
}

const TRIES = 4;

/** What an upload came to. */
export interface Uploaded {
  head: string;
  commits: number;
  /** What was sent, as far as this call sent it. */
  files: number;
  bytes: number;
}

/**
 * Makes the tip of a repository hold the release and nothing else. It compares before it sends, and each commit builds on
 * the one that was compared, so a stopped upload goes on where it was: files that stand there are not sent again, nor
 * those that reached the hub's store and no commit. At the end it compares once more.
 *
 * @param allowed is called with each state that is seen, and throws where nothing may be sent there (any more)
 */
export async function upload(
  repository: HubRepository,
  files: readonly PublishedFile[],
  {
    title,
    size = BATCH,
    waitMs = 1000,
    signal,
    allowed,
    report,
  }: {
    title: string;
    size?: BatchSize | undefined;
    waitMs?: number | undefined;
    signal: AbortSignal;
    allowed: (state: RepositoryState) => void;
    report: (text: string) => void;
  },
): Promise<Uploaded> {
  const done: Uploaded = { head: "", commits: 0, files: 0, bytes: 0 };
  /** Failures since there was last less to do, and whole uploads after which something was still to do. */
  let [failures, wholes, left] = [0, 0, Number.POSITIVE_INFINITY];
  for (;;) {
    const state = await repository.state();
    if (state === undefined) throw new UserError(`${repository.url} is gone`, { remedy: "publish again" });
    allowed(state);
    done.head = state.head;
    const there = await repository.files(state.head);
    const plan = await planFor(files, there, (path) => path === HUB_OWN_FILE);
    if (isDone(plan)) return done;
    if (wholes > 2) {
      const [other] = [...plan.replace, ...plan.add, ...plan.remove];
      throw new UserError(`${repository.url} does not keep ${other?.path ?? "the files"} as it was sent`, {
        remedy: "look whether the release's files are being changed, or somebody else writes there",
      });
    }
    const now = plan.add.length + plan.replace.length + plan.remove.length;
    // Whoever sent it: another process may be publishing the same.
    if (now < left) failures = 0;
    left = now;
    let kept = plan.keep.length;
    try {
      for (const batch of batchesOf(plan, title, size)) {
        report(`${kept} of ${files.length} files there, ${repository.connection.requests} requests`);
        done.head = await repository.commit(batch.title, batch.operations, done.head, signal);
        kept += batch.files;
        done.commits += 1;
        done.files += batch.files;
        done.bytes += batch.bytes;
      }
      wholes += 1;
    } catch (error) {
      if (signal.aborted) throw new Interrupted();
      failures += 1;
      if (!mayGoOn(error, repository) || failures > TRIES) {
        throw hubFault(error, `uploading to ${repository.name}`, repository.connection);
      }
      await sleep(waitMs * 2 ** (failures - 1), undefined, { signal }).catch(() => undefined);
    }
  }
}
