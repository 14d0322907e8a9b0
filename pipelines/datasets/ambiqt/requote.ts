import Database from "better-sqlite3";
import {
  isPlainIdentifier,
  isSignificant,
  nameOf,
  quoteIdentifier,
  sameName,
  type Token,
  tokens,
} from "../../sql/index.js";

const answers = new Map<string, boolean>();

/**
 * Whether a name must be quoted to stand for a column. SQLite itself says so: an unquoted keyword may not parse
 * (`order`), or may parse as something else (`current_date`), so the name is used on a table that holds a known value.
 */
export function needsQuotes(name: string): boolean {
  if (!isPlainIdentifier(name)) return true;
  const known = answers.get(name);
  if (known !== undefined) return known;
  const db = new Database(":memory:");
  let plain = false;
  try {
    db.exec(`CREATE TABLE t (${quoteIdentifier(name)}); INSERT INTO t VALUES ('the column')`);
    const read = db
      .prepare(`SELECT ${name}, t.${name} FROM t WHERE ${name} = 'the column' ORDER BY ${name}`)
      .raw()
      .get();
    plain = JSON.stringify(read) === '["the column","the column"]';
  } catch (error) {
    if ((error as { code?: unknown }).code !== "SQLITE_ERROR") throw error;
  } finally {
    db.close();
  }
  answers.set(name, !plain);
  return !plain;
}

const isName = (token: Token): boolean => token.kind === "identifier" || token.kind === "quoted_identifier";
const sameText = (a: Token | undefined, b: Token | undefined): boolean =>
  a !== undefined && b !== undefined && sameName(a.text, b.text);

/**
 * Upstream writes an alternative into a reading as bare text, so that `e-mail` becomes a subtraction and `order` a syntax
 * error. The reading is laid beside the original query token by token; where that has the column and the reading has the
 * alternative's text, the alternative is quoted.
 *
 * @returns the reading with the alternative quoted wherever it stands for the column; undefined where the two texts
 *   differ in anything else, so that nothing is guessed
 */
export function requote(
  original: string,
  reading: string,
  column: string,
  alternative: string,
): string | undefined {
  const from = tokens(original).filter(isSignificant);
  const to = tokens(reading).filter(isSignificant);
  const spelled = tokens(alternative).filter(isSignificant);
  let result = "";
  let copied = 0;
  let at = 0;
  for (const token of from) {
    const here = to[at];
    if (here === undefined) return undefined;
    const replaced =
      isName(token) &&
      sameName(nameOf(token), column) &&
      spelled.every((part, index) => sameText(part, to[at + index]));
    if (replaced && spelled.length > 0) {
      const last = to[at + spelled.length - 1]!;
      result += reading.slice(copied, here.offset) + quoteIdentifier(alternative);
      copied = last.offset + last.text.length;
      at += spelled.length;
    } else if (sameText(token, here)) at += 1;
    else return undefined;
  }
  if (at !== to.length) return undefined;
  return result + reading.slice(copied);
}
