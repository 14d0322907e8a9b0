/** The three actions of a model matcher as text (spec 3; paper appendix G). */
import type { RoutingAction } from "../../oracle/index.js";

const CALL = /^\W{0,3}(labell?ed|unlabell?ed|unanswerable)\s*(?:\(([\s\S]*)\))?\W{0,3}$/i;
const NAMED = /^\s*(?:term|segment|clause|str)\s*[:=]\s*/i;
const PAIRS = ['""', "''", "``", "“”", "‘’"];

/** `labeled("late fee")`, as the responder is told it. */
export function actionText(action: RoutingAction): string {
  switch (action.kind) {
    case "labeled":
      return `labeled(${JSON.stringify(action.term)})`;
    case "unlabeled":
      return `unlabeled(${JSON.stringify(action.clause)})`;
    case "unanswerable":
      return "unanswerable()";
  }
}

/** An argument without the quotation marks around it; a JSON string is read as one. */
function argument(text: string): string {
  const given = text.replace(NAMED, "").trim();
  if (given.startsWith('"')) {
    try {
      return String(JSON.parse(given));
    } catch {
      // No JSON string: the marks are taken off below.
    }
  }
  const paired = PAIRS.some(([open, close]) => given.startsWith(open!) && given.endsWith(close!));
  return paired && given.length > 1 ? given.slice(1, -1).trim() : given;
}

/** Reads an action; undefined where it is none of the three or names nothing. Small slips of writing are forgiven. */
export function readAction(text: string): RoutingAction | undefined {
  const [, name = "", inner = ""] = CALL.exec(text.trim()) ?? [];
  const kind = name.toLowerCase().replace("labelled", "labeled");
  if (kind === "unanswerable") return { kind };
  const named = argument(inner);
  if (named === "") return undefined;
  if (kind === "labeled") return { kind, term: named };
  return kind === "unlabeled" ? { kind, clause: named } : undefined;
}
