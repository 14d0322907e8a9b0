import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { parseDescription } from "../../sources/bird/index.js";
import { realData } from "./temporary.js";

const HEADER = "original_column_name,column_name,column_description,data_format,value_description";
const parse = (text: string) => parseDescription("x/docks.csv", Buffer.from(text));

describe("description files", () => {
  it("are read with their quoted line breaks", () => {
    expect(parse(`${HEADER}\r\n rgn ,region,"where, roughly",text,"N: north\nS: south"\r\n`)).toEqual({
      table: "docks",
      encoding: "utf-8",
      oddities: [],
      columns: [
        {
          record: 2,
          original_column_name: "rgn",
          column_name: "region",
          column_description: "where, roughly",
          value_description: "N: north\nS: south",
        },
      ],
    });
  });

  it("may be Windows-1252, behind a UTF-8 mark too: its own signs at 0x80 to 0x9F come out right", () => {
    const bytes = iconv.encode(`${HEADER}\nfare,,price in € – “net”,text,\n`, "win1252");
    for (const content of [bytes, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])]) {
      const { encoding, columns, oddities } = parseDescription("x/fares.csv", content);
      expect(encoding).toBe("windows-1252");
      expect(columns[0]?.column_description).toBe("price in € – “net”");
      expect(columns[0]?.original_column_name).toBe("fare");
      expect(oddities).toEqual(["is not UTF-8 and was read as Windows-1252"]);
    }
  });

  it.each([
    [`${HEADER},\na,,b,,,\n`, ["has a header cell without a name"]],
    [`${HEADER}\na,,b,text,,left over\n`, ["has more cells than its header in record 2"]],
    [`${HEADER}\n,,b,text,\n`, ["describes no named column in record 2"]],
    ["name,text\na,b\n", ["has no column original_column_name"]],
    ["", ["has no column original_column_name"]],
    [
      "original_column_name,column_description\na,b\n",
      ["has no column column_name", "has no column value_description"],
    ],
    [`${HEADER}\na,,"b" c,text,\n`, []],
  ])("%j never stop the reading", (text, oddities) => {
    expect(parse(text).oddities).toEqual(oddities);
  });

  const root = realData("bird");
  it.skipIf(root === undefined)(
    "of BIRD's dev give 75 files and 798 columns, four of them in Windows-1252",
    () => {
      const folder = join(root ?? "", "dev", "dev_databases");
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".csv"),
      );
      const read = files.map((name) => parseDescription(name, readFileSync(join(folder, name))));
      expect(read).toHaveLength(75);
      expect(read.flatMap(({ columns }) => columns)).toHaveLength(798);
      expect(
        read
          .filter(({ encoding }) => encoding === "windows-1252")
          .map(({ table }) => table)
          .sort(),
      ).toEqual(["Player_Attributes", "Team_Attributes", "budget", "qualifying"]);
    },
  );
});
