import { basename } from "node:path/posix";
import { parse } from "csv-parse/sync";
import iconv from "iconv-lite";

/** One line of a description file. Texts are as upstream wrote them, outer white space off. */
export interface DescribedColumn {
  /** Where in the file, from 1, the header being line 1 of the records. */
  record: number;
  original_column_name: string;
  column_name: string;
  column_description: string;
  value_description: string;
}

/** What a `database_description/<table>.csv` says, and what was odd about it. */
export interface Description {
  /** The file's name without `.csv`: the table, as far as upstream kept to its name. */
  table: string;
  encoding: "utf-8" | "windows-1252";
  columns: DescribedColumn[];
  /** One sentence each; empty for a file that is as it should be. */
  oddities: string[];
}

const FIELDS = ["original_column_name", "column_name", "column_description", "value_description"] as const;
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * UTF-8 where the bytes are that, else Windows-1252, which upstream's files hold too, even behind a UTF-8 mark. iconv-lite
 * decodes it: this Node's own decoder maps 0x80 to 0x9F to control characters.
 */
function decode(bytes: Buffer): { text: string; encoding: Description["encoding"] } {
  const marked = bytes.subarray(0, 3).equals(UTF8_MARK);
  const content = marked ? bytes.subarray(3) : bytes;
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(content), encoding: "utf-8" };
  } catch {
    return { text: iconv.decode(content, "win1252"), encoding: "windows-1252" };
  }
}

/** Reads a description file. Never fails: what cannot be made sense of is an oddity. */
export function parseDescription(path: string, bytes: Buffer): Description {
  const table = basename(path).replace(/\.csv$/i, "");
  const { text, encoding } = decode(bytes);
  const oddities = encoding === "utf-8" ? [] : ["is not UTF-8 and was read as Windows-1252"];
  let records: string[][];
  try {
    records = parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  } catch (cause) {
    return {
      table,
      encoding,
      columns: [],
      oddities: [...oddities, `is no CSV: ${(cause as Error).message}`],
    };
  }
  const [header = [], ...lines] = records.map((cells) => cells.map((cell) => cell.trim()));
  const places = FIELDS.map((field) => header.findIndex((name) => name.toLowerCase() === field));
  if (places[0] === -1) {
    return { table, encoding, columns: [], oddities: [...oddities, "has no column original_column_name"] };
  }
  if (header.includes("")) oddities.push("has a header cell without a name");
  for (const [at, place] of places.entries()) if (place === -1) oddities.push(`has no column ${FIELDS[at]}`);
  const columns = lines.flatMap((cells, at): DescribedColumn[] => {
    const cell = (field: number): string => cells[places[field] ?? -1] ?? "";
    if (cells.every((one) => one === "")) return [];
    if (cell(0) === "") oddities.push(`describes no named column in record ${at + 2}`);
    // A comma that nobody quoted moves what stands after it into the wrong cells.
    if (cells.length > header.length) oddities.push(`has more cells than its header in record ${at + 2}`);
    return [
      {
        record: at + 2,
        original_column_name: cell(0),
        column_name: cell(1),
        column_description: cell(2),
        value_description: cell(3),
      },
    ];
  });
  return { table, encoding, columns, oddities };
}
