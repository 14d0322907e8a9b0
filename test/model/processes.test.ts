import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { ResponseStore, storePath } from "../../pipelines/model/index.js";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import { temporaryFolder } from "../sources/temporary.js";
import { server } from "./open-client.js";

interface Said {
  n: number;
  key: string;
  text: string;
}

/** A process that asks; `said` fills while it runs. */
function asking(url: string, out: string, questions: number, slots: number) {
  const words = [join(PACKAGE_ROOT, "test", "model", "asking.mjs"), url, out, questions, slots].map(String);
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  let errors = "";
  child.stdout.on("data", (data) => {
    text += String(data);
  });
  child.stderr.on("data", (data) => {
    errors += String(data);
  });
  const ended = new Promise<{ code: number | null; errors: string; said: Said[] }>((resolve) => {
    child.once("close", (code) => {
      const lines = text.split("\n").slice(0, -1);
      resolve({ code, errors, said: lines.map((line) => JSON.parse(line) as Said) });
    });
  });
  return { child, ended, lines: () => text.split("\n").length - 1 };
}

describe("a process that is killed with -9", () => {
  const [QUESTIONS, SLOTS, KILLS] = [400, 16, 5];

  it(`at ${KILLS} random points loses at most what was in flight, and the last run asks only that`, async () => {
    const served = await server({ delayMs: 15 });
    const out = temporaryFolder();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const { child, ended, lines } = asking(served.url, out, QUESTIONS, SLOTS);
      // Somewhere in the fifth that is this run's: by progress, because a busy machine has no reliable clock.
      const from = ((kill - 1) * QUESTIONS) / (KILLS + 1);
      const wanted = from + 1 + Math.random() * (QUESTIONS / (KILLS + 1));
      while (lines() < wanted && child.exitCode === null) await sleep(1);
      await sleep(Math.random() * 15);
      child.kill("SIGKILL");
      const { said } = await ended;
      const store = new ResponseStore(storePath(out));
      // Nobody saw an answer that is not in the store.
      for (const { key, text } of said) expect(store.get(key)).toMatchObject({ outcome: "answered", text });
      const stored = store.counts()[0]?.answers ?? 0;
      store.close();
      await sleep(30);
      expect(served.answered - stored).toBeLessThanOrEqual(SLOTS * kill);
    }
    const { code, errors, said } = await asking(served.url, out, QUESTIONS, SLOTS).ended;
    expect(code, errors).toBe(0);
    expect(said.sort((a, b) => a.n - b.n).map(({ text }) => text)).toEqual(
      Array.from({ length: QUESTIONS }, (_, n) => `echo: question ${n}`),
    );
    expect(served.requests.length).toBeGreaterThanOrEqual(QUESTIONS);
    expect(served.requests.length).toBeLessThanOrEqual(QUESTIONS + SLOTS * KILLS);
    const db = new Database(storePath(out), { readonly: true });
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    db.close();
    const before = served.requests.length;
    await asking(served.url, out, QUESTIONS, SLOTS).ended;
    expect(served.requests.length).toBe(before);
  });
});

describe("two processes at once on one store", () => {
  it("neither fail nor damage it, and see the same answers", async () => {
    const served = await server({ rules: [{ answer: (_, turn) => `answer ${turn}` }], delayMs: 2 });
    const out = temporaryFolder();
    const runs = [asking(served.url, out, 300, 16), asking(served.url, out, 300, 16)];
    const [one, other] = await Promise.all(runs.map(({ ended }) => ended));
    for (const { code, errors } of [one!, other!]) expect(code, errors).toBe(0);
    const byQuestion = ({ said }: { said: Said[] }) => said.sort((a, b) => a.n - b.n);
    expect(byQuestion(one!)).toEqual(byQuestion(other!));
    expect(one!.said.length).toBe(300);
    const db = new Database(storePath(out), { readonly: true });
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    expect(db.prepare("SELECT count(*) FROM responses").pluck().get()).toBe(300);
    db.close();
  });
});
