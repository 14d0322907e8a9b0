import { type Evidence, keep, type Outcome, setStage } from "../../engine/stage.js";
import type { Place, PlacedRow, WordedRow } from "./items.js";

/**
 * Files whose requests come out the same for one database are readings of one request (spec 1: records that share the
 * request and its ambiguities). They get one AVT id, that of the first file, and a drawn suffix that tells nothing. A
 * file that repeats another's table and value is kept, since the published count is of files, and noted.
 */
export const groupReadings = setStage({
  name: "group-readings",
  version: "1",
  module: import.meta.url,
  parameters: ({ seed }) => ({ seed }),
  project: ({ file, wording, choices }: WordedRow) => ({
    request: JSON.stringify([file.sha256, wording.request, wording.term, wording.value?.term ?? null]),
    reading: JSON.stringify([choices.reference.table, wording.value?.value ?? null]),
  }),
  decide(projections, context) {
    const groups = new Map<string, { key: string; reading: string }[]>();
    for (const { key, part } of projections) {
      const group = groups.get(part.request) ?? [];
      groups.set(part.request, [...group, { key, reading: part.reading }]);
    }
    const outcomes = new Map<string, Outcome<Place>>();
    for (const group of groups.values()) {
      const avt_id = group[0]?.key ?? "";
      const order = context.draws("record-suffix", avt_id).permutation(group.length);
      const first = new Map<string, string>();
      for (const [at, { key, reading }] of group.entries()) {
        const twin = first.get(reading);
        if (twin === undefined) first.set(reading, key);
        const evidence: Evidence[] =
          twin === undefined
            ? []
            : [{ kind: "finding", code: "same_reading", detail: `the same as ${twin}` }];
        const place = { avt_id, suffix: (order[at] ?? 0) + 1 };
        outcomes.set(key, keep(place, evidence.length > 0 ? evidence : undefined));
      }
    }
    return outcomes;
  },
  merge: (row, place): PlacedRow => ({ ...row, place }),
});
