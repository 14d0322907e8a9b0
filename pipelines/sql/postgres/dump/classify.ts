/**
 * Statements of a dump that are about the server it came from and not about the data: who owns what, who may do what, and
 * which databases there are. The loader's role is not allowed to say such things, and a benchmark's answers do not depend
 * on them; they are left out and listed.
 */
const LEFT_OUT: readonly [pattern: RegExp, what: string][] = [
  [/^alter\s[\s\S]*\sowner\s+to\s/i, "owner"],
  [/^(?:grant|revoke)\s/i, "privileges"],
  [/^alter\s+default\s+privileges\s/i, "privileges"],
  [/^(?:create|alter|drop)\s+(?:role|user|group)\s/i, "role"],
  [/^(?:create|alter|drop)\s+database\s/i, "database"],
  [/^(?:create|alter|drop)\s+(?:publication|subscription|tablespace)\s/i, "server object"],
  [/^set\s+(?:session\s+|local\s+)?(?:role|session\s+authorization)\b/i, "role"],
  [/^set\s+client_encoding\b/i, "encoding"],
  [/^set\s+(?:default_tablespace|transaction_timeout|default_with_oids)\b/i, "setting"],
  [/^comment\s+on\s+(?:extension|database|role)\s/i, "comment on a server object"],
  [/^(?:create|drop)\s+schema\s+(?:if\s+(?:not\s+)?exists\s+)?"?public"?\s*$/i, "schema public"],
  [/^comment\s+on\s+schema\s+"?public"?\s/i, "schema public"],
  [/^create\s+extension\s+(?:if\s+not\s+exists\s+)?"?plpgsql"?(?:\s|$)/i, "extension that is there already"],
];

/** Why a statement is left out, or undefined for one that is run. */
export function leftOut(statement: string): string | undefined {
  return LEFT_OUT.find(([pattern]) => pattern.test(statement))?.[1];
}

/** psql's own lines that change nothing here. `\connect` goes with the databases of pg_dump --create. */
export function isHarmlessMeta(line: string): boolean {
  return (
    /^\\(?:restrict|unrestrict|connect|c|encoding|set|unset|pset|echo|timing|q)\b/.test(line) ||
    line === "\\."
  );
}

/** Whether it sets the session up for the statements after it. */
export function isSetting(statement: string): boolean {
  return /^set\s/i.test(statement) || /^select\s+(?:pg_catalog\.)?set_config\s*\(/i.test(statement);
}

const NAME = '(?:"(?:[^"]|"")+"|[A-Za-z_\\u0080-\\uffff][\\w$\\u0080-\\uffff]*)';
const TARGET = new RegExp(`^(?:insert\\s+into|copy)\\s+(${NAME}(?:\\s*\\.\\s*${NAME})?)`, "i");

/** The table that an INSERT or COPY fills, as written. */
export function filledTable(statement: string): string | undefined {
  return TARGET.exec(statement)?.[1];
}

/** Whether it takes rows away again, so that what was put in does not tell what is there. */
export function takesRowsAway(statement: string): boolean {
  return /^(?:delete|truncate|merge|do|call|with)\b/i.test(statement);
}
