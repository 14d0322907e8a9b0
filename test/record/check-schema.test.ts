import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../../pipelines/package-root.js";
import { assertRecord, schemaFaults } from "../../pipelines/record/check-schema.js";
import { readsSchemaVersion } from "../../pipelines/record/version.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { canaryRecord } from "./canary-record.js";

const faultsOf = (change: (record: TaskRecord) => void): string => {
  const { record } = canaryRecord({ verifiable: true });
  change(record);
  return schemaFaults("record", record).join("\n");
};
/** Writes past the types, as a file from elsewhere would be. */
const set = (target: object, key: string, value: unknown): void => void Reflect.set(target, key, value);

describe("schemaFaults", () => {
  it("finds none in a record that obeys", () => {
    expect(faultsOf(() => undefined)).toBe("");
  });

  const cases: [string, (record: TaskRecord) => void, RegExp][] = [
    ["a missing zone", (r) => void Reflect.deleteProperty(r, "oracle"), /oracle/],
    [
      "a missing field, by its path",
      (r) => void Reflect.deleteProperty(r.public, "request"),
      /public .*request/,
    ],
    ["a wrong type", (r) => set(r.provenance, "row", "17"), /provenance\.row must be integer/],
    ["a negative row", (r) => set(r.provenance, "row", -1), /provenance\.row/],
    ["an unknown field, by name", (r) => set(r.public, "hint", "x"), /public .*"hint"/],
    ["a dataset that is no name", (r) => set(r, "dataset", "../spider"), /dataset must match pattern/],
    [
      "a source that is no name",
      (r) => set(r.provenance, "source", "Bird 1"),
      /provenance\.source must match/,
    ],
    ["an unknown kind", (r) => set(r.oracle.ambiguities[0] ?? {}, "kind", "x"), /ambiguities\.0\.kind/],
    ["an empty request", (r) => set(r.public, "request", ""), /public\.request/],
    ["an id with a line break", (r) => set(r, "record_id", "a\nb"), /record_id/],
    ["an id that begins with a space", (r) => set(r, "record_id", " a"), /record_id/],
    ["a hash that is none", (r) => set(r.provenance, "file_sha256", "abc"), /file_sha256/],
    ["an absolute database path", (r) => set(r.public.database, "path", "/etc/passwd"), /database\.path/],
    ["a path that climbs out", (r) => set(r.public.database, "path", "a/../../b"), /database\.path/],
    ["a path that is only a climb", (r) => set(r.public.database, "path", ".."), /database\.path/],
    ["a slice twice", (r) => set(r, "slices", ["a", "a"]), /slices/],
    ["no reference where there should be one", (r) => set(r.verifier, "reference_sql", []), /reference_sql/],
    [
      "an unverifiable record that does not say why",
      (r) => {
        r.verifier.verifiable = false;
        Reflect.deleteProperty(r.verifier, "not_verifiable");
      },
      /not_verifiable/,
    ],
  ];
  for (const [what, change, expected] of cases) {
    it(`names ${what}`, () => {
      expect(faultsOf(change)).toMatch(expected);
    });
  }

  it("names every fault of a record, not only the first", () => {
    const faults = faultsOf((record) => {
      set(record.public, "request", 1);
      set(record.provenance, "row", "x");
      set(record, "split", "test");
    });
    expect(faults.split("\n").length).toBeGreaterThanOrEqual(3);
  });

  it("takes a path that only looks like a climb", () => {
    expect(faultsOf((record) => set(record.public.database, "path", "a..b/..c/d.."))).toBe("");
  });

  it("stops a record of our own making that breaks the schema, by id", () => {
    const { record } = canaryRecord({ verifiable: true });
    record.public.request = "";
    expect(() => assertRecord(record)).toThrow(record.record_id);
  });
});

describe("the schemas", () => {
  const names = readdirSync(join(PACKAGE_ROOT, "schemas")).filter((name) => name.endsWith(".schema.json"));
  for (const name of names) {
    it(`${name} is a JSON Schema of draft 2020-12`, () => {
      const schema = JSON.parse(readFileSync(join(PACKAGE_ROOT, "schemas", name), "utf8")) as {
        $schema: string;
      };
      expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
      const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
    });
  }
});

describe("schema versions", () => {
  it("are read within the same major version only", () => {
    expect(["1.0.0", "1.9.3"].map(readsSchemaVersion)).toEqual([true, true]);
    expect(["2.0.0", "0.9.0", "10.0.0", "", "x"].map(readsSchemaVersion)).toEqual(Array(5).fill(false));
  });
});
