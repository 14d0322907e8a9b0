import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { UserError } from "../../pipelines/errors.js";
import { openSuite } from "../../pipelines/record/suite.js";
import { versionFindings } from "../../pipelines/release/version/history.js";
import { releaseHistory } from "../../pipelines/release/write.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { GateClosed } from "../../scripts/release.js";
import {
  buildSample,
  recordsOf,
  releaseSample,
  temporaryFolder,
  writeRecords,
  writeSample,
} from "./sample.js";

let out = "";
let build = "";
let first: TaskRecord[] = [];
beforeAll(async () => {
  out = temporaryFolder();
  build = await buildSample(out);
  first = await recordsOf(build);
  const { folder } = await writeSample(out, "1.0.0");
  expect(changelogOf(folder)).toMatch(
    /\n## 1\.0\.0\n\nFirst release\.\n\n- ambiqt: 66 records over 15 databases\n$/,
  );
});

const changelogOf = (folder: string): string => readFileSync(join(folder, "CHANGELOG.md"), "utf8");

/** Makes the build hold other records than the first release. */
function rebuild(change: (records: TaskRecord[]) => TaskRecord[]): void {
  writeRecords(build, change(structuredClone(first)));
}

/** A record by its place; the sample has enough. */
function at(records: readonly TaskRecord[], index: number): TaskRecord {
  const record = records[index];
  if (record === undefined) throw new Error(`the sample has no record ${index}`);
  return record;
}

/** Lets a record's simulated user say another thing. */
function answer({ oracle }: TaskRecord, text: string): void {
  for (const ambiguity of oracle.ambiguities) ambiguity.response = text;
}

/** What the version is told of the build as it is now. */
async function refusals(version: string): Promise<string[]> {
  const options = { releases: join(out, "releases"), version, publicOnly: false };
  const history = await releaseHistory(openSuite(build).datasets, options);
  return versionFindings(history).map(({ message }) => message);
}

describe("a version", () => {
  it("must step as far as the records have changed, and is refused with the rule, the counts and the least that does", async () => {
    rebuild((records) => {
      for (const index of [3, 5]) answer(at(records, index), "I mean another thing.");
      return records.slice(1);
    });
    const [gone, changed] = await refusals("1.1.0");
    expect(gone).toBe(
      `1 record removed: ${at(first, 0).record_id}: by semantic versioning a major step, and the least version after 1.0.0 that would do is 2.0.0`,
    );
    expect(changed).toContain(
      `2 records changed in content: ${at(first, 3).record_id}, ${at(first, 5).record_id}`,
    );
    expect(await refusals("2.0.0-rc.1")).toEqual([]);
    await expect(releaseSample(out, "1.1.0")).rejects.toThrow(GateClosed);
    await expect(releaseSample(out, "1.1.0")).rejects.toMatchObject({
      gates: ["version"],
      message: "the gate is closed: version (2 errors)",
    });
    expect(readdirSync(join(out, "releases")).filter((name) => name !== ".lock")).toEqual(["1.0.0"]);
  });

  it("may be a patch where only provenance has changed, and must be a minor one where a record was added", async () => {
    rebuild((records) => {
      at(records, 0).provenance.notes = ["noted later"];
      return records;
    });
    expect(await refusals("1.0.1")).toEqual([]);
    rebuild((records) => [...records, { ...at(records, 0), record_id: "ambiqt/later" }]);
    expect(await refusals("1.0.1")).toEqual([
      "1 record added: ambiqt/later: by semantic versioning a minor step, and the least version after 1.0.0 that would do is 1.1.0",
    ]);
    expect(await refusals("1.1.0")).toEqual([]);
  });

  it("is not judged by what comes after it, nor by pre-releases", async () => {
    rebuild((records) => records.slice(1));
    expect(await refusals("0.9.0")).toEqual([]);
    const other = temporaryFolder();
    cpSync(join(out, "build"), join(other, "build"), { recursive: true });
    await writeSample(other, "1.0.0-rc.1");
    rebuild((records) => records.slice(2));
    const options = { releases: join(other, "releases"), version: "1.0.0", publicOnly: false };
    expect(versionFindings(await releaseHistory(openSuite(build).datasets, options))).toEqual([]);
  });
});

