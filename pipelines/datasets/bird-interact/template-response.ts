/** The response without a model: what the annotation decides, said in words by rule. It is marked `template`. */
import { fragmentWords } from "./fragment-words.js";
import type { RegisteredAmbiguity, WithheldKnowledge } from "./items.js";
import { latexText } from "./latex-text.js";

const sentence = (text: string): string => {
  const said = text.replace(/\s+/g, " ").trim();
  return said === "" || /[.!]["”)]?$/.test(said) ? said : `${said}.`;
};

/** What a withheld entry says, in plain text. */
export const definitionText = ({
  description,
  definition,
}: {
  description: string;
  definition: string;
}): string => [sentence(description), sentence(latexText(definition))].filter(Boolean).join(" ");

/**
 * `By "signal quality" I mean this: snr ratio minus 0.1 times …`, or the withheld definition in plain text. A fragment
 * without a word in it (a bare placeholder) says that the term matters and no more.
 */
export function templateResponse(
  { term, kind, fragments, deleted_knowledge }: RegisteredAmbiguity,
  { withheld }: WithheldKnowledge,
): string {
  const entries = withheld.filter(({ id }) => deleted_knowledge.includes(id));
  if (kind === "knowledge" && entries.length > 0) {
    return `By "${term}" I mean this: ${entries.map(definitionText).join(" ")}`;
  }
  const said = fragments.map(fragmentWords).filter((text) => text !== "");
  if (said.length === 0) return `"${term}" is to be taken as it is usually meant.`;
  return sentence(`By "${term}" I mean this: ${said.join("; and ")}`);
}

/** The stored resolution: the definition as the knowledge base has it, else the annotated pieces of the solution. */
export function resolutionOf(
  { kind, fragments, deleted_knowledge }: RegisteredAmbiguity,
  { withheld }: WithheldKnowledge,
): string {
  const entries = withheld.filter(({ id }) => deleted_knowledge.includes(id));
  if (kind === "knowledge" && entries.length > 0) {
    return entries
      .map(({ name, description, definition }) => `${name}: ${description} ${definition}`)
      .join("\n");
  }
  return fragments.join("\n");
}

/** The ambiguity as the record has it, but for its response. */
export function annotatedOf(
  ambiguity: RegisteredAmbiguity,
  knowledge: WithheldKnowledge,
): { term: string; kind: RegisteredAmbiguity["kind"]; resolution: string; sql_snippet?: string } {
  const { term, kind, fragments } = ambiguity;
  const resolution = resolutionOf(ambiguity, knowledge);
  return { term, kind, resolution, ...(fragments.length === 0 ? {} : { sql_snippet: fragments.join("\n") }) };
}
