import { tokens } from "../../sql/text/tokens.js";

const AS_QUERY = String.raw`WITH\s+(?:RECURSIVE\s+)?["\w]+\s*(?:\([^)]*\)\s*)?AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(`;
const CHANGES = String.raw`INSERT\s+INTO|REPLACE\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM|(?:CREATE|ALTER|DROP)\s+[A-Z]+`;
/** A statement's first words. "Select the rows with …" and "With this in mind" are English. */
const BEGINNING = new RegExp(
  String.raw`(?:${AS_QUERY}|SELECT\b(?=[^;]*?\bFROM\b)|SELECT\s+[\d'(*]|${CHANGES})`,
  "i",
);
const AT_LINE = new RegExp(
  String.raw`^[ \t]*(?:\*{0,2}[A-Za-z][\w ]{0,30}:\*{0,2}\s*)?(${BEGINNING.source})`,
  "im",
);
const IN_BACKTICKS = new RegExp(`(?<!\`)\`((?:${BEGINNING.source})[^\`]+)\`(?!\`)`, "gi");
const WHOLLY = new RegExp(
  String.raw`^(?:\s|--[^\n]*\n|/\*[\s\S]*?\*/|\()*(?:${BEGINNING.source}|VALUES\b|EXPLAIN\b|BEGIN\b|DO\b|CALL\b|SET\b|GRANT\b|COMMENT\b|SELECT\b|WITH\b)`,
  "i",
);

/** Whether a text is SQL from its first word on. */
export const isSql = (text: string): boolean => WHOLLY.test(text);

/** Where the statements that begin at the text's beginning end: at the last `;` that no further statement follows, else at an empty line. */
function statementsEnd(text: string): number {
  let end: number | undefined;
  for (const { kind, text: token, offset } of tokens(text)) {
    if (kind !== "operator" || token !== ";") continue;
    end = offset;
    if (!isSql(text.slice(offset + 1))) break;
  }
  return end ?? /\n[ \t]*\n/.exec(text)?.index ?? text.length;
}

/** SQL that stands in prose without a fence: from a line's beginning, or between single backticks. */
export function sqlInProse(text: string): string | undefined {
  const match = AT_LINE.exec(text);
  if (match !== null) {
    const from = text.slice(match.index + match[0].length - match[1]!.length);
    return from.slice(0, statementsEnd(from)).trim();
  }
  return [...text.matchAll(IN_BACKTICKS)].at(-1)?.[1]?.trim();
}
