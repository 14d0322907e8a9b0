import type { TaskRecord } from "../../schemas/types/record.js";
import { bared } from "../record/bared.js";
import type { PublicLine } from "../record/zones.js";
import { error, type Finding, warning } from "./finding.js";
import { type PrivateKind, type PrivateText, privateTexts } from "./private-texts.js";

/** Every text of the public zone, bared, with where it stands. */
function publicTexts({ public: zone }: Pick<PublicLine, "public">): { place: string; text: string }[] {
  const texts = [{ place: "request", text: zone.request }];
  for (const [column, text] of Object.entries(zone.column_meanings ?? {})) {
    texts.push({ place: `column_meanings ${column}`, text: `${column}\n${text}` });
  }
  for (const { id, name, description, definition } of zone.external_knowledge ?? []) {
    texts.push({ place: `external_knowledge ${id}`, text: `${name}\n${description}\n${definition}` });
  }
  return texts.map(({ place, text }) => ({ place, text: bared(text) }));
}

const HINT_KINDS: ReadonlySet<PrivateKind> = new Set(["resolution", "response", "withheld evidence"]);

/**
 * BIRD's own column descriptions hold some of the hints that are masked (7 of 2,695 in its dev rows of 2023). They stay
 * what upstream wrote and are named, because a release could only lose them with the record (spec 2, ew-bird, step 3).
 */
const isUpstreamsOwn = (oracle: TaskRecord["oracle"], kind: PrivateKind, place: string): boolean =>
  place.startsWith("column_meanings ") &&
  HINT_KINDS.has(kind) &&
  oracle.ambiguities.every((one) => one.kind === "knowledge");

/** Private text of a record that stands in its own public zone, exactly or but for case and white space. */
export function publicLeaks(
  record: Pick<TaskRecord, "record_id" | "public" | "oracle" | "verifier">,
): Finding[] {
  const open = publicTexts(record);
  return privateTexts(record).flatMap(({ kind, text }: PrivateText) =>
    open
      .filter(({ text: hay }) => hay.includes(text))
      .map(({ place }) =>
        isUpstreamsOwn(record.oracle, kind, place)
          ? warning("hint_in_column_meanings", record.record_id, `the ${kind} stands in ${place}`)
          : error("public_leak", record.record_id, `the ${kind} stands in the public zone (${place})`),
      ),
  );
}
