import { drop, type Evidence, itemStage, keep } from "../../engine/stage.js";
import { type MaskedHint, type ReadEvidence, readEvidence } from "./hints/index.js";
import type { BirdRow, HintedRow } from "./items.js";

interface Read {
  masked: MaskedHint[];
  hints: number;
}

/** What of the evidence became no hint, and how the hints were built: counted by the build. */
function accountOf(evidence: string, { pieces, hints, masked }: ReadEvidence): Evidence[] {
  const account: Evidence[] = pieces.flatMap(({ start, end, why }) =>
    why === undefined
      ? []
      : [
          {
            kind: "finding",
            code: `evidence_${why}`,
            detail: `no hint: ${JSON.stringify(evidence.slice(start, end))}`,
          },
        ],
  );
  const shapes = new Map<string, number>();
  for (const { shape } of hints) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  account.push({ kind: "count", name: "hints", count: hints.length });
  for (const [shape, count] of [...shapes].sort(([a], [b]) => (a < b ? -1 : 1)))
    account.push({ kind: "count", name: `hints: ${shape}`, count });
  for (const { term, hints: merged } of masked) {
    if (merged.length > 1) {
      const detail = `hints ${merged.map((at) => at + 1).join(" and ")} both define "${term}"`;
      account.push({ kind: "finding", code: "hints_merged", detail });
    }
  }
  return account;
}

const stage = <Row extends BirdRow>(rowsWithoutHints: "drop" | "keep") =>
  itemStage({
    name: "read-hints",
    version: "1",
    module: import.meta.url,
    // Both stages have one name and one code: without this they would share stored outcomes.
    parameters: () => ({ rows_without_hints: rowsWithoutHints }),
    select: ({ evidence, question }: Row) => ({ evidence, question }),
    run({ evidence, question }) {
      const read = readEvidence(evidence, question);
      const account = accountOf(evidence, read);
      if (read.hints.length === 0 && rowsWithoutHints === "drop") {
        const detail = evidence.trim() === "" ? "the evidence is empty" : "the evidence holds no hint";
        return drop("no_evidence", detail, { evidence: account });
      }
      return keep<Read>({ masked: read.masked, hints: read.hints.length }, account);
    },
    merge: (row, read): HintedRow<Row> => ({ ...row, ...read }),
  });

/** Steps 1 and 2 of ew-bird: the evidence as masked ambiguities; a row without hints drops (`no_evidence`). */
export const readHints = <Row extends BirdRow>() => stage<Row>("drop");

/** The same for a dataset that keeps rows without evidence (AmbiTab-Bird). */
export const readHintsIfAny = <Row extends BirdRow>() => stage<Row>("keep");