describe("CHANGELOG.md", () => {
  it("tells by zone and field what has changed, never a value, and carries the older entries along", async () => {
    rebuild((records) => {
      answer(at(records, 3), "I mean another thing.");
      at(records, 4).public.request = "A secret of another version";
      return [...records.slice(1), { ...at(records, 0), record_id: "ambiqt/a ` in | it" }];
    });
    const { folder } = await writeSample(out, "2.0.0");
    const text = changelogOf(folder);
    expect(text).toContain("## 2.0.0\n\nSince 1.0.0: a major step");
    expect(text).toContain("- records 66 → 66: 1 added, 1 removed, 2 changed");
    expect(text).toContain(`- removed: \`${at(first, 0).record_id}\``);
    expect(text).toContain(`- changed: \`${at(first, 3).record_id}\`, \`${at(first, 4).record_id}\``);
    expect(text).toContain(
      "- fields that changed, and in how many records:\n  - public: `public.request` 1\n  - oracle: `oracle.ambiguities[].response` 1\n",
    );
    expect(text).toContain("``ambiqt/a ` in");
    expect(text).toContain("- databases 15 → 15: 0 added, 0 removed, 0 changed");
    expect(text).not.toContain("another");
    expect(text.indexOf("## 2.0.0")).toBeLessThan(text.indexOf("## 1.0.0"));
    expect(text.endsWith("First release.\n\n- ambiqt: 66 records over 15 databases\n")).toBe(true);
  });

  it("says the same of a public-only release as of the whole one of the same builds", async () => {
    const open = await writeSample(out, "2.0.0-public", { publicOnly: true });
    const [whole, part] = [join(out, "releases/2.0.0"), open.folder].map(changelogOf);
    expect(part).toBe(whole?.replace("## 2.0.0", "## 2.0.0-public"));
  });

  it("is written against the release that is named", async () => {
    const previous = join(out, "releases/1.0.0");
    const { folder } = await writeSample(out, "2.0.1", { previous });
    expect(changelogOf(folder)).toContain("## 2.0.1\n\nSince 1.0.0: a major step");
    expect(changelogOf(folder)).not.toContain("## 2.0.0");
    for (const named of [folder, build, join(out, "nowhere")])
      await expect(writeSample(out, "2.0.1-x", { previous: named }), named).rejects.toThrow(UserError);
  });

  it("tells a new dataset and one that is gone, and says where an older release had no changelog", async () => {
    const other = temporaryFolder();
    await buildSample(other, ["ambiqt"]);
    const { folder } = await writeSample(other, "0.1.0");
    rmSync(join(folder, "CHANGELOG.md"));
    rmSync(join(other, "build"), { recursive: true });
    await buildSample(other, ["taco"]);
    const text = changelogOf((await writeSample(other, "0.2.0")).folder);
    expect(text).toContain("Since 0.1.0: a major step");
    expect(text).toContain("### ambiqt\n\n- the dataset is gone: 66 records over 15 databases");
    expect(text).toContain("### taco\n\n- a new dataset: 38 records over 3 databases");
    expect(text).toMatch(/\n## 0\.1\.0\n\nThat release came without a changelog\.\n$/);
  });
});

describe("a release before that cannot be read", () => {
  it.each([
    ["whose manifest is no JSON", "manifest.json", "{"],
    ["that says another version", "manifest.json", '{"version":"7.0.0"}'],
  ])("%s stops the new one with its name", async (_, file, text) => {
    const other = temporaryFolder();
    cpSync(join(out, "build"), join(other, "build"), { recursive: true });
    const { folder } = await writeSample(other, "1.0.0");
    writeFileSync(join(folder, file), text);
    await expect(writeSample(other, "1.0.1")).rejects.toThrow(/1\.0\.0 cannot be compared with/);
    // What has no list of its files is no release, whatever its name.
    mkdirSync(join(other, "releases/1.0.0-half"));
    rmSync(folder, { recursive: true });
    expect(existsSync((await writeSample(other, "1.0.1")).folder)).toBe(true);
  });
});
