/**
 * Parquet's columns for a record, made of the record's schema alone: each dataset and split has the same columns with the
 * same types, also where all values are null, so that files can be read together and none changes its type in the next
 * version.
 *
 * The columns are nested as the record is (`public.request` is a member of the group `public`), because Arrow, DuckDB and
 * the `datasets` library read groups and lists as such, and flat names would hide which zone a field belongs to. Two shapes
 * have no stable group: an object of changing keys (column meanings) is a list of `key` and `value`, since a Parquet map is
 * refused by `datasets`; an object whose form the source decides (a follow-up) is its JSON text.
 */
import type { ParquetWriter } from "hyparquet-writer";
import { SourceError, type SourcePlace } from "../../errors.js";
import type { Shape, ShapeField } from "../record-shape.js";

/** One element of a Parquet schema, as the writer takes it. */
type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]["schema"][number];

type Repetition = "REQUIRED" | "OPTIONAL";

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;

function group(
  name: string,
  repetition_type: Repetition | "REPEATED",
  children: SchemaElement[][],
): SchemaElement[] {
  return [{ name, repetition_type, num_children: children.length }, ...children.flat()];
}

/** The three levels that Parquet's rules ask of a list (LogicalTypes.md, "Lists"). */
function list(name: string, repetition_type: Repetition, element: SchemaElement[]): SchemaElement[] {
  return [
    { name, repetition_type, converted_type: "LIST", logical_type: { type: "LIST" }, num_children: 1 },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    ...element,
  ];
}

function elements(name: string, shape: Shape, repetition_type: Repetition): SchemaElement[] {
  switch (shape.kind) {
    case "text":
    case "free":
      return [{ name, repetition_type, ...TEXT }];
    case "integer":
      return [{ name, repetition_type, type: "INT64" }];
    case "boolean":
      return [{ name, repetition_type, type: "BOOLEAN" }];
    case "object":
      return group(name, repetition_type, shape.fields.map(fieldElements));
    case "list":
      return list(name, repetition_type, elements("element", shape.of, "REQUIRED"));
    case "map": {
      const entry = [elements("key", { kind: "text" }, "REQUIRED"), elements("value", shape.of, "REQUIRED")];
      return list(name, repetition_type, group("element", "REQUIRED", entry));
    }
  }
}

const fieldElements = ({ name, shape, required }: ShapeField): SchemaElement[] =>
  elements(name, shape, required ? "REQUIRED" : "OPTIONAL");

/** The file's schema. */
export const parquetSchema = (fields: readonly ShapeField[]): SchemaElement[] => [
  { name: "record", num_children: fields.length },
  ...fields.flatMap(fieldElements),
];

/** A value as the Parquet writer takes it. */
export type Cell = null | string | boolean | bigint | Cell[] | { [name: string]: Cell };

const compareCodeUnits = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

/** Turns records into cells. What the schema does not foresee is an error with its place: nothing may be lost on the way. */
class Converter {
  readonly #place: SourcePlace;
  constructor(place: SourcePlace) {
    this.#place = place;
  }

  #wrong(field: string, expected: string): SourceError {
    return new SourceError({ ...this.#place, field }, `expected ${expected}, as the record schema has it`);
  }

  object(value: unknown, fields: readonly ShapeField[], field: string): { [name: string]: Cell } {
    if (value === null || typeof value !== "object" || Array.isArray(value))
      throw this.#wrong(field, "an object");
    const within = (name: string): string => (field === "" ? name : `${field}.${name}`);
    const known = new Set(fields.map(({ name }) => name));
    const stranger = Object.keys(value).find((name) => !known.has(name));
    if (stranger !== undefined) throw this.#wrong(within(stranger), "no such field");
    const own = value as Record<string, unknown>;
    return Object.fromEntries(
      fields.map(({ name, shape, required }) => {
        const one = Object.hasOwn(own, name) ? own[name] : undefined;
        if (one !== undefined && one !== null) return [name, this.cell(one, shape, within(name))];
        if (required) throw this.#wrong(within(name), "a value");
        return [name, null];
      }),
    );
  }

  cell(value: unknown, shape: Shape, field: string): Cell {
    switch (shape.kind) {
      case "text":
        if (typeof value !== "string") throw this.#wrong(field, "a text");
        // UTF-8 has no bytes for half a surrogate pair; they would come back as another character.
        if (/\p{Surrogate}/u.test(value)) throw this.#wrong(field, "a text of whole characters");
        return value;
      case "boolean":
        if (typeof value !== "boolean") throw this.#wrong(field, "true or false");
        return value;
      case "integer":
        if (!Number.isSafeInteger(value)) throw this.#wrong(field, "a whole number of at most 2^53 - 1");
        return BigInt(value as number);
      case "object":
        return this.object(value, shape.fields, field);
      case "list":
        if (!Array.isArray(value)) throw this.#wrong(field, "a list");
        return value.map((one, at) => this.cell(one, shape.of, `${field}[${at}]`));
      case "map":
        if (value === null || typeof value !== "object" || Array.isArray(value))
          throw this.#wrong(field, "an object");
        return Object.entries(value)
          .sort(compareCodeUnits)
          .map(([key, one]) => ({
            key: this.cell(key, { kind: "text" }, field),
            value: this.cell(one, shape.of, `${field}.${key}`),
          }));
      case "free":
        return this.cell(JSON.stringify(value), { kind: "text" }, field);
    }
  }
}

/**
 * A record as a row of cells, one a field; absent and null are the same there.
 *
 * @throws SourceError when a field is missing, of another type, or not in the schema
 */
export function parquetRow(
  record: object,
  fields: readonly ShapeField[],
  place: SourcePlace,
): { [name: string]: Cell } {
  return new Converter(place).object(record, fields, "");
}
