/**
 * What every prompt to an asker or a solver says of the task (spec 6; paper appendix G): database, schema with examples
 * and column meanings, public knowledge, request. It is made of the agent's view alone, so it can hold nothing else.
 */
import { type SchemaText, schemaText } from "../../record/schema-text.js";
import type { AgentView } from "../../record/views.js";

/** Estimated tokens that a prompt's schema may take, where a run does not say. */
export const SCHEMA_TOKENS = 8000;

/** The engine as its users call it. */
export const engineName = ({ engine }: Pick<AgentView, "engine">): string =>
  engine === "postgres" ? "PostgreSQL" : "SQLite";

/** A section with its heading; an empty one says so, so that no reader looks for what is not there. */
export const section = (heading: string, text: string): string =>
  `# ${heading}\n${text === "" ? "(none)" : text}`;

interface Sections {
  readonly budget: number;
  readonly text: string;
  readonly schema: SchemaText;
}

/** A task's sections serve all its turns, seeds and conditions; they go when the view goes. */
const known = new WeakMap<AgentView, Sections>();

function sectionsOf(view: AgentView, budget: number): Sections {
  const before = known.get(view);
  if (before?.budget === budget) return before;
  const schema = schemaText(view.schema, { columnMeanings: view.column_meanings, budget });
  const knowledge = view.external_knowledge.map(({ name, description, definition }) => {
    const what = description === "" ? "" : ` (${description})`;
    return `- ${name}${what}: ${definition}`;
  });
  const text = [
    section("Database schema, with column meanings and examples of values", schema.text),
    section("Knowledge that is given", knowledge.join("\n")),
    section("Request", view.request),
  ].join("\n\n");
  const made = { budget, text, schema };
  known.set(view, made);
  return made;
}

/** The sections on the task, the same text for the same view and budget. */
export const taskSections = (view: AgentView, budget: number): string => sectionsOf(view, budget).text;
