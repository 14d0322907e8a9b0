/** Version of the record's schema (spec 1): fields added, renamed or removed change it by semantic versioning. */
export const RECORD_SCHEMA_VERSION = "1.0.0";

/** Whether this code can read a file of that schema version: its own major version, and no other. */
export function readsSchemaVersion(version: string): boolean {
  return version.split(".")[0] === RECORD_SCHEMA_VERSION.split(".")[0];
}
