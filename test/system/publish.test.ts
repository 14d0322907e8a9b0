import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compiledModule } from "../../pipelines/package-root.js";
import { type HubServer, hubServer, type Seen } from "../release/publish/hub-server.js";
import { releaseOf } from "../release/publish/releases.js";
import { type Ended, temporaryFolder, treeOf } from "../release/sample.js";

let release = "";
let out = "";
let hub: HubServer;
beforeAll(async () => {
  release = await releaseOf(["ambiqt"]);
});
beforeEach(async () => {
  hub = await hubServer();
  out = temporaryFolder();
});

const REPO = "lab/ambitab";

/** Runs the real command beside this process, where the hub is. */
function publish(
  words: readonly string[],
  {
    env = {},
    started,
  }: { env?: Record<string, string>; started?: (kill: (signal: NodeJS.Signals) => void) => void } = {},
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const all = [compiledModule("scripts/ambitab"), "publish", release, "--out", out, ...words];
    const home = {
      HOME: out,
      HF_HOME: "",
      HF_TOKEN_PATH: "",
      HUGGING_FACE_HUB_TOKEN: "",
      XDG_CACHE_HOME: "",
    };
    const child = spawn(process.execPath, all, {
      env: { ...process.env, ...home, HF_ENDPOINT: `${hub.url}/`, HF_TOKEN: hub.token, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].on("data", (chunk: Buffer) => (texts[name] += chunk.toString()));
    started?.((signal) => child.kill(signal));
    child.once("error", reject);
    child.once("close", (status) => resolve({ status, ...texts }));
  });
}

/** Kills the command when a request of a kind has come for the n-th time. */
function killAt(kind: (seen: Seen) => boolean, at: number, signal: NodeJS.Signals): Promise<Ended> {
  return publish(["--to", `hf:${REPO}`], {
    started: (kill) => {
      let count = 0;
      hub.onRequest = (seen) => {
        if (!kind(seen)) return;
        count += 1;
        if (count === at) kill(signal);
      };
    },
  });
}

describe("ambitab publish", () => {
  it.each<[string, (seen: Seen) => boolean, number]>([
    ["an upload", ({ method, path }) => method === "PUT" && path.startsWith("/store/"), 7],
    ["its first commit", ({ path }) => path.includes("/commit/"), 1],
  ])(
    "goes on where kill -9 stopped it in %s, and sends nothing twice that had arrived",
    async (_, kind, at) => {
      const killed = await killAt(kind, at, "SIGKILL");
      expect(killed.status).toBeNull();
      expect(hub.repositories.get(REPO)?.tags.size).toBe(0);
      const arrived = [...hub.store.keys()];
      expect(arrived.length).toBeGreaterThan(0);
      const sent = hub.uploads();
      hub.onRequest = () => undefined;
      const { status, stdout, stderr } = await publish(["--to", `hf:${REPO}`]);
      expect([status, stderr.includes("error")]).toEqual([0, false]);
      expect(stdout).toContain(
        `release 1.0.0 (public, oracle, verifier, provenance) is published: ${hub.url}/datasets/${REPO}`,
      );
      expect(hub.tree(REPO, "v1.0.0")).toEqual(treeOf(release));
      for (const oid of arrived) expect(hub.uploads().get(oid)).toBe(sent.get(oid));
      for (const times of hub.uploads().values()) expect(times).toBeLessThanOrEqual(2);
    },
  );

  it("stops at Ctrl-C, says how to go on, and leaves nothing behind", async () => {
    const stopped = await killAt(({ path }) => path.includes("/preupload/"), 1, "SIGINT");
    expect(stopped.status).toBe(130);
    expect(stopped.stderr).toContain("interrupted; go on with: ambitab publish");
    expect(hub.repositories.get(REPO)?.tags.size).toBe(0);
    expect(stopped.stdout + stopped.stderr).not.toContain(hub.token);
    expect(readdirSync(out)).toEqual([]);
  });

  it("--dry-run names every file, its bytes, its zone and what becomes of it; the token may be in a file", async () => {
    mkdirSync(join(out, "hf"), { recursive: true });
    writeFileSync(join(out, "hf/token"), `${hub.token}\n`);
    const env = { HF_TOKEN: "", HF_HOME: join(out, "hf") };
    const { status, stdout } = await publish(["--to", `hf:${REPO}`, "--dry-run", "--public-only"], { env });
    expect(status).toBe(0);
    expect(hub.seen[0]?.authorization).toBe(`Bearer ${hub.token}`);
    expect(hub.seen.filter(({ method }) => method !== "GET")).toEqual([]);
    const open = Object.keys(treeOf(release)).filter((path) => /^(public|databases|schemas)\//.test(path));
    for (const path of open)
      expect(stdout).toMatch(new RegExp(`^add +[\\d,]+ +(public|release) +${path}$`, "m"));
    const zones = [...stdout.matchAll(/^add +[\d,]+ +(\w+) /gm)].map(([, zone]) => zone);
    expect(new Set(zones)).toEqual(new Set(["public", "release"]));
    expect(stdout).toContain("repository would be made, open to everybody; tag v1.0.0");
    expect(stdout).toMatch(/^add \d+ files, [\d,]+ bytes$/m);
    expect(readdirSync(join(out, "cache/publish"))).toEqual([]);
  });

  it("says in one line what is wrong, and never the token", async () => {
    const cases: [string[], Record<string, string>, number, string][] = [
      [["--to", `hf:${REPO}`], { HF_TOKEN: "" }, 2, "there is no token"],
      [["--to", `hf:${REPO}`], { HF_TOKEN: `${hub.token}x` }, 2, "does not take the token"],
      [["--to", "hf:nowhere"], {}, 2, "no name of a dataset repository"],
      [["--to", `dir:${release}/new`], {}, 2, "one in the other"],
    ];
    for (const [words, env, code, message] of cases) {
      const { status, stdout, stderr } = await publish([...words, "--quiet"], { env });
      expect([status, stdout, stderr]).toEqual([code, "", expect.stringContaining(message)]);
      expect(stderr.split("\n").length, stderr).toBeLessThanOrEqual(3);
      expect(stderr).not.toContain(hub.token);
    }
  });

  it("copies to a folder, and says it as JSON", async () => {
    const target = join(out, "a copy");
    const { status, stdout } = await publish(["--to", `dir:${target}`, "--json", "--quiet"]);
    expect(status).toBe(0);
    expect(treeOf(target)).toEqual(treeOf(release));
    const files = Object.keys(treeOf(release)).length;
    expect(JSON.parse(stdout)).toMatchObject({
      version: "1.0.0",
      place: target,
      dryRun: false,
      wasThere: false,
      totals: { add: { files }, keep: { files: 0 } },
    });
  });
});
