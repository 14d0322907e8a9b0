import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fitMeanings } from "../../../pipelines/datasets/bird-rows/column-meanings.js";
import { type Description, parseDescription } from "../../../sources/bird/index.js";
import { realData } from "../../sources/temporary.js";

const schemaOf = (tables: Record<string, string[]>) => ({
  tables: Object.entries(tables).map(([name, columns]) => ({
    name,
    columns: columns.map((column) => ({ name: column })),
  })),
});

function file(
  table: string,
  ...lines: [original: string, name: string, description: string, values?: string][]
): Description {
  const columns = lines.map(
    ([original_column_name, column_name, column_description, value_description = ""], at) => ({
      record: at + 2,
      original_column_name,
      column_name,
      column_description,
      value_description,
    }),
  );
  return { table, encoding: "utf-8", columns, oddities: [] };
}

describe("column meanings", () => {
  it("take the database's spelling, and what the file adds to the column's own name", () => {
    const fitted = fitMeanings(schemaOf({ Ports: ["Port_ID", "rgn", "name"] }), [
      file(
        "ports",
        ["port_id", "port id", "number of the port"],
        ["RGN", "region", "where", "N:\n north"],
        ["name", "name", ""],
      ),
    ]);
    expect(fitted).toEqual({
      meanings: { "Ports.Port_ID": "number of the port", "Ports.rgn": "region: where. N: north" },
      mismatches: [],
    });
  });

  it.each([
    ["ruling", "rulings", "text", "text"],
    ["cities", "city", "Free Meal Count (K-12)", "free_meal_count_k12"],
    ["sailings", "sailing", "Departure Time", "departure_time"],
    ["vessels", "vesels", "vesel_nmae", "vesel_nmea"],
  ])("are fitted from %s.csv to %s, and say so", (csv, table, described, column) => {
    const { meanings, mismatches } = fitMeanings(schemaOf({ [table]: [column, "other"], quay: ["id"] }), [
      file(csv, [described, "", "what it is"]),
    ]);
    if (described === "vesel_nmae") {
      // Two letters in another order are two changes: no guess.
      expect(meanings).toEqual({});
      expect(mismatches).toContain(`${csv}.csv describes ${described}, which ${table} has not`);
    } else expect(meanings).toEqual({ [`${table}.${column}`]: "what it is" });
    expect(mismatches).toContain(`${csv}.csv was taken for the table ${table}`);
  });

  it("name what fits nothing, what is described twice, and what was odd", () => {
    const odd = {
      ...file("port", ["id", "", "first"], ["id", "", "second"], ["master", "", "who"]),
      oddities: ["is odd"],
    };
    const { meanings, mismatches } = fitMeanings(schemaOf({ port: ["id"] }), [
      odd,
      file("lighthouse", ["id", "", "x"]),
    ]);
    expect(meanings).toEqual({ "port.id": "first" });
    expect(mismatches).toEqual([
      "port.csv is odd",
      "port.csv describes id twice",
      "port.csv describes master, which port has not",
      "lighthouse.csv describes no table of the database",
    ]);
  });

  it("choose no table where two are as near", () => {
    const { mismatches } = fitMeanings(schemaOf({ Port_s: ["id"], ports_: ["id"] }), [
      file("ports", ["id", "", "x"]),
    ]);
    expect(mismatches).toEqual(["ports.csv describes no table of the database"]);
  });

  const root = realData("bird");
  it.skipIf(root === undefined)("of BIRD's dev fit every described column but one of the older set", () => {
    const unfitted = (folder: string): string[] => {
      const tables = JSON.parse(readFileSync(join(root ?? "", folder, "dev_tables.json"), "utf8")) as {
        db_id: string;
        table_names_original: string[];
        column_names_original: [number, string][];
      }[];
      return tables.flatMap(({ db_id, table_names_original: names, column_names_original: columns }) => {
        const schema = schemaOf(
          Object.fromEntries(
            names.map((name, at) => [
              name,
              columns.flatMap(([table, column]) => (table === at ? [column] : [])),
            ]),
          ),
        );
        const home = join(root ?? "", folder, "dev_databases", db_id, "database_description");
        const files = readdirSync(home)
          .sort()
          .map((name) => parseDescription(name, readFileSync(join(home, name))));
        return fitMeanings(schema, files).mismatches.filter((one) => one.includes(" describes "));
      });
    };
    expect(unfitted("dev")).toEqual([]);
    expect(unfitted("mini_dev")).toEqual(["constructors.csv describes wins, which constructors has not"]);
  });
});
