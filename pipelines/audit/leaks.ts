import type { TaskRecord } from "../../schemas/types/record.js";
import type { PublicLine } from "../record/zones.js";
import type { Finding } from "./finding.js";

/** Text that matters for a leak: shorter pieces ("name", "3") stand in public text by chance. */
const SHORTEST_LEAK = 12;

const squeeze = (text: string): string => text.toLowerCase().replace(/\s+/g, " ").trim();

/** Every text of the public zone, with where it stands. */
function publicTexts({ public: zone }: PublicLine): { place: string; text: string }[] {
  const texts = [{ place: "request", text: zone.request }];
  for (const [column, text] of Object.entries(zone.column_meanings ?? {})) {
    texts.push({ place: `column_meanings ${column}`, text });
  }
  for (const { id, name, description, definition } of zone.external_knowledge ?? []) {
    texts.push({ place: `external_knowledge ${id}`, text: `${name}\n${description}\n${definition}` });
  }
  return texts;
}

/** The private texts that must stand in no public place: what was withheld, decided or is to be found. */
function privateTexts({
  oracle,
  verifier,
}: Pick<TaskRecord, "oracle" | "verifier">): { what: string; text: string }[] {
  const texts: { what: string; text: string }[] = [];
  const add = (what: string, text: string | undefined): void => {
    if (text !== undefined && squeeze(text).length >= SHORTEST_LEAK) texts.push({ what, text });
  };
  for (const one of oracle.ambiguities) {
    add("a response", one.response);
    add("a resolution", one.resolution);
  }
  add("the clear request", oracle.clear_request);
  add("the withheld evidence", oracle.withheld_evidence);
  for (const sql of verifier.reference_sql) add("the reference SQL", sql);
  for (const sql of verifier.alternative_sql ?? []) add("an alternative reading's SQL", sql);
  return texts;
}

/** Private text of a record that stands in its own public zone, exactly or but for case and white space. */
export function publicLeaks(record: TaskRecord): Finding[] {
  const open = publicTexts(record).map(({ place, text }) => ({ place, text: squeeze(text) }));
  return privateTexts(record).flatMap(({ what, text }) => {
    const needle = squeeze(text);
    return open
      .filter(({ text: hay }) => hay.includes(needle))
      .map(({ place }): Finding => {
        const message = `${what} stands in the public zone (${place})`;
        return { severity: "error", code: "public_leak", place: record.record_id, message };
      });
  });
}
