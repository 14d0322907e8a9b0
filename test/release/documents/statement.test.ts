import { createHash } from "node:crypto";
import { appendFileSync, chmodSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { checksums, filesBelow, SUMS_FILE } from "../../../pipelines/audit/checksums.js";
import { auditRelease } from "../../../pipelines/audit/release.js";
import { schemaFaults } from "../../../pipelines/record/check-schema.js";
import { openSuite } from "../../../pipelines/record/suite.js";
import type { BuildLock } from "../../../schemas/types/lock.js";
import type { ReleaseStatement } from "../../../schemas/types/statement.js";
import { temporaryFolder, treeOf } from "../sample.js";
import { writtenRelease } from "./releases.js";

const FILE = "provenance.intoto.json";
const SOME = ["ambiqt", "ambrosia"];
let whole = "";
let open = "";
beforeAll(async () => {
  whole = await writtenRelease({}, SOME);
  open = await writtenRelease({ publicOnly: true }, SOME);
});

const read = (folder: string): ReleaseStatement =>
  JSON.parse(readFileSync(join(folder, FILE), "utf8")) as ReleaseStatement;

/**
 * What a verifier does by in-toto's attestation rules (spec/v1/statement.md): the types must be known, and an artefact is a
 * subject when its digest is. Gives the files that are none, and the subjects that no file is.
 */
function verify(folder: string): { strangers: string[]; lost: string[] } {
  const { _type, predicateType, subject } = read(folder);
  expect(_type).toBe("https://in-toto.io/Statement/v1");
  expect(predicateType).toBe("https://slsa.dev/provenance/v1");
  const { [SUMS_FILE]: _s, [FILE]: _f, ...files } = treeOf(folder);
  const attested = new Map(subject.map(({ name, digest }) => [name, digest.sha256]));
  return {
    strangers: Object.entries(files)
      .filter(([name, sha256]) => attested.get(name) !== sha256)
      .map(([name]) => name),
    lost: [...attested.keys()].filter((name) => files[name] === undefined),
  };
}

describe("the statement of a release", () => {
  it("obeys its schema and the fields that in-toto and SLSA require", () => {
    for (const folder of [whole, open]) {
      const statement = read(folder);
      expect(schemaFaults("statement", statement)).toEqual([]);
      const { buildDefinition, runDetails } = statement.predicate;
      // slsa.dev/spec/v1.0/provenance: required at build level 1.
      expect(buildDefinition.buildType).toMatch(/^https:/);
      expect(runDetails.builder.id).toMatch(/^https:/);
      expect(buildDefinition.externalParameters.version).toBe("1.2.3");
      // spec/v1/resource_descriptor.md: one of uri, digest, content; names should tell descriptors apart.
      const names = buildDefinition.resolvedDependencies.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(new Set(statement.subject.map(({ name }) => name)).size).toBe(statement.subject.length);
    }
  });

  it("names every file but itself and SHA256SUMS by its true digest, and SHA256SUMS lists it", () => {
    for (const folder of [whole, open]) {
      expect(verify(folder)).toEqual({ strangers: [], lost: [] });
      expect(read(folder).subject).toHaveLength(filesBelow(folder).length - 1);
      const sha256 = createHash("sha256")
        .update(readFileSync(join(folder, FILE)))
        .digest("hex");
      expect(readFileSync(join(folder, SUMS_FILE), "utf8")).toContain(`${sha256}  ${FILE}\n`);
    }
  });

  it("names each source file that the builds read, and never their seed", () => {
    const locks = JSON.parse(readFileSync(join(whole, "lock.json"), "utf8")) as Record<string, BuildLock>;
    const dependencies = read(whole).predicate.buildDefinition.resolvedDependencies;
    const named = new Map(dependencies.map(({ name, digest }) => [name, digest?.sha256]));
    for (const { source, source_version, inputs } of Object.values(locks)) {
      expect(Object.keys(inputs).length).toBeGreaterThan(2);
      for (const [path, sha256] of Object.entries(inputs))
        expect(named.get(`${source}/${path}`)).toBe(sha256);
      const itself = dependencies.find(({ name }) => name === source);
      expect(itself?.annotations).toEqual({ source_version });
    }
    for (const folder of [whole, open])
      expect(readFileSync(join(folder, FILE), "utf8")).not.toContain("seed");
    // The lock is private, and so is what it says of each file.
    expect(read(open).predicate.buildDefinition.resolvedDependencies.map(({ name }) => name)).toEqual(SOME);
  });

  it("notices a changed, a new and a lost file, also where SHA256SUMS was made anew", async () => {
    const copy = join(temporaryFolder(), "copy");
    cpSync(whole, copy, { recursive: true });
    const changed = "public/ambiqt/all.jsonl";
    appendFileSync(join(copy, changed), "\n");
    writeFileSync(join(copy, "new é.txt"), "new");
    const statement = read(copy);
    const [first] = statement.subject;
    statement.subject.push({ name: "gone.txt", digest: first.digest });
    chmodSync(join(copy, FILE), 0o644);
    writeFileSync(join(copy, FILE), JSON.stringify(statement));
    expect(verify(copy)).toEqual({ strangers: ["new é.txt", changed], lost: ["gone.txt"] });
    writeFileSync(join(copy, SUMS_FILE), await checksums(copy));
    const findings = (await auditRelease(openSuite(copy))).filter(({ code }) => code === "statement");
    expect(findings.map(({ place, severity }) => [place, severity])).toEqual([
      ["new é.txt", "error"],
      [changed, "error"],
      ["gone.txt", "error"],
    ]);
  });

  it("passes the audit where nothing was done to the release", async () => {
    const errors = (await auditRelease(openSuite(whole))).filter(({ severity }) => severity === "error");
    expect(errors).toEqual([]);
  });
});
