import type { TaskRecord } from "../../schemas/types/record.js";
import { changingCall, isSignificant, tokens } from "../sql/index.js";

/** PostgreSQL's names for the present time that stand without parentheses. */
const WORDS = new Set(["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP"]);
/** PostgreSQL's functions of the clock or of chance. */
const CALLS = new Set([
  "NOW",
  "CLOCK_TIMESTAMP",
  "STATEMENT_TIMESTAMP",
  "TRANSACTION_TIMESTAMP",
  "TIMEOFDAY",
  "RANDOM",
  "GEN_RANDOM_UUID",
]);
/** Text that PostgreSQL reads as the present time where it is cast to one. */
const TEXTS = /^'(?:now|today|tomorrow|yesterday)'$/i;

function changingPostgresCall(sql: string): string | undefined {
  const words = tokens(sql).filter(isSignificant);
  for (const [at, { kind, text }] of words.entries()) {
    const [before, next] = [words[at - 1]?.text, words[at + 1]?.text];
    if (kind === "identifier" && before !== ".") {
      const word = text.toUpperCase();
      if (WORDS.has(word)) return text;
      if (CALLS.has(word) && next === "(") return `${text}()`;
      // age() of one time counts from today.
      if (word === "AGE" && next === "(" && words[at + 3]?.text === ")") return "age() of one time";
    }
    const cast = /^(?:date|time|timestamp|timestamptz)$/i;
    const isCast = cast.test(before ?? "") || (next === ":" && cast.test(words[at + 3]?.text ?? ""));
    if (kind === "string" && TEXTS.test(text) && isCast) return `the time ${text}`;
  }
  return undefined;
}

/** What in a statement reads the clock or draws at random, outside of strings and comments; undefined: nothing. */
export const clockIn = (
  sql: string,
  engine: TaskRecord["public"]["database"]["engine"],
): string | undefined => (engine === "postgres" ? changingPostgresCall(sql) : changingCall(sql));
