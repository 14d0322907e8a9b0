import type { KnowledgeEntry } from "../../../sources/bird-interact/index.js";
import { itemStage, keep } from "../../engine/stage.js";
import { asEvidence, type Finding } from "./findings.js";
import type { RegisteredTask, WithheldKnowledge, WithheldTask } from "./items.js";
import { spellsOut } from "./shared-definition.js";

const HOW = { formula: "its formula", wording: "its wording" } as const;

/** Entries that stay and tell what a withheld one says, and column meanings that do. */
function survivors(
  withheld: readonly KnowledgeEntry[],
  open: readonly KnowledgeEntry[],
  meanings: Readonly<Record<string, string>>,
): Finding[] {
  return withheld.flatMap(({ name, definition }): Finding[] => [
    ...open.flatMap((entry): Finding[] => {
      const how = spellsOut(`${entry.description}\n${entry.definition}`, definition);
      if (how === null) return [];
      const detail = `"${entry.name}" stays and has ${HOW[how]} of the withheld "${name}"`;
      return [{ code: "withheld_definition_public", detail }];
    }),
    ...Object.entries(meanings).flatMap(([column, meaning]): Finding[] => {
      const how = spellsOut(meaning, definition);
      if (how === null) return [];
      const detail = `the meaning of ${column} has ${HOW[how]} of the withheld "${name}"`;
      return [{ code: "withheld_in_meanings", detail }];
    }),
  ]);
}

/**
 * Step 3: the knowledge entries that ambiguities were made of leave what the agent sees. An entry that repeats a withheld
 * one's definition is a finding and stays: only one that is registered as an ambiguity can be asked about.
 */
export const withholdKnowledge = itemStage({
  name: "withhold-knowledge",
  version: "1",
  module: import.meta.url,
  select: ({ ambiguities, database }: RegisteredTask) => ({
    deleted: [...new Set(ambiguities.flatMap(({ deleted_knowledge }) => deleted_knowledge))].sort(
      (a, b) => a - b,
    ),
    knowledge: database.knowledge,
    meanings: database.meanings,
  }),
  run({ deleted, knowledge, meanings }) {
    if (!knowledge.here) {
      const findings: Finding[] = [{ code: "knowledge_missing", detail: knowledge.reason }];
      return keep<WithheldKnowledge>({ open: null, withheld: [] }, asEvidence(findings));
    }
    const isDeleted = ({ id }: KnowledgeEntry): boolean => deleted.includes(id);
    const open = knowledge.entries.filter((entry) => !isDeleted(entry));
    const withheld = knowledge.entries.filter(isDeleted);
    const findings = survivors(withheld, open, meanings);
    for (const id of deleted) {
      if (!withheld.some((entry) => entry.id === id))
        findings.push({ code: "knowledge_missing", detail: `${knowledge.path} has no entry ${id}` });
    }
    return keep<WithheldKnowledge>({ open, withheld }, asEvidence(findings));
  },
  merge: (task, knowledge_base): WithheldTask => ({ ...task, knowledge_base }),
});
