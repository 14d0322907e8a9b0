import type pg from "pg";
import type { Row } from "../cell.js";
import { type CellDecoder, decoderFromFacts, type TypeFacts } from "./cells.js";
import type { Collected } from "./statement.js";

/**
 * Gives the columns whose types are the database's own their cells: until now they hold the server's text. The session
 * itself is asked, because a type may have been made in its transaction. Names are qualified: its search path may be
 * anything.
 */
export async function resolveTypes(client: pg.Client, { rows, unknown }: Collected): Promise<Row[]> {
  if (unknown.size === 0 || rows.length === 0) return rows;
  const { rows: facts } = await client.query<TypeFacts>(
    `SELECT oid::pg_catalog.int8::pg_catalog.int4 AS oid, typcategory OPERATOR(pg_catalog.=) 'A' AS "array",
       typelem::pg_catalog.int8::pg_catalog.int4 AS element, typdelim::pg_catalog.text AS delimiter
     FROM pg_catalog.pg_type WHERE oid OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.oid[])`,
    [[...new Set(unknown.values())]],
  );
  const byOid = new Map(facts.map((one) => [one.oid, one]));
  const decoders = new Map<number, CellDecoder>();
  for (const [at, oid] of unknown) {
    if (byOid.get(oid)?.array === true) decoders.set(at, decoderFromFacts(byOid.get(oid)));
  }
  if (decoders.size === 0) return rows;
  return rows.map((row) =>
    row.map((cell, at) => {
      const decoder = decoders.get(at);
      return cell === null || decoder === undefined ? cell : decoder(cell.slice(1));
    }),
  );
}
