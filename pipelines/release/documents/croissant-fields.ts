/** Record sets and their fields: what each line of a release's JSONL files holds, by Croissant 1.1. */
import type { CroissantField, CroissantRecordSet } from "../../../schemas/types/croissant.js";
import type { Shape, ShapeField } from "../record-shape.js";
import type { ZoneFiles } from "./zone-files.js";

const ATOMS = { text: "sc:Text", integer: "sc:Integer", boolean: "sc:Boolean" } as const;

type Atom = keyof typeof ATOMS;
const isAtom = (kind: Shape["kind"]): kind is Atom => Object.hasOwn(ATOMS, kind);

/** What is the same for all fields of a record set. */
interface Place {
  /** The file's id. */
  file: string;
  recordSet: string;
}

/** Where a field stands: its name in the record set, the JSON path to it, and how many lists it is in. */
interface Position {
  id: string;
  path: string;
  depth: number;
}

function leaf(place: Place, at: Position, dataType: string, description: string | undefined): CroissantField {
  const shape = Array.from({ length: at.depth }, () => "-1").join(",");
  return {
    "@type": "cr:Field",
    "@id": `${place.recordSet}/${at.id}`,
    name: at.id,
    ...(description === undefined ? {} : { description }),
    dataType,
    ...(at.depth === 0 ? {} : { isArray: true, arrayShape: at.depth === 1 ? "-1" : shape }),
    source: { fileObject: { "@id": place.file }, extract: { jsonPath: at.path } },
  };
}

/**
 * The fields of one object. An object is a field with sub-fields; a list of objects (ambiguities) is a field whose
 * sub-fields are lists, one value an item and all in the items' order, because a JSON path through `[*]` gives just that.
 * So of a list's items only what every item has can be told: where an optional one is missing, the path would leave it out
 * and what follows would move up. An object of changing keys (column meanings) has no type in Croissant and is left out,
 * too; the JSON Schema in `schemas/` describes all.
 */
function fieldsOf(place: Place, fields: readonly ShapeField[], within: Position): CroissantField[] {
  return fields.flatMap(({ name, shape, required, description }) => {
    if (within.depth > 0 && !required) return [];
    const at: Position = {
      id: within.id === "" ? name : `${within.id}/${name}`,
      path: `${within.path}.${name}`,
      depth: within.depth,
    };
    if (isAtom(shape.kind)) return [leaf(place, at, ATOMS[shape.kind], description)];
    if (shape.kind === "object") return nested(place, at, shape.fields, description);
    if (shape.kind !== "list") return [];
    if (isAtom(shape.of.kind))
      return [leaf(place, { ...at, depth: at.depth + 1 }, ATOMS[shape.of.kind], description)];
    if (shape.of.kind !== "object") return [];
    const items = { ...at, path: `${at.path}[*]`, depth: at.depth + 1 };
    return nested(place, items, shape.of.fields, description);
  });
}

function nested(
  place: Place,
  at: Position,
  fields: readonly ShapeField[],
  description: string | undefined,
): CroissantField[] {
  const subField = fieldsOf(place, fields, at);
  if (subField.length === 0) return [];
  const id = `${place.recordSet}/${at.id}`;
  const told = description === undefined ? {} : { description };
  return [{ "@type": "cr:Field", "@id": id, name: at.id, ...told, subField }];
}

/** A path as a relative URL, and as an id: no character of a name may be read as a scheme, a query or a fragment. */
export const urlOf = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** The id of a zone's record set of one split. */
export const recordSetId = (dataset: string, split: string, zone: string): string =>
  `${dataset}/${split}/${zone}`;

/** The record set that names the splits. */
export const SPLITS = "splits";

const SPLIT_TYPES: Readonly<Record<string, string>> = {
  train: "cr:TrainingSplit",
  dev: "cr:ValidationSplit",
};

const WHO: Readonly<Record<string, string>> = {
  public: "all that an asker or a solver may read",
  oracle: "what the simulated user knows",
  verifier: "what only the verifier reads",
  provenance: "where each record comes from",
};

/** The splits of a release, as Croissant names them. `all` is a set that is not split. */
export function splitsRecordSet(names: readonly string[]): CroissantRecordSet {
  return {
    "@type": "cr:RecordSet",
    "@id": SPLITS,
    name: SPLITS,
    description: "The splits that records belong to; all: the dataset is not split.",
    dataType: "cr:Split",
    key: { "@id": `${SPLITS}/name` },
    field: [
      { "@type": "cr:Field", "@id": `${SPLITS}/name`, name: "name", dataType: "sc:Text" },
      { "@type": "cr:Field", "@id": `${SPLITS}/url`, name: "url", dataType: "cr:Split" },
    ],
    data: [...names].sort().map((name) => ({
      [`${SPLITS}/name`]: name,
      ...(SPLIT_TYPES[name] === undefined ? {} : { [`${SPLITS}/url`]: SPLIT_TYPES[name] }),
    })),
  };
}

/**
 * The record sets of one zone of one dataset, one a file: a split's records and their fields. A private zone's ids refer to
 * the public zone's, which is how zones are joined.
 */
export function recordSetsOf(
  { dataset, zone, splits, fields }: ZoneFiles,
  activity: string,
): CroissantRecordSet[] {
  return splits.map(({ split, path, records }) => {
    const id = recordSetId(dataset, split, zone);
    const own = fieldsOf({ file: urlOf(path), recordSet: id }, fields, { id: "", path: "$", depth: 0 });
    const references: Readonly<Record<string, string>> =
      zone === "public"
        ? { [`${id}/split`]: `${SPLITS}/name` }
        : { [`${id}/record_id`]: `${recordSetId(dataset, split, "public")}/record_id` };
    return {
      "@type": "cr:RecordSet",
      "@id": id,
      name: id,
      description: `${dataset}, split ${split}, zone ${zone}: ${WHO[zone] ?? zone}.`,
      key: { "@id": `${id}/record_id` },
      annotation: {
        "@type": "cr:Field",
        "@id": `${id}/count`,
        name: "count",
        description: "How many records there are.",
        dataType: ["sc:Integer", "http://www.wikidata.org/entity/Q4049983"],
        value: records,
      },
      field: own.map((one) => {
        const target = references[one["@id"]];
        return target === undefined ? one : { ...one, references: { "@id": target } };
      }),
      "prov:wasGeneratedBy": { "@id": activity },
    };
  });
}
