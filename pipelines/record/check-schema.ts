import { createRequire } from "node:module";
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { TaskRecord } from "../../schemas/types/record.js";
import { loadSchema } from "./schema-order.js";

const load = createRequire(import.meta.url);
const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  let validator = validators.get(name);
  if (validator === undefined) {
    // Loaded here, because it takes as long as all the rest of a command that never checks a schema.
    const { Ajv2020 } = load("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
    const ajv = new Ajv2020({
      allErrors: true,
      // A test holds the schemas against JSON Schema itself; doing it in every run would take longer than compiling them.
      validateSchema: false,
      strict: true,
      strictRequired: false,
      strictTypes: false,
      allowUnionTypes: true,
    });
    validator = ajv.compile(loadSchema(name));
    validators.set(name, validator);
  }
  return validator;
}

const describe = (error: ErrorObject): string => {
  const field = error.instancePath === "" ? "the object" : error.instancePath.slice(1).replaceAll("/", ".");
  const allowed = error.keyword === "enum" ? ` (${(error.params.allowedValues as string[]).join(", ")})` : "";
  const extra =
    error.keyword === "additionalProperties" ? ` "${String(error.params.additionalProperty)}"` : "";
  return `${field} ${error.message ?? "is not valid"}${extra}${allowed}`;
};

/** What a value breaks of `schemas/<name>.schema.json`, one sentence a fault. Empty: it obeys. */
export function schemaFaults(name: string, value: unknown): string[] {
  const validator = validatorOf(name);
  return validator(value) ? [] : (validator.errors ?? []).map(describe);
}

/** Throws when a record of our own making breaks the schema: always a bug of a pipeline. */
export function assertRecord(record: TaskRecord): void {
  const faults = schemaFaults("record", record);
  if (faults.length > 0)
    throw new Error(`record ${record.record_id} breaks the record schema: ${faults.join("; ")}`);
}
