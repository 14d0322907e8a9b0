/**
 * A configuration's features for the `datasets` library, in the form that a dataset card's YAML has (`dataset_info`).
 *
 * They are stated because the library otherwise takes the types of the first ten megabytes of the first split: a list that
 * is empty there, or a field that comes later, would then be an error in the next split. Its JSON reader adds what a file
 * lacks and refuses a column that the features lack, so all that the schema allows is listed. An object whose keys are not
 * fixed has a type (`json`) only since datasets 4.7.0; it is named where the files have one, and left out or called text
 * where they have none, so that the other configurations load with older versions, too.
 */
import type { Shape, ShapeField } from "../record-shape.js";

/** What the files of a configuration hold at a place of changing keys: nothing, only nulls, or objects. */
export type Occurrence = "null" | "object";

/** Places (`public.column_meanings`) of changing keys that the files have. */
export type Occurrences = ReadonlyMap<string, Occurrence>;

/** One feature: a name and one of `dtype`, `struct`, `list`. */
export type HubFeature = { name: string } & HubType;
type HubType = { dtype: string } | { struct: HubFeature[] } | { list: string | HubFeature[] };

const ATOMS = { text: "string", integer: "int64", boolean: "bool" } as const;

const isFree = ({ kind }: Shape): boolean => kind === "map" || kind === "free";

function typeOf(shape: Shape, place: string, found: Occurrences): HubType {
  switch (shape.kind) {
    case "list":
      if (shape.of.kind === "object") return { list: featuresOf(shape.of.fields, `${place}[]`, found) };
      if (shape.of.kind === "text" || shape.of.kind === "integer" || shape.of.kind === "boolean")
        return { list: ATOMS[shape.of.kind] };
      throw new Error(`${place} of the record schema is a list that a dataset card has no type for`);
    case "object":
      return { struct: featuresOf(shape.fields, place, found) };
    case "map":
    case "free":
      return { dtype: found.get(place) === "object" ? "json" : "string" };
    default:
      return { dtype: ATOMS[shape.kind] };
  }
}

/** The features of a zone's lines. */
export function featuresOf(fields: readonly ShapeField[], within: string, found: Occurrences): HubFeature[] {
  return fields.flatMap(({ name, shape }) => {
    const place = within === "" ? name : `${within}.${name}`;
    if (isFree(shape) && !found.has(place)) return [];
    return [{ name, ...typeOf(shape, place, found) }];
  });
}

/** Notes in `found` which places of changing keys a line has. */
export function noteOccurrences(
  value: unknown,
  fields: readonly ShapeField[],
  found: Map<string, Occurrence>,
  within = "",
): void {
  if (value === null || typeof value !== "object") return;
  for (const { name, shape } of fields) {
    if (!Object.hasOwn(value, name)) continue;
    const place = within === "" ? name : `${within}.${name}`;
    const own = (value as Record<string, unknown>)[name];
    if (isFree(shape)) {
      if (own !== null) found.set(place, "object");
      else if (!found.has(place)) found.set(place, "null");
    } else if (shape.kind === "object") {
      noteOccurrences(own, shape.fields, found, place);
    } else if (shape.kind === "list" && shape.of.kind === "object" && Array.isArray(own)) {
      for (const one of own) noteOccurrences(one, shape.of.fields, found, `${place}[]`);
    }
  }
}

/** Whether a configuration needs datasets 4.7.0 or newer. */
export const hasJson = (found: Occurrences): boolean => [...found.values()].includes("object");
