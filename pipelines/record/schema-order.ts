import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../package-root.js";

/** The parts of a JSON Schema that decide the order of keys. */
interface SchemaNode {
  $ref?: string;
  $defs?: Record<string, SchemaNode>;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  additionalProperties?: SchemaNode | boolean;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const schemas = new Map<string, SchemaNode>();

/** Loads `schemas/<name>.schema.json` of this package, once. */
export function loadSchema(name: string): SchemaNode {
  let schema = schemas.get(name);
  if (schema === undefined) {
    const text = readFileSync(join(PACKAGE_ROOT, "schemas", `${name}.schema.json`), "utf8");
    schema = JSON.parse(text) as SchemaNode;
    schemas.set(name, schema);
  }
  return schema;
}

function resolve(node: SchemaNode | undefined, root: SchemaNode): SchemaNode | undefined {
  if (node?.$ref === undefined) return node;
  const name = node.$ref.replace("#/$defs/", "");
  return resolve(root.$defs?.[name], root);
}

/** The steps of a path such as `oracle.ambiguities[0].term` or `public.column_meanings["a.b"]`. */
const STEP = /\.?([\w-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy;

/**
 * Whether a schema of ours names the field at a path. The items of a list and the keys of a dictionary, such as the
 * columns of `column_meanings`, are content and no fields.
 */
export function fieldIsDeclared(schemaName: string, path: string): boolean {
  const root = loadSchema(schemaName);
  let node: SchemaNode | undefined = root;
  let declared = false;
  for (const [, plain, index, quoted] of path.matchAll(STEP)) {
    const schema = resolve(node, root);
    if (index !== undefined) {
      [declared, node] = [false, schema?.items];
      continue;
    }
    const key = plain ?? (JSON.parse(quoted ?? '""') as string);
    declared = Object.hasOwn(schema?.properties ?? {}, key);
    const free = schema?.additionalProperties;
    node = declared ? schema?.properties?.[key] : typeof free === "object" ? free : undefined;
  }
  return declared;
}

const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function arrange(value: Json, node: SchemaNode | undefined, root: SchemaNode): Json {
  if (value === null || typeof value !== "object") return value;
  const schema = resolve(node, root);
  if (Array.isArray(value)) return value.map((one) => arrange(one, schema?.items, root));
  const known = schema?.properties ?? {};
  const free = typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
  const listed = Object.keys(known).filter((key) => Object.hasOwn(value, key));
  const others = Object.keys(value).filter((key) => !Object.hasOwn(known, key));
  const entries = [
    ...listed.map((key) => [key, arrange(value[key]!, known[key], root)] as const),
    ...others.sort(compareCodeUnits).map((key) => [key, arrange(value[key]!, free, root)] as const),
  ];
  // From entries, not by assignment: a key called __proto__ is data here.
  return Object.fromEntries(entries);
}

/**
 * One canonical JSON line for a value of a schema of ours: keys in the order in which the schema lists its properties,
 * keys that it does not list after them by code unit, no white space, `undefined` left out. NaN and infinities cannot
 * stand in JSON and throw, because a file of ours must never hold `null` where a number was meant.
 */
export function canonicalLine(schemaName: string, value: object): string {
  const schema = loadSchema(schemaName);
  const plain = JSON.parse(
    JSON.stringify(value, (key, one: unknown) => {
      if (typeof one === "number" && !Number.isFinite(one)) {
        throw new TypeError(`field "${key}" of a ${schemaName} holds ${one}, which JSON cannot carry`);
      }
      return one;
    }),
  ) as Json;
  return JSON.stringify(arrange(plain, schema, schema));
}
