import { describe, expect, it } from "vitest";
import { schemaFaults } from "../../pipelines/record/check-schema.js";
import * as views from "../../pipelines/record/views.js";
import {
  agentView,
  matcherView,
  oracleScopeOf,
  oracleVariantOf,
  oracleView,
  responderView,
  type SchemaTable,
  scorerView,
  scriptView,
  syntheticSolverView,
  verifierView,
} from "../../pipelines/record/views.js";
import type { Dataset, TaskRecord } from "../../schemas/types/record.js";
import { canaryRecord, fieldsIn } from "./canary-record.js";

const SCHEMA: SchemaTable[] = [
  {
    name: "singer",
    columns: [{ name: "name", type: "TEXT", key: false }],
    foreign_keys: [{ columns: ["a"], table: "b", to: ["c"] }],
    examples: { name: ["Joe"] },
  },
];

const { record, tokens, fixed } = canaryRecord({ verifiable: false });
const pub = (name: string): string => `public.${name}`;
const amb = (name: string): string => `oracle.ambiguities.*.${name}`;
const ver = (name: string): string => `verifier.${name}`;

const scoped: TaskRecord = { ...record, dataset: "taco" };
const unfiltered: TaskRecord = { ...record, dataset: "ew-bird" };
const KNOWLEDGE = ["id", "name", "description", "definition"].map((name) =>
  pub(`external_knowledge.*.${name}`),
);
const ROUTING = [amb("ambiguity_id"), amb("term"), amb("aliases.*")];
const ANNOTATIONS = [...ROUTING, amb("resolution"), amb("response")];
const GROUNDING = [ver("reference_sql.*"), amb("sql_snippet")];
const CONTEXT = [
  ...ANNOTATIONS,
  pub("request"),
  pub("database.database_id"),
  pub("column_meanings.*"),
  ...KNOWLEDGE,
  "oracle.clear_request",
  "oracle.withheld_evidence",
];

/** Every view there is, and the fields that its reader is entitled to: these and no others. */
const VIEWS: [name: string, view: object, entitled: string[]][] = [
  [
    "agent",
    agentView(record, "task-7", SCHEMA),
    [
      pub("request"),
      pub("database.database_id"),
      pub("column_meanings.*"),
      ...["id", "name", "description", "definition"].map((name) => pub(`external_knowledge.*.${name}`)),
    ],
  ],
  [
    "oracle, intent",
    oracleView(record, "intent"),
    [amb("ambiguity_id"), amb("term"), amb("aliases.*"), amb("response")],
  ],
  [
    "oracle, knowledge",
    oracleView(record, "knowledge"),
    [amb("ambiguity_id"), amb("term"), amb("concepts.*"), amb("resolution")],
  ],
  ["matcher of a scoped model oracle", matcherView(scoped), ROUTING],
  [
    "matcher of an unfiltered model oracle",
    matcherView(unfiltered),
    [...ANNOTATIONS, pub("request"), ...KNOWLEDGE, "oracle.withheld_evidence", ver("reference_sql.*")],
  ],
  ["responder of a scoped model oracle", responderView(scoped, "hidden", SCHEMA), ANNOTATIONS],
  [
    "responder of a scoped model oracle, with SQL",
    responderView(scoped, "shown", SCHEMA),
    [...ANNOTATIONS, ...GROUNDING, pub("database.database_id")],
  ],
  ["responder of an unfiltered model oracle", responderView(unfiltered, "hidden", SCHEMA), CONTEXT],
  [
    "responder of an unfiltered model oracle, with SQL",
    responderView(unfiltered, "shown", SCHEMA),
    [...CONTEXT, ...GROUNDING],
  ],
  [
    "verifier",
    verifierView(record),
    [
      pub("database.path"),
      ver("reference_sql.*"),
      ver("setup_sql.*"),
      ver("cleanup_sql.*"),
      ver("test_cases.*"),
    ],
  ],
  [
    "synthetic solver",
    syntheticSolverView(record),
    [ver("reference_sql.*"), ver("alternative_sql.*"), amb("response"), amb("resolution")],
  ],
  ["script", scriptView(record), [amb("term")]],
  ["scorer", scorerView(record), [amb("ambiguity_id"), amb("term"), amb("aliases.*")]],
];

describe("the canary record", () => {
  it("obeys the schema and has a token, no other's part, in every field that can hold one", () => {
    expect(schemaFaults("record", record)).toEqual([]);
    const all = [...tokens.values()];
    for (const [path, token] of tokens) {
      expect(all.filter((other) => `${other}"`.includes(`${token}"`)).length, path).toBe(1);
    }
    expect(fieldsIn(record, tokens)).toEqual([...tokens.keys()]);
    // A field that no token fits into must be known here, so that a new one is looked at.
    expect(fixed).toEqual([
      "schema_version",
      "dataset",
      "split",
      "public.database.engine",
      amb("kind"),
      amb("counts"),
      amb("response_status"),
      "verifier.comparison.policy",
      "verifier.comparison.ordered",
      "verifier.verifiable",
      "verifier.success",
      "verifier.category",
      "provenance.source",
    ]);
  });
});

