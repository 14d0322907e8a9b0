import type { Cell } from "../cell.js";
import type { CellDecoder } from "./cells.js";

/**
 * Reads PostgreSQL's text form of an array, `{1,NULL,"a \"b\"",{…}}`, with an optional `[1:2]=` in front, into cells. An
 * inner array is an array cell. The server wrote the text, so what does not parse is a fault of ours and throws a
 * SyntaxError.
 */
export function parseArray(text: string, element: CellDecoder, delimiter: string): Cell[] {
  let at = text.startsWith("[") ? text.indexOf("=") + 1 : 0;

  const quoted = (): string => {
    let value = "";
    for (at++; text[at] !== '"'; at++) {
      if (text[at] === "\\") at++;
      if (at >= text.length) throw new SyntaxError(`not an array: ${text.slice(0, 80)}`);
      value += text[at];
    }
    at++;
    return value;
  };

  const bare = (): Cell => {
    let value = "";
    for (; text[at] !== delimiter && text[at] !== "}"; at++) {
      if (at >= text.length) throw new SyntaxError(`not an array: ${text.slice(0, 80)}`);
      if (text[at] === "\\") at++;
      value += text[at];
    }
    return value === "NULL" ? null : element(value);
  };

  const list = (): Cell[] => {
    if (text[at] !== "{") throw new SyntaxError(`not an array: ${text.slice(0, 80)}`);
    at++;
    const cells: Cell[] = [];
    while (text[at] !== "}") {
      if (text[at] === "{") cells.push(`a${JSON.stringify(list())}`);
      else if (text[at] === '"') cells.push(element(quoted()));
      else cells.push(bare());
      if (text[at] === delimiter) at++;
    }
    at++;
    return cells;
  };

  return list();
}
