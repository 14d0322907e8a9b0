import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, openReadOnly } from "./open.js";

export type { Connection };

/** Opens a database for a moment; see openReadOnly for what is thrown. */
export function withDatabase<Result>(path: string, use: (connection: Connection) => Result): Result {
  // Only named: it is made for a database in WAL mode alone, and a build describes hundreds of others.
  const scratch = join(tmpdir(), `ambitab-read-${randomUUID()}`);
  try {
    const database = openReadOnly(path, scratch);
    try {
      return use(database.connection);
    } finally {
      database.close();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