describe("the access boundary", () => {
  for (const [name, view, entitled] of VIEWS) {
    it(`shows the ${name} view's reader what it is entitled to, and no other field`, () => {
      expect(fieldsIn(view, tokens).sort()).toEqual([...entitled].sort());
    });
  }

  it("shows an agent nothing of the private zones, of the record's name or of its siblings", () => {
    const seen = fieldsIn(agentView(record, "task-7", SCHEMA), tokens);
    expect(seen.filter((path) => !path.startsWith("public."))).toEqual([]);
    expect(Object.keys(agentView(record, "task-7", SCHEMA)).sort()).toEqual(
      [
        "handle",
        "request",
        "engine",
        "database_id",
        "schema",
        "column_meanings",
        "external_knowledge",
      ].sort(),
    );
  });

  it("gives the same agent view for every reading of a request", () => {
    const { record: sibling } = canaryRecord({ verifiable: true });
    sibling.record_id += "#2";
    sibling.oracle.ambiguities = [];
    sibling.verifier.reference_sql = ["SELECT 'the other reading'"];
    sibling.provenance.row = 1;
    expect(agentView(sibling, "task-7", SCHEMA)).toEqual(agentView(record, "task-7", SCHEMA));
  });

  it("knows every function of the module that makes a view", () => {
    const makers = Object.keys(views).filter((name) => name.endsWith("View"));
    expect(makers.sort()).toEqual(
      [
        "agentView",
        "matcherView",
        "oracleView",
        "responderView",
        "scorerView",
        "scriptView",
        "syntheticSolverView",
        "verifierView",
      ].sort(),
    );
  });

  it("leaves out of a view what a variant may not read, rather than emptying it", () => {
    const [intent] = oracleView(record, "intent").ambiguities;
    expect(Object.keys(intent ?? {}).sort()).toEqual(
      ["aliases", "ambiguity_id", "counts", "response", "term"].sort(),
    );
    const [knowledge] = oracleView(record, "knowledge").ambiguities;
    expect(knowledge).not.toHaveProperty("response");
    expect(knowledge?.aliases).toEqual([]);
  });

  it("shows no matcher more for showing the responder the SQL, and no scoped responder a schema without it", () => {
    expect(matcherView(scoped)).not.toHaveProperty("reference_sql");
    expect(responderView(scoped, "hidden", SCHEMA)).toMatchObject({ sql: undefined, database: undefined });
    expect(responderView(scoped, "shown", SCHEMA)).toMatchObject({ database: { schema: SCHEMA } });
    expect(responderView(unfiltered, "hidden", SCHEMA)).toMatchObject({
      sql: undefined,
      database: { schema: SCHEMA },
    });
  });

  it("chooses the model oracle by dataset", () => {
    const datasets: Dataset[] = ["bird", "ew-bird", "bird-interact", "ambrosia", "ambiqt", "taco"];
    expect(datasets.filter((name) => oracleScopeOf(name) === "unfiltered")).toEqual(["bird", "ew-bird"]);
  });

  it("chooses the variant by dataset", () => {
    const datasets: Dataset[] = ["bird", "ew-bird", "bird-interact", "ambrosia", "ambiqt", "taco"];
    expect(datasets.map(oracleVariantOf)).toEqual([
      "knowledge",
      "knowledge",
      "intent",
      "intent",
      "intent",
      "intent",
    ]);
  });
});

/** Every object in a value, the value itself included. */
function objectsIn(value: unknown): object[] {
  if (value === null || typeof value !== "object") return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

describe("a view", () => {
  const ours = new Set([...objectsIn(record), ...objectsIn(SCHEMA)]);
  for (const [name, view] of VIEWS) {
    it(`of the ${name} is frozen to the bottom and shares nothing with the record`, () => {
      for (const one of objectsIn(view)) {
        expect(Object.isFrozen(one)).toBe(true);
        expect(ours.has(one)).toBe(false);
      }
    });
  }

  it("leaves the record itself free and unchanged", () => {
    const { record: fresh } = canaryRecord({ verifiable: false });
    expect(record).toEqual(fresh);
    expect(objectsIn(record).some((one) => Object.isFrozen(one))).toBe(false);
  });

  it("does not follow later changes of the record", () => {
    const { record: changing } = canaryRecord({ verifiable: false });
    const view = oracleView(changing, "intent");
    const before = JSON.stringify(view);
    for (const one of changing.oracle.ambiguities) one.aliases.push("later");
    expect(JSON.stringify(view)).toBe(before);
  });
});
