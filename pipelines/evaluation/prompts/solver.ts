/** The solver's prompt (spec 6; paper appendix G): contents are the paper's, words are ours. */
import type { ModelMessage } from "../../model/types.js";
import type { AgentView } from "../../record/views.js";
import type { Exchange } from "../askers/types.js";
import { engineName, section, taskSections } from "./context.js";

/** Template and version: a change of its words is a new version, because it decides answers. */
export const SOLVER_TEMPLATE = "solver@1";

function part(view: AgentView): string {
  const engine = engineName(view);
  const single = view.engine === "sqlite" ? " It must be one statement and no more." : "";
  return `You are a data scientist who writes ${engine} well, and you work on the database "${view.database_id}". Write the ${engine} statement that answers what the user means by the request below. Where the clarification summary settles something, it decides. There is nobody left to ask: decide yourself what is still open.${single}`;
}

const REPLY = `Reason first: which tables and columns are meant, what the clarifications settle, how tables are joined and rows are filtered. Then write the SQL. Reply with one JSON object and nothing else:
{"reasoning":"<your reasoning>","type":"final_sql","output":"<your SQL>"}`;

/** The request and every question with its answer, in order (spec 4, step 4). */
export function clarificationSummary(request: string, dialogue: readonly Exchange[]): string {
  const lines = dialogue.map(
    ({ question, response }, index) => `${index + 1}. Asked: ${question}\n   Answered: ${response}`,
  );
  return [`Original request: ${request}`, ...(lines.length === 0 ? ["Nothing was asked."] : lines)].join(
    "\n",
  );
}

/** What the model solver is sent: the task, which is public, and then the clarifications. */
export function solverMessages(
  view: AgentView,
  dialogue: readonly Exchange[],
  schemaTokens: number,
): ModelMessage[] {
  const task = [section("Your part", part(view)), taskSections(view, schemaTokens)].join("\n\n");
  const summary = section("Clarification summary", clarificationSummary(view.request, dialogue));
  return [
    { role: "system", content: task },
    { role: "user", content: `${summary}\n\n${section("How you reply", REPLY)}` },
  ];
}
