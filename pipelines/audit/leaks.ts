import type { TaskRecord } from "../../schemas/types/record.js";
import { bared } from "../record/bared.js";
import type { PublicLine } from "../record/zones.js";
import type { SchemaText } from "./database-schema.js";
import { error, type Finding, warning } from "./finding.js";
import { nearVerbatim, overlapText, pairsOf, wordsOf } from "./near-verbatim.js";
import { type PrivateKind, type PrivateText, privateTexts } from "./private-texts.js";

/** A text that an agent may read: bared, and its pairs of words. */
interface PublicText {
  place: string;
  text: string;
  pairs: ReadonlySet<string>;
}

/** Records of one database share its column meanings: a text's forms are made once. */
class Forms {
  readonly #known = new Map<string, Omit<PublicText, "place">>();
  of(text: string): Omit<PublicText, "place"> {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size > 20_000) this.#known.clear();
    const made = { text: bared(text), pairs: pairsOf(wordsOf(text)) };
    this.#known.set(text, made);
    return made;
  }
}
const forms = new Forms();

/** Every text of the public zone with where it stands, the database's schema among them. */
function publicTexts(
  { public: zone }: Pick<PublicLine, "public">,
  schema: SchemaText | undefined,
): PublicText[] {
  const texts = [{ place: "request", ...forms.of(zone.request) }];
  for (const [column, text] of Object.entries(zone.column_meanings ?? {})) {
    texts.push({ place: `column_meanings ${column}`, ...forms.of(`${column}\n${text}`) });
  }
  for (const { id, name, description, definition } of zone.external_knowledge ?? []) {
    const text = `${name}\n${description}\n${definition}`;
    texts.push({ place: `external_knowledge ${id}`, ...forms.of(text) });
  }
  if (schema !== undefined)
    texts.push({ place: "database schema", text: schema.text, pairs: schema.comments });
  return texts;
}

const HINT_KINDS: ReadonlySet<PrivateKind> = new Set(["resolution", "response", "withheld evidence"]);

/**
 * BIRD's own column descriptions hold some of the hints that are masked (7 of 2,695 in its dev rows of 2023). They stay
 * what upstream wrote and are named, because a release could only lose them with the record (spec 2, ew-bird, step 3).
 */
const isUpstreamsHint = (oracle: TaskRecord["oracle"], kind: PrivateKind): boolean =>
  HINT_KINDS.has(kind) && oracle.ambiguities.every((one) => one.kind === "knowledge");

type Leaky = Pick<TaskRecord, "record_id" | "public" | "oracle" | "verifier">;

/** A private text that stands in a public one, exactly or but for case and white space. */
function exactLeak({ record_id, oracle }: Leaky, { kind }: PrivateText, place: string): Finding {
  if (place === "database schema")
    return error("database_leak", record_id, `the ${kind} stands in the statements of its database's schema`);
  return place.startsWith("column_meanings ") && isUpstreamsHint(oracle, kind)
    ? warning("hint_in_column_meanings", record_id, `the ${kind} stands in ${place}`)
    : error("public_leak", record_id, `the ${kind} stands in the public zone (${place})`);
}

/** What is public by right: terms and aliases, which askers may guess, and outside of the request the request. */
const givenPairs = ({ public: zone, oracle }: Leaky): { terms: Set<string>; request: Set<string> } => {
  const named = oracle.ambiguities.flatMap(({ term, aliases }) => [term, ...aliases]);
  const terms = new Set(named.flatMap((text) => [...pairsOf(wordsOf(text))]));
  return { terms, request: new Set([...terms, ...pairsOf(wordsOf(zone.request))]) };
};

/**
 * Private texts of a record whose wording stands in its own public zone, or in the comments of its database's schema. A
 * clear request says the request again in more words, so it is not held against the request, and neither is a resolution
 * in the clear request's words.
 */
function nearLeaks(record: Leaky, texts: readonly PrivateText[], open: readonly PublicText[]): Finding[] {
  const { record_id, oracle } = record;
  const given = givenPairs(record);
  const clear = wordsOf(oracle.clear_request ?? "").join(" ");
  return texts.flatMap((secret) => {
    const { kind, text, written } = secret;
    const words = wordsOf(written);
    return open.flatMap(({ place, text: hay, pairs }) => {
      const inRequest = place === "request";
      if (hay.includes(text) || (inRequest && words.join(" ") === clear)) return [];
      const overlap = nearVerbatim(words, pairs, inRequest ? given.terms : given.request);
      if (overlap === undefined) return [];
      const message = `the ${kind} stands nearly verbatim in ${place}: ${overlapText(overlap)}`;
      if (place === "database schema") return [error("database_leak", record_id, message)];
      return isUpstreamsHint(oracle, kind)
        ? [warning("near_hint", record_id, message)]
        : [error("near_leak", record_id, message)];
    });
  });
}

/**
 * Private text of a record that stands in its own public zone: exactly, but for case and white space, or with most of its
 * wording (near-verbatim.ts).
 *
 * @param schema the schema of its database, which agents read too
 */
export function publicLeaks(record: Leaky, schema?: SchemaText): Finding[] {
  const open = publicTexts(record, schema);
  const texts = privateTexts(record);
  const exact = texts.flatMap((secret) =>
    open
      .filter(({ text: hay }) => hay.includes(secret.text))
      .map(({ place }) => exactLeak(record, secret, place)),
  );
  return [...exact, ...nearLeaks(record, texts, open)];
}
