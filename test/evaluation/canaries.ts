import type { TaskRecord } from "../../schemas/types/record.js";

/** Fields that say how to read the others: a canary in them would be no record any more. */
const CLOSED = new Set(["kind", "response_status", "policy", "success", "category"]);
/** A record with a token of its own in every private text, optional fields included; and token → field. */
export function withCanaries(
  record: TaskRecord,
  number: number,
): { record: TaskRecord; tokens: Map<string, string> } {
  const tokens = new Map<string, string>();
  const token = (field: string): string => {
    const name = `zqcanary${number}x${tokens.size}zq`;
    tokens.set(name, field);
    return name;
  };
  const plant = (value: unknown, path: string): unknown => {
    const field = path.split(".").at(-1)!;
    if (typeof value === "string") {
      if (CLOSED.has(field)) return value;
      // SQL must still run, and the hidden reading must still be what it is.
      return path.includes("_sql") ? `${value} /* ${token(path)} */` : `${value} ${token(path)}`;
    }
    if (Array.isArray(value)) return value.map((one) => plant(one, path));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plant(one, `${path}.${key}`)]));
  };
  const { oracle, verifier, provenance } = record;
  const full = {
    oracle: {
      clear_request: "clear",
      withheld_evidence: "evidence",
      ambiguities: oracle.ambiguities.map((one) => ({
        concepts: ["concept"],
        sql_snippet: "snippet",
        ...one,
      })),
    },
    verifier: {
      ...verifier,
      setup_sql: ["SELECT 1"],
      cleanup_sql: ["SELECT 2"],
      test_cases: ["test"],
      follow_up: { query: "next" },
    },
    provenance: { notes: ["note"], ...provenance },
  };
  return { record: { ...record, ...(plant(full, "record") as typeof full) } as TaskRecord, tokens };
}
