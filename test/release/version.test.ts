import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldIsDeclared } from "../../pipelines/record/schema-order.js";
import type { DatasetDiff } from "../../pipelines/release/diff/suites.js";
import {
  compareVersions,
  parseVersion,
  type Version,
  versionText,
} from "../../pipelines/release/version/semver.js";
import {
  largest,
  leastVersion,
  reasonsOf,
  type Step,
  stepsFarEnough,
} from "../../pipelines/release/version/steps.js";

function version(text: string): Version {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is no version`);
  return parsed;
}

describe("versions", () => {
  it("stand in the order that semantic versioning gives as its example", () => {
    const inOrder = [
      "0.9.10",
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
      "2.0.0",
      "2.1.0",
      "2.1.1",
      "99999999999999999999.0.0",
    ].map(version);
    for (const [at, one] of inOrder.entries())
      for (const [other, two] of inOrder.entries())
        expect(Math.sign(compareVersions(one, two))).toBe(Math.sign(at - other));
  });

  it("are written as they were read", () => {
    const number = fc.nat().map(String);
    const identifier = fc.oneof(number, fc.stringMatching(/^[0-9A-Za-z-]*[A-Za-z-][0-9A-Za-z-]*$/));
    const pre = fc
      .array(identifier, { maxLength: 3 })
      .map((all) => (all.length > 0 ? `-${all.join(".")}` : ""));
    const texts = fc.tuple(number, number, number, pre).map(([a, b, c, d]) => `${a}.${b}.${c}${d}`);
    fc.assert(
      fc.property(
        texts.filter(({ length }) => length < 200),
        (text) => versionText(version(text)) === text,
      ),
    );
  });

  it.each([
    "1.0",
    "1.0.0.0",
    "01.0.0",
    "1.0.0-01",
    "1.0.0-",
    "1.0.0+build",
    "1.0.0-a_b",
    `1.0.0-${"a".repeat(300)}`,
  ])("are not %j", (text) => expect(parseVersion(text)).toBeUndefined());
});

describe("a step", () => {
  const leads = (base: string, step: Step): string => versionText(leastVersion(version(base), step));

  it("leads to the least version that names it; below 1.0.0 to one place lower", () => {
    expect([leads("1.2.3", "major"), leads("1.2.3", "minor"), leads("1.2.3", "patch")]).toEqual([
      "2.0.0",
      "1.3.0",
      "1.2.4",
    ]);
    expect([leads("0.2.3", "major"), leads("0.2.3", "minor"), leads("0.2.3", "patch")]).toEqual([
      "0.3.0",
      "0.2.4",
      "0.2.4",
    ]);
  });

  it("binds a pre-release by the version that it leads to", () => {
    const base = version("1.2.3");
    const far = (text: string, step: Step): boolean => stepsFarEnough(version(text), base, step);
    expect([far("1.3.0-rc.1", "minor"), far("1.2.4-rc.1", "minor")]).toEqual([true, false]);
    expect([far("2.0.0-rc.1", "major"), far("1.9.0", "major"), far("3.0.0", "major")]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe("the step that a difference asks for", () => {
  const both = { before: true, after: true };
  const none = { before: 1, after: 1, added: [], removed: [], changed: [] };
  const diff = (parts: { records?: object; databases?: object }): DatasetDiff => ({
    dataset: "ambiqt",
    zones: ["public", "oracle", "verifier", "provenance"],
    records: { ...none, ...parts.records },
    databases: { ...none, ...parts.databases },
  });
  const step = (parts: { records?: object; databases?: object }, known: string[] = []): Step =>
    largest(reasonsOf(diff(parts), both, new Set(known)).map((one) => one.step));
  const changed = (path: string, before: unknown, after: unknown) => ({
    records: { changed: [{ key: "r", fields: [{ path, before, after }] }] },
  });

  it("is a major one where something is gone or means something else", () => {
    expect(step({ records: { removed: ["r"] } })).toBe("major");
    expect(step({ databases: { removed: ["a.sqlite"] } })).toBe("major");
    for (const path of [
      "public.request",
      "oracle.ambiguities[0].response",
      "verifier.reference_sql[0]",
      "split",
    ])
      expect(step(changed(path, "a", "b")), path).toBe("major");
    expect(step(changed("oracle.ambiguities[1]", undefined, {}))).toBe("major");
    expect(step(changed('public.column_meanings["t.c"]', undefined, "x"))).toBe("major");
    expect(step(changed("provenance_like", "a", "b"))).toBe("major");
    expect(step({ databases: { changed: [{ path: "a", tables: [{ table: "t" }] }] } })).toBe("major");
    expect(step({ databases: { changed: [{ path: "a.sql.gz", tables: [], problem: "a dump" }] } })).toBe(
      "major",
    );
    expect(step(changed("schema_version", "1.2.0", "2.0.0"))).toBe("major");
    expect(step(changed("schema_version", "1.2.0", "1.1.0"))).toBe("major");
    const gone = reasonsOf(diff({}), { before: true, after: false }, new Set());
    expect(gone).toMatchObject([{ step: "major", what: ["dataset", "removed"] }]);
  });

  it("is a minor one where something was added", () => {
    expect(step({ records: { added: ["r"] } })).toBe("minor");
    expect(step({ databases: { added: ["a.sqlite"] } })).toBe("minor");
    expect(step(changed("schema_version", "1.2.0", "1.3.0"))).toBe("minor");
    const came = reasonsOf(diff({}), { before: false, after: true }, new Set());
    expect(came).toMatchObject([{ step: "minor", what: ["dataset", "added"] }]);
    expect(step(changed("oracle.ambiguities[0].sql_snippet", undefined, "x"))).toBe("minor");
  });

  it("takes a field that other records had for a change of the record that has it now", () => {
    const field = changed("oracle.ambiguities[0].sql_snippet", undefined, "x");
    expect(step(field, ["oracle.ambiguities[].sql_snippet"])).toBe("major");
  });

  it("is a patch for provenance and for other bytes of the same tables", () => {
    expect(step(changed("provenance.notes[0]", "a", "b"))).toBe("patch");
    expect(step({ databases: { changed: [{ path: "a.sqlite", tables: [] }] } })).toBe("patch");
    expect(step({})).toBe("patch");
  });
});

describe("fields that a schema names", () => {
  it("are told from items of lists and keys of dictionaries", () => {
    const declared = (path: string): boolean => fieldIsDeclared("record", path);
    expect(["split", "public.request", "oracle.ambiguities[3].term"].map(declared)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      [
        "oracle.ambiguities[3]",
        "public.column_meanings.a",
        'public.column_meanings["a.b"]',
        "verifier.follow_up.x",
      ].map(declared),
    ).toEqual([false, false, false, false]);
  });
});
