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

/** A key that JavaScript takes for the place in a list: such keys of an object come first, by number, in all JSON that it writes. */
const isPlace = (key: string): boolean => /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;

/** Keys in the order in which they are written: those that the schema lists, then the others by code unit. */
function orderOf(value: { [key: string]: unknown }, known: Record<string, SchemaNode>): string[] {
  const order = Object.keys(known).filter((key) => Object.hasOwn(value, key));
  const others = Object.keys(value).filter((key) => !Object.hasOwn(known, key));
  if (others.length === 0) return order;
  order.push(...others.sort(compareCodeUnits));
  if (!others.some(isPlace)) return order;
  const places = order.filter(isPlace).sort((a, b) => Number(a) - Number(b));
  return [...places, ...order.filter((key) => !isPlace(key))];
}

/** What is being written, for errors. */
interface Place {
  schemaName: string;
  root: SchemaNode;
}

/** A value's JSON, undefined for what JSON leaves out. `key` is what the value is called where it stands. */
function write(value: unknown, key: string, node: SchemaNode | undefined, place: Place): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`field "${key}" of a ${place.schemaName} holds ${value}, which JSON cannot carry`);
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if ("toJSON" in value && typeof value.toJSON === "function")
    return write(value.toJSON(key), key, node, place);
  const schema = resolve(node, place.root);
  if (Array.isArray(value)) {
    const parts = value.map((one, index) => write(one, String(index), schema?.items, place) ?? "null");
    return `[${parts.join(",")}]`;
  }
  const known = schema?.properties ?? {};
  const free = typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
  const object = value as { [key: string]: unknown };
  let text = "";
  for (const name of orderOf(object, known)) {
    const part = write(object[name], name, Object.hasOwn(known, name) ? known[name] : free, place);
    if (part !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(name)}:${part}`;
  }
  return `{${text}}`;
}

/**
 * One canonical JSON line for a value of a schema of ours: keys in the order in which the schema lists its properties,
 * keys that it does not list after them by code unit (but whole numbers before all others, by size), no white space,
 * `undefined` left out. NaN and infinities cannot stand in JSON and throw, because a file of ours must never hold `null`
 * where a number was meant.
 */
export function canonicalLine(schemaName: string, value: object): string {
  const root = loadSchema(schemaName);
  return write(value, "", root, { schemaName, root }) ?? "null";
}
