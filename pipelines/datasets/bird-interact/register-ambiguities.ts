import type { BirdInteractAmbiguity, Repair } from "../../../sources/bird-interact/index.js";
import { REPAIRS_FILE } from "../../../sources/bird-interact/index.js";
import { drop, itemStage, keep } from "../../engine/stage.js";
import { SourceError } from "../../errors.js";
import { normalKey, tokenise } from "../../oracle/index.js";
import { sha256 } from "../../record/ids.js";
import { asEvidence, type Finding } from "./findings.js";
import type { RegisteredAmbiguity, RegisteredTask, SourceTask } from "./items.js";

interface Annotation extends BirdInteractAmbiguity {
  id: string;
  kind: RegisteredAmbiguity["kind"];
  counts: boolean;
  /** As repairs name it: `critical_ambiguity[0].sql_snippet`. */
  field: string;
}

type Annotations = Pick<SourceTask, "instance_id" | "critical" | "knowledge" | "non_critical">;

/** Critical ones, then knowledge, then those that do not count: the order in which the full asker asks. */
function annotationsOf({ critical, knowledge, non_critical }: Annotations): Annotation[] {
  const lists = [
    { list: critical, id: "critical", field: "critical_ambiguity", kind: "intent", counts: true },
    { list: knowledge, id: "knowledge", field: "knowledge_ambiguity", kind: "knowledge", counts: true },
    { list: non_critical, id: "minor", field: "non_critical_ambiguity", kind: "intent", counts: false },
  ] as const;
  return lists.flatMap(({ list, id, field, kind, counts }) =>
    list.map((one, at) => ({
      ...one,
      id: `${id}-${at + 1}`,
      kind,
      counts,
      field: `${field}[${at}].sql_snippet`,
    })),
  );
}

/**
 * Makes the reviewed corrections of a task's fragments.
 *
 * @throws SourceError when a correction no longer applies: what it replaces is not what its hash says, or is not there
 */
export function applyRepairs(annotations: readonly Annotation[], repairs: readonly Repair[]): Annotation[] {
  const repaired = annotations.map((one) => ({ ...one }));
  for (const { instance_id, field, replaces_sha256, value } of repairs) {
    const target = repaired.find((one) => one.field === field);
    const place = { file: REPAIRS_FILE, field: `${instance_id} ${field}` };
    if (target === undefined)
      throw new SourceError(place, "no longer applies: the task has no such annotation; review the repair");
    if (sha256(target.sql_snippet) !== replaces_sha256) {
      throw new SourceError(
        place,
        "no longer applies: what it replaces is not what was reviewed; review the repair",
      );
    }
    target.sql_snippet = value;
  }
  return repaired;
}

/** `Signal-to-Noise Quality Indicator (SNQI)` is also called by its long name and by its letters. */
export function namesWithin(term: string): string[] {
  const match = /^(.*\S)\s*\(([^()]+)\)$/.exec(term.trim());
  return match === null ? [] : [match[1] ?? "", match[2] ?? ""].filter((name) => normalKey(name) !== "");
}

const bare = (sql: string): string => sql.replace(/\s+/g, " ").trim();

/** Joins annotations of one term; the first one's place and kind stand, and one that counts makes it count. */
export function mergeTerms(annotations: readonly Annotation[]): {
  ambiguities: RegisteredAmbiguity[];
  merged: string[];
} {
  const byTerm = new Map<string, RegisteredAmbiguity>();
  const merged: string[] = [];
  for (const { id, term, kind, counts, sql_snippet, deleted_knowledge } of annotations) {
    const key = normalKey(term);
    const known = byTerm.get(key);
    const fragment = bare(sql_snippet);
    if (known === undefined) {
      byTerm.set(key, {
        ambiguity_id: id,
        term: term.trim(),
        aliases: [],
        kind,
        counts,
        fragments: fragment === "" ? [] : [fragment],
        deleted_knowledge: [...deleted_knowledge],
      });
      continue;
    }
    merged.push(term);
    known.counts ||= counts;
    if (fragment !== "" && !known.fragments.includes(fragment)) known.fragments.push(fragment);
    known.deleted_knowledge = [...new Set([...known.deleted_knowledge, ...deleted_knowledge])];
  }
  const ambiguities = [...byTerm.values()];
  const taken = new Set(byTerm.keys());
  for (const one of ambiguities) {
    // A knowledge entry that repeats a critical fragment answers to its own name only (spec 3): no words of the request
    // lead to it. Its name may be two names in one.
    if (one.kind !== "knowledge") continue;
    for (const name of namesWithin(one.term)) {
      const key = normalKey(name);
      if (taken.has(key)) continue;
      taken.add(key);
      one.aliases.push(name);
    }
  }
  return { ambiguities, merged };
}

/** ` word word `, for containment on word boundaries. */
const words = (text: string): string =>
  ` ${tokenise(text)
    .map(({ key }) => key)
    .join(" ")} `;

/**
 * Step 2: the reviewed repairs, then one ambiguity a term (spec 2, bird-interact). A counted ambiguity without a fragment
 * and without a deleted knowledge entry has nothing that an answer could be made of; the task is dropped until somebody
 * reviews a repair for it.
 */
export const registerAmbiguities = itemStage({
  name: "register-ambiguities",
  version: "1",
  module: import.meta.url,
  select: ({ instance_id, amb_user_query, critical, knowledge, non_critical, repairs }: SourceTask) => ({
    instance_id,
    amb_user_query,
    critical,
    knowledge,
    non_critical,
    repairs,
  }),
  run(task) {
    const { ambiguities, merged } = mergeTerms(applyRepairs(annotationsOf(task), task.repairs));
    const unanswerable = ambiguities.find(
      ({ counts, fragments, deleted_knowledge }) =>
        counts && fragments.length === 0 && deleted_knowledge.length === 0,
    );
    if (unanswerable !== undefined) {
      return drop("no_resolution", `"${unanswerable.term}" has no fragment; ${REPAIRS_FILE} may supply it`);
    }
    const findings: Finding[] = [
      ...task.repairs.map(({ field, why }) => ({ code: "repaired" as const, detail: `${field}: ${why}` })),
      ...merged.map((term) => ({
        code: "merged_terms" as const,
        detail: `"${term}" is annotated twice and is one ambiguity`,
      })),
    ];
    const notes = findings.map(({ detail }) => detail);
    const request = words(task.amb_user_query);
    for (const { term, counts } of ambiguities) {
      if (counts && !request.includes(words(term)))
        findings.push({ code: "term_not_in_request", detail: `"${term}" is not in the request` });
    }
    return keep({ ambiguities, notes }, asEvidence(findings));
  },
  merge: (task, made): RegisteredTask => ({ ...task, ...made }),
});
