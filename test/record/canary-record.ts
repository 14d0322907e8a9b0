/** A record with a token of its own in every field, made by walking the schema, so that a new field cannot be forgotten. */

import { sha256 } from "../../pipelines/record/ids.js";
import { loadSchema } from "../../pipelines/record/schema-order.js";
import type { TaskRecord } from "../../schemas/types/record.js";

interface Node {
  $ref?: string;
  $defs?: Record<string, Node>;
  type?: string | string[];
  enum?: string[];
  pattern?: string;
  properties?: Record<string, Node>;
  items?: Node;
  additionalProperties?: Node | boolean;
}

/** Free maps and objects get one key of this name. */
export const FREE_KEY = "singer.name";

export interface CanaryRecord {
  record: TaskRecord;
  /** Path of a field (`oracle.ambiguities.*.term`) → what stands in it, as it would be found in JSON. */
  tokens: Map<string, string>;
  /** Fields whose values are few and fixed (enumerations, booleans, versions, datasets): no token fits into them. */
  fixed: string[];
}

/**
 * @param items how many elements every list gets; each field's token stands in its first element, so that a view that
 *   holds the field holds the token
 */
export function canaryRecord(values: { verifiable: boolean }): CanaryRecord {
  const root = loadSchema("record") as Node;
  const tokens = new Map<string, string>();
  const fixed: string[] = [];
  const resolve = (node: Node): Node =>
    node.$ref === undefined ? node : resolve(root.$defs?.[node.$ref.replace("#/$defs/", "")] ?? {});

  const make = (given: Node, path: string): unknown => {
    const node = resolve(given);
    const type = Array.isArray(node.type) ? node.type[0] : node.type;
    if (node.enum !== undefined) {
      fixed.push(path);
      return node.enum[0];
    }
    if (type === "object") {
      const known = Object.entries(node.properties ?? {}).map(([key, child]) => [
        key,
        make(child, path === "" ? key : `${path}.${key}`),
      ]);
      if (known.length > 0) return Object.fromEntries(known);
      const free =
        typeof node.additionalProperties === "object" ? node.additionalProperties : { type: "string" };
      return { [FREE_KEY]: make(free, `${path}.*`) };
    }
    if (type === "array") return [make(node.items ?? {}, `${path}.*`)];
    if (type === "boolean") {
      fixed.push(path);
      return path.endsWith("verifiable") ? values.verifiable : true;
    }
    if (type === "integer") {
      const token = 7_000_000 + tokens.size;
      tokens.set(path, String(token));
      return token;
    }
    if (type !== "string") throw new Error(`the canary does not know the schema's ${path}`);
    if (path === "schema_version") {
      fixed.push(path);
      return "1.0.0";
    }
    if (path === "dataset" || path === "provenance.source") {
      fixed.push(path);
      return "bird";
    }
    const token = node.pattern?.includes("[0-9a-f]") ? sha256(path) : `canary-${tokens.size}-${path}`;
    tokens.set(path, token);
    return token;
  };
  return { record: make(root, "") as TaskRecord, tokens, fixed };
}

/** The fields of which something stands in a value. */
export function fieldsIn(value: unknown, tokens: ReadonlyMap<string, string>): string[] {
  const text = JSON.stringify(value);
  return [...tokens].filter(([, token]) => text.includes(token)).map(([path]) => path);
}
