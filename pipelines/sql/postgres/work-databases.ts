import type { Limits } from "../execution.js";
import type { Administration, WorkDatabase } from "./administration.js";
import { Session } from "./session.js";
import type { Isolation } from "./task-session.js";

interface Kept {
  database: WorkDatabase;
  session: Session;
}

/** Idle databases that are kept over all templates; the one unused longest goes first. */
const IDLE = 8;

/**
 * The databases that tasks run in. For `rollback` a database and its session are handed on from task to task: nothing
 * stays in it, and no two tasks have it at once. For `clone` a fresh one is made and dropped afterwards; one is made
 * ahead, so that the next task need not wait for it.
 */
export class WorkDatabases {
  readonly #administration: Administration;
  readonly #limits: Partial<Limits>;
  /** By template; later ones were used later. */
  readonly #idle: { template: string; kept: Kept; reset: Promise<boolean> }[] = [];
  readonly #ahead = new Map<string, Promise<WorkDatabase>>();
  /** Work that goes on in the background; closing waits for it. */
  readonly #background = new Set<Promise<unknown>>();
  #closed = false;

  constructor(administration: Administration, limits: Partial<Limits>) {
    this.#administration = administration;
    this.#limits = limits;
  }

  async take(template: string, isolation: Isolation): Promise<Kept> {
    const at = isolation === "rollback" ? this.#idle.findLastIndex((one) => one.template === template) : -1;
    const [idle] = at < 0 ? [] : this.#idle.splice(at, 1);
    if (idle !== undefined && (await idle.reset)) return idle.kept;
    this.#discard(idle?.kept);
    const database = await (isolation === "clone" ? this.#fresh(template) : this.#create(template));
    try {
      return { database, session: await this.connect(database, isolation) };
    } catch (error) {
      this.#drop(database);
      throw error;
    }
  }

  /** One more session on a database that has been taken. */
  connect(database: WorkDatabase, isolation: Isolation): Promise<Session> {
    const { run } = this.#administration;
    return Session.open(database.address, run, isolation, this.#administration, this.#limits);
  }

  /** Takes a database back; what is to be done with it then is done while others go on. */
  giveBack(template: string, { database, session }: Kept): void {
    if (session.isolation === "clone" || session.dead || this.#closed) {
      this.#discard({ database, session });
      return;
    }
    const reset = session.reset().then(
      () => !session.dead,
      () => false,
    );
    this.#idle.push({ template, kept: { database, session }, reset });
    while (this.#idle.length > IDLE) this.#discard(this.#idle.shift()?.kept);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { kept, reset } of this.#idle.splice(0)) {
      await reset;
      await kept.session.close();
    }
    await Promise.allSettled([...this.#ahead.values()]);
    await Promise.allSettled([...this.#background]);
  }

  #create(template: string): Promise<WorkDatabase> {
    return this.#administration.create(template, "work");
  }

  #fresh(template: string): Promise<WorkDatabase> {
    const ahead = this.#ahead.get(template) ?? this.#create(template);
    this.#ahead.delete(template);
    if (!this.#closed) {
      // The one before this is not there yet: the server is not asked for two at once.
      const next = ahead.then(() => this.#create(template));
      next.catch(() => undefined);
      this.#ahead.set(template, next);
    }
    return ahead;
  }

  #discard(kept: Kept | undefined): void {
    if (kept === undefined) return;
    const gone = kept.session.close().then(() => this.#administration.drop(kept.database));
    this.#later(gone);
  }

  #drop(database: WorkDatabase): void {
    this.#later(this.#administration.drop(database));
  }

  /** A database that cannot be dropped now goes with the run (Administration.close). */
  #later(work: Promise<unknown>): void {
    const settled = work.catch(() => undefined).finally(() => this.#background.delete(settled));
    this.#background.add(settled);
  }
}
