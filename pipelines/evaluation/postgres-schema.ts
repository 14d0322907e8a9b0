import { SourceError } from "../errors.js";
import type { SchemaTable } from "../record/views.js";
import { type Cell, quoteIdentifier, renderCell, type TableDescription } from "../sql/index.js";
import type { PostgresOnDemand } from "../sql/postgres/on-demand.js";

/** Values shown per column, the longest one that is shown, and the rows that are looked at. */
const EXAMPLES = 3;
const LONGEST_EXAMPLE = 40;
const LOOKED_AT = 200;

/** A cell for the reader's eyes, or undefined for what is not shown: NULL, bytes, long texts. */
function exampleOf(cell: Cell): string | undefined {
  if (cell === null || cell[0] === "b") return undefined;
  // CHAR(n) comes padded.
  const text = cell[0] === "o" || cell[0] === "a" ? renderCell(cell) : cell.slice(1).trimEnd();
  return text.length <= LONGEST_EXAMPLE ? text : undefined;
}

function tableOf(table: TableDescription, rows: readonly (readonly Cell[])[]): SchemaTable {
  const examples = new Map<string, string[]>();
  for (const [at, { name }] of table.columns.entries()) {
    const shown = rows.map((row) => exampleOf(row[at] ?? null)).filter((value) => value !== undefined);
    examples.set(name, [...new Set(shown)].slice(0, EXAMPLES));
  }
  return {
    name: table.name,
    columns: table.columns.map(({ name, type, primary_key }) => ({
      name,
      type,
      key: primary_key > 0 || table.foreign_keys.some(({ columns }) => columns.includes(name)),
    })),
    foreign_keys: table.foreign_keys.map(({ columns, table: to, references }) => ({
      columns,
      table: to,
      to: references ?? [],
    })),
    examples: Object.fromEntries(examples),
  };
}

/**
 * The schema of a dump's database as an agent may see it, with a few values per column, the first distinct ones in the
 * table's own order. A dump that is missing or does not load has no schema; the verifier says so of its every record.
 */
export async function schemaOnPostgres(postgres: PostgresOnDemand, dump: string): Promise<SchemaTable[]> {
  try {
    const { template } = await postgres.template(dump);
    const server = await postgres.server();
    return await server.withDatabase(template, "rollback", async (session) => {
      const tables: SchemaTable[] = [];
      for (const table of server.describe(template).tables) {
        const columns = table.columns.map(({ name }) => quoteIdentifier(name)).join(", ");
        const from = table.name.split(".").map(quoteIdentifier).join(".");
        const read = await session.exec(`SELECT ${columns} FROM ${from} LIMIT ${LOOKED_AT}`);
        tables.push(tableOf(table, read.outcome === "rows" ? read.rows : []));
      }
      return tables;
    });
  } catch (error) {
    if (error instanceof SourceError) return [];
    throw error;
  }
}
