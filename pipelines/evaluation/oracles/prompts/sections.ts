/** Parts that the oracle's prompts share, in our own words. What stands in them is decided by the view alone. */
import type { AnnotatedAmbiguity, RoutingAmbiguity } from "../../../record/views.js";
import { clauses } from "../../../sql/index.js";

/** A titled part of a prompt; nothing where there is nothing to say. */
export function section(title: string, text: string | undefined): string[] {
  return text === undefined || text.trim() === "" ? [] : [`## ${title}\n${text.trim()}`];
}

const isAnnotated = (ambiguity: RoutingAmbiguity): ambiguity is AnnotatedAmbiguity =>
  "resolution" in ambiguity;

/** One JSON line per point: what it is called and, where the view holds it, what was decided. Ids are the run's own. */
export function pointLines(ambiguities: readonly RoutingAmbiguity[]): string {
  return ambiguities
    .map((one) => {
      const { term, kind, aliases } = one;
      const names = { term, kind, ...(aliases.length > 0 ? { also_called: aliases } : {}) };
      if (!isAnnotated(one)) return JSON.stringify(names);
      return JSON.stringify({ ...names, decided: one.resolution, as_a_person_says_it: one.response });
    })
    .join("\n");
}

/** The question as a quotation, so that no line of it passes for a heading of the prompt. */
export const questionSection = (question: string): string[] =>
  section("The assistant's question", question.trim().replace(/^/gm, "> "));

/** Statements one below the other. */
export const sqlText = (statements: readonly string[]): string =>
  statements.map((sql) => sql.trim().replace(/;$/, "")).join(";\n");

/** The clauses of the statements, one a line. */
export const segmentLines = (statements: readonly string[]): string =>
  statements
    .flatMap(clauses)
    .map((clause) => `- ${clause.replace(/\s+/g, " ")}`)
    .join("\n");

/** Knowledge that everybody may read. */
export const knowledgeLines = (
  knowledge: readonly { name: string; description: string; definition: string }[],
): string => knowledge.map((one) => `- ${one.name}: ${one.description} (${one.definition})`).join("\n");
