/** A small database of our own for the operators: a shop, its customers, their purchases and where they live. */
import Database from "better-sqlite3";
import { type ReadingSchema, readingSchema } from "../../../../pipelines/datasets/bird/readings/index.js";
import { describeConnection } from "../../../../pipelines/sql/index.js";

export const SHOP = `
  CREATE TABLE city (id INTEGER PRIMARY KEY, city_name TEXT, region TEXT);
  CREATE TABLE customer (
    id INTEGER PRIMARY KEY, first_name TEXT, full_name TEXT, birth_date DATE, height_cm INTEGER, weight_kg INTEGER,
    home_city_id INTEGER REFERENCES city (id), work_city_id INTEGER REFERENCES city (id), segment TEXT, status TEXT);
  CREATE TABLE purchase (
    id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), cost REAL, net_cost REAL,
    bought_on DATE, note TEXT);
`;

export const shop: ReadingSchema = (() => {
  const database = new Database(":memory:");
  database.exec(SHOP);
  const schema = readingSchema(describeConnection(database));
  database.close();
  return schema;
})();

export const shopValues = (table: string, column: string): readonly string[] | undefined =>
  table === "customer" && column === "segment"
    ? ["Private", "Private Plus", "Business"]
    : table === "customer" && column === "status"
      ? ["A", "B", "C"]
      : undefined;
