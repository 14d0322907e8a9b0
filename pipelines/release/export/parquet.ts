import { closeSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { PACKAGE_VERSION } from "../../package-root.js";
import { RECORD_SCHEMA_VERSION } from "../../record/version.js";
import { recordFields, type ShapeField } from "../record-shape.js";
import type { ChosenDataset } from "./chosen.js";
import { type Cell, parquetRow, parquetSchema } from "./parquet-columns.js";
import type { Written } from "./written.js";

/** Rows that are held before they are written: a record of BIRD has up to a hundred kilobytes of column meanings. */
const ROW_GROUP = 500;

/** One Parquet file in the making. */
class ParquetFile {
  readonly #path: string;
  readonly #fields: readonly ShapeField[];
  readonly #writer: ParquetWriter;
  #rows: { [name: string]: Cell }[] = [];
  records = 0;

  constructor(path: string, fields: readonly ShapeField[], about: Readonly<Record<string, string>>) {
    this.#path = path;
    this.#fields = fields;
    this.#writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: parquetSchema(fields),
      createdBy: `ambitab version ${PACKAGE_VERSION}`,
      kvMetadata: Object.entries(about).map(([key, value]) => ({ key: `ambitab.${key}`, value })),
    });
  }

  async add(row: { [name: string]: Cell }): Promise<void> {
    this.#rows.push(row);
    this.records += 1;
    if (this.#rows.length >= ROW_GROUP) await this.#flush();
  }

  async #flush(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    const columnData = this.#fields.map(({ name }) => ({ name, data: rows.map((row) => row[name]) }));
    await this.#writer.write({ columnData, rowGroupSize: ROW_GROUP });
  }

  /** Writes what is left and makes the file durable. */
  async close(): Promise<void> {
    if (this.#rows.length > 0) await this.#flush();
    await this.#writer.finish();
    const handle = openSync(this.#path, "r");
    fsyncSync(handle);
    closeSync(handle);
  }
}

/** One Parquet file a split, the zones joined; its columns are the schema's, whatever the records hold. */
export async function writeParquet(work: string, chosen: ChosenDataset): Promise<Written> {
  const { dataset, zones } = chosen;
  mkdirSync(join(work, dataset), { recursive: true });
  const fields = recordFields(zones);
  const files = new Map<string, ParquetFile>();
  for await (const { record, file, line } of chosen.records()) {
    const path = `${dataset}/${record.split}.parquet`;
    let open = files.get(path);
    if (open === undefined) {
      const about = { dataset, split: record.split, record_schema: RECORD_SCHEMA_VERSION };
      open = new ParquetFile(join(work, path), fields, about);
      files.set(path, open);
    }
    await open.add(parquetRow(record, fields, { file, line }));
  }
  for (const open of files.values()) await open.close();
  return { records: new Map([...files].map(([path, { records }]) => [path, records])), left_out: {} };
}
