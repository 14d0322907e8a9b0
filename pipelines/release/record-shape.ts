/**
 * The record's types as its JSON Schema states them, for formats that want a type for every column: the hub's features,
 * Croissant's fields and Parquet's columns all come from here, so that they say the same and change with the schema.
 */
import { loadSchema } from "../record/schema-order.js";
import { ZONES, type Zone } from "../record/zones.js";

/** The parts of a JSON Schema that decide a column's type. */
interface SchemaNode {
  $ref?: string;
  $defs?: Record<string, SchemaNode>;
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  required?: string[];
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  additionalProperties?: SchemaNode | boolean;
}

export type Shape =
  | { kind: "text" | "integer" | "boolean" }
  | { kind: "list"; of: Shape }
  /** Keys that the data chooses (column meanings), all values of one type. */
  | { kind: "map"; of: Shape }
  | { kind: "object"; fields: ShapeField[] }
  /** An object whose keys and types the source decides. */
  | { kind: "free" };

export interface ShapeField {
  name: string;
  shape: Shape;
  /** Whether every record has it. */
  required: boolean;
  description?: string;
}

function resolved(node: SchemaNode, root: SchemaNode): SchemaNode {
  if (node.$ref === undefined) return node;
  const target = root.$defs?.[node.$ref.replace("#/$defs/", "")];
  if (target === undefined)
    throw new Error(`the record schema refers to ${node.$ref}, which it does not have`);
  return resolved(target, root);
}

function shapeOf(named: SchemaNode, root: SchemaNode, place: string): Shape {
  const node = resolved(named, root);
  const types = [node.type ?? []].flat().filter((one) => one !== "null");
  if (node.enum?.every((value) => typeof value === "string") === true) return { kind: "text" };
  switch (types[0]) {
    case "string":
      return { kind: "text" };
    case "integer":
      return { kind: "integer" };
    case "boolean":
      return { kind: "boolean" };
    case "array":
      if (node.items === undefined) break;
      return { kind: "list", of: shapeOf(node.items, root, `${place}[]`) };
    case "object":
      if (node.properties !== undefined) return { kind: "object", fields: fieldsOf(node, root, place) };
      if (typeof node.additionalProperties === "object")
        return { kind: "map", of: shapeOf(node.additionalProperties, root, `${place}{}`) };
      return { kind: "free" };
  }
  throw new Error(`the record schema gives ${place} no type that a column can have`);
}

function fieldsOf(node: SchemaNode, root: SchemaNode, place: string): ShapeField[] {
  return Object.entries(node.properties ?? {}).map(([name, property]) => {
    const path = place === "" ? name : `${place}.${name}`;
    const description = property.description ?? resolved(property, root).description;
    return {
      name,
      shape: shapeOf(property, root, path),
      required: node.required?.includes(name) === true,
      ...(description === undefined ? {} : { description }),
    };
  });
}

const isZone = (name: string): name is Zone => (ZONES as readonly string[]).includes(name);

/**
 * The fields of a record as far as those zones tell it, in the schema's order: with the public zone all that it does not
 * share with a private one, with a private zone alone its id and that zone, as a release's files hold them.
 */
export function recordFields(zones: readonly Zone[]): ShapeField[] {
  const schema = loadSchema("record") as SchemaNode;
  return fieldsOf(schema, schema, "").filter(({ name }) =>
    isZone(name) ? zones.includes(name) : name === "record_id" || zones.includes("public"),
  );
}
