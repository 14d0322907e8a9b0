import { describe, expect, it } from "vitest";
import {
  OPERATOR_NAMES,
  type OperatorName,
  proposeReadings,
} from "../../../../pipelines/datasets/bird/readings/index.js";
import { shop, shopValues } from "./shop.js";

interface Case {
  operator: OperatorName;
  form: string;
  question: string;
  sql: string;
  edited: string;
  reference: string;
  alternative: string;
  anchor: string | null;
}

const CASES: Case[] = [
  {
    operator: "other-column",
    form: "shown",
    question: "What are the names of the customers in the Private segment?",
    sql: "SELECT full_name FROM customer WHERE segment = 'Private'",
    edited: "SELECT first_name FROM customer WHERE segment = 'Private'",
    reference: "the full name of the customer",
    alternative: "the first name of the customer",
    anchor: null,
  },
  {
    operator: "other-column",
    form: "linked",
    question: "How many customers are from Lund?",
    sql: "SELECT COUNT(T1.id) FROM customer AS T1 INNER JOIN city AS T2 ON T1.home_city_id = T2.id WHERE T2.city_name = 'Lund'",
    edited:
      "SELECT COUNT(T1.id) FROM customer AS T1 INNER JOIN city AS T2 ON T1.work_city_id = T2.id WHERE T2.city_name = 'Lund'",
    reference: "the home city of the customer",
    alternative: "the work city of the customer",
    anchor: null,
  },
  {
    operator: "other-column",
    form: "ordered",
    question: "Which purchase had the highest cost?",
    sql: "SELECT id, cost FROM purchase ORDER BY cost DESC LIMIT 1",
    edited: "SELECT id, net_cost FROM purchase ORDER BY net_cost DESC LIMIT 1",
    reference: "the cost of the purchase",
    alternative: "the net cost of the purchase",
    anchor: "cost",
  },
  {
    operator: "other-aggregate",
    form: "AVG or SUM",
    question: "What is the average cost of a purchase?",
    sql: "SELECT AVG(cost) FROM purchase",
    edited: "SELECT SUM(cost) FROM purchase",
    reference: "the average cost",
    alternative: "the total cost",
    anchor: "average",
  },
  {
    operator: "other-aggregate",
    form: "single or summed",
    question: "Which customer spent the most?",
    sql: "SELECT T1.full_name FROM customer AS T1 INNER JOIN purchase AS T2 ON T1.id = T2.customer_id ORDER BY T2.cost DESC LIMIT 1",
    edited:
      "SELECT T1.full_name FROM customer AS T1 INNER JOIN purchase AS T2 ON T1.id = T2.customer_id GROUP BY T1.id ORDER BY SUM(T2.cost) DESC LIMIT 1",
    reference: "the highest single cost",
    alternative: "the highest total of the cost, added up for each customer",
    anchor: "most",
  },
  {
    operator: "other-aggregate",
    form: "summed or single",
    question: "Which customer spent the most?",
    sql: "SELECT customer_id FROM purchase GROUP BY customer_id ORDER BY SUM(cost) DESC LIMIT 1",
    edited: "SELECT customer_id FROM purchase ORDER BY cost DESC LIMIT 1",
    reference: "the highest total of the cost",
    alternative: "the highest single cost among all purchases",
    anchor: null,
  },
  {
    operator: "inclusive-bound",
    form: "between",
    question: "How many customers are between 170 and 180 cm tall?",
    sql: "SELECT COUNT(*) FROM customer WHERE height_cm BETWEEN 170 AND 180",
    edited: "SELECT COUNT(*) FROM customer WHERE height_cm > 170 AND height_cm < 180",
    reference: "the height in cm is from 170 to 180, with both of these included",
    alternative: "the height in cm is between 170 and 180, with neither of these included",
    anchor: "between 170 and 180",
  },
  {
    operator: "inclusive-bound",
    form: "date",
    question: "Which purchases were made after 2019?",
    sql: "SELECT id FROM purchase WHERE STRFTIME('%Y', bought_on) > '2019'",
    edited: "SELECT id FROM purchase WHERE STRFTIME('%Y', bought_on) >= '2019'",
    reference: "the bought on is after 2019",
    alternative: "the bought on is from 2019 on",
    anchor: "made after 2019",
  },
  {
    operator: "inclusive-bound",
    form: "number",
    question: "Which customers have over 3 purchases?",
    sql: "SELECT customer_id FROM purchase GROUP BY customer_id HAVING 3 < COUNT(id)",
    edited: "SELECT customer_id FROM purchase GROUP BY customer_id HAVING 3 <= COUNT(id)",
    reference: "the number of purchases is more than 3",
    alternative: "the number of purchases is 3 or more",
    anchor: "have over 3",
  },
  {
    operator: "top-k-or-direction",
    form: "direction",
    question: "Which customer comes first by age?",
    sql: "SELECT full_name FROM customer ORDER BY birth_date LIMIT 1",
    edited: "SELECT full_name FROM customer ORDER BY birth_date DESC LIMIT 1",
    reference: "those with the earliest birth date",
    alternative: "those with the latest birth date",
    anchor: "first",
  },
  {
    operator: "top-k-or-direction",
    form: "how many",
    question: "Name some customers by height.",
    sql: "SELECT full_name FROM customer ORDER BY height_cm DESC LIMIT 5",
    edited: "SELECT full_name FROM customer ORDER BY height_cm DESC LIMIT 1",
    reference: "the first 5",
    alternative: "only the first one",
    anchor: "some customers",
  },
  {
    operator: "top-k-or-direction",
    form: "extreme",
    question: "What is the best cost of a purchase?",
    sql: "SELECT MIN(cost) FROM purchase",
    edited: "SELECT MAX(cost) FROM purchase",
    reference: "the lowest cost",
    alternative: "the highest cost",
    anchor: "best",
  },
  {
    operator: "ties",
    form: "one or all",
    question: "Name the tallest customer.",
    sql: "SELECT full_name FROM customer ORDER BY height_cm DESC LIMIT 1",
    edited:
      "SELECT full_name FROM customer WHERE height_cm = (SELECT height_cm FROM customer ORDER BY height_cm DESC LIMIT 1)",
    reference: "just one, even if others share the highest height in cm",
    alternative: "all that share the highest height in cm",
    anchor: "tallest",
  },
  {
    operator: "ties",
    form: "one or all",
    question: "Which customer has the most purchases?",
    sql: "SELECT customer_id FROM purchase GROUP BY customer_id ORDER BY COUNT(id) DESC LIMIT 1",
    edited:
      "SELECT customer_id FROM purchase GROUP BY customer_id HAVING COUNT(id) = (SELECT COUNT(id) FROM purchase GROUP BY customer_id ORDER BY COUNT(id) DESC LIMIT 1)",
    reference: "just one, even if others share the highest number of purchases",
    alternative: "all that share the highest number of purchases",
    anchor: "most",
  },
  {
    operator: "ties",
    form: "cut or all",
    question: "Name the 3 tallest customers.",
    sql: "SELECT full_name FROM customer ORDER BY height_cm DESC LIMIT 3",
    edited:
      "SELECT full_name FROM customer WHERE height_cm >= (SELECT height_cm FROM customer ORDER BY height_cm DESC LIMIT 1 OFFSET 2)",
    reference: "just 3, even if others share the highest height in cm",
    alternative: "all that share the highest height in cm",
    anchor: "tallest",
  },
  {
    operator: "ties",
    form: "all or one",
    question: "Name the tallest customer.",
    sql: "SELECT full_name FROM customer WHERE height_cm = (SELECT MAX(height_cm) FROM customer)",
    edited:
      "SELECT full_name FROM customer WHERE height_cm = (SELECT MAX(height_cm) FROM customer) ORDER BY height_cm DESC LIMIT 1",
    reference: "all that share the highest height in cm",
    alternative: "just one, even if others share the highest height in cm",
    anchor: "tallest",
  },
  {
    operator: "other-literal",
    form: "containing",
    question: "How many private customers are there?",
    sql: "SELECT COUNT(*) FROM customer WHERE segment = 'Private'",
    edited: "SELECT COUNT(*) FROM customer WHERE segment LIKE '%Private%'",
    reference: 'the segment is exactly "Private"',
    alternative: 'the segment has "Private" anywhere in it',
    anchor: "private",
  },
  {
    operator: "other-literal",
    form: "similar",
    question: "How many private customers are there?",
    sql: "SELECT COUNT(*) FROM customer WHERE segment = 'Private Plus'",
    edited: "SELECT COUNT(*) FROM customer WHERE segment = 'Private'",
    reference: 'the segment is exactly "Private Plus"',
    alternative: 'the segment is "Private"',
    anchor: "private",
  },
  {
    operator: "other-literal",
    form: "state",
    question: "How many active customers are there?",
    sql: "SELECT COUNT(*) FROM customer WHERE status = 'A'",
    edited: "SELECT COUNT(*) FROM customer WHERE status = 'B'",
    reference: 'the status is exactly "A"',
    alternative: 'the status is "B"',
    anchor: null,
  },
  {
    operator: "distinct-or-all",
    form: "count",
    question: "How many customers made a purchase over 100?",
    sql: "SELECT COUNT(T1.id) FROM customer AS T1 INNER JOIN purchase AS T2 ON T1.id = T2.customer_id WHERE T2.cost > 100",
    edited:
      "SELECT COUNT(DISTINCT T1.id) FROM customer AS T1 INNER JOIN purchase AS T2 ON T1.id = T2.customer_id WHERE T2.cost > 100",
    reference: "every matching row, so that one of the customers may count more than once",
    alternative: "different customers, each counted once",
    anchor: "How many customers",
  },
  {
    operator: "distinct-or-all",
    form: "rows",
    question: "List five regions.",
    sql: "SELECT region FROM city LIMIT 5",
    edited: "SELECT DISTINCT region FROM city LIMIT 5",
    reference: "the regions as they come, repeats included",
    alternative: "each of the regions once",
    anchor: "regions",
  },
  {
    operator: "date-granularity",
    form: "year or day",
    question: "Which purchases were made after 2019/1/1?",
    sql: "SELECT id FROM purchase WHERE STRFTIME('%Y', bought_on) > '2019'",
    edited: "SELECT id FROM purchase WHERE DATE(bought_on) > '2019-01-01'",
    reference: "the bought on is in a year after 2019",
    alternative: "the bought on is after 1 January 2019, the rest of 2019 included",
    anchor: "made after 2019",
  },
  {
    operator: "date-granularity",
    form: "day or month",
    question: "Which purchases were made after the spring of 2019?",
    sql: "SELECT id FROM purchase WHERE bought_on > '2019-05-31'",
    edited: "SELECT id FROM purchase WHERE STRFTIME('%Y-%m', bought_on) > '2019-05'",
    reference: "the bought on is after 2019-05-31",
    alternative: "the bought on is later than all of 2019-05",
    anchor: "of 2019",
  },
  {
    operator: "date-granularity",
    form: "calendar or full years",
    question: "How many years old were they at each purchase?",
    sql: "SELECT STRFTIME('%Y', T2.bought_on) - STRFTIME('%Y', T1.birth_date) FROM customer AS T1 INNER JOIN purchase AS T2 ON T1.id = T2.customer_id",
    edited:
      "SELECT STRFTIME('%Y', T2.bought_on) - STRFTIME('%Y', T1.birth_date) - (STRFTIME('%m-%d', T2.bought_on) < STRFTIME('%m-%d', T1.birth_date)) FROM customer AS T1 INNER JOIN purchase AS T2 ON T1.id = T2.customer_id",
    reference: "the one year's number less the other's, whatever the day",
    alternative: "full years gone by, so that the last one counts only when its day has come",
    anchor: "years old",
  },
  {
    operator: "null-treatment",
    form: "unequal",
    question: "List the customers who are not private.",
    sql: "SELECT full_name FROM customer WHERE segment != 'Private'",
    edited: "SELECT full_name FROM customer WHERE segment <> 'Private' OR segment IS NULL",
    reference: "the segment is something other than Private, and is known",
    alternative: "the segment is something other than Private, or is not recorded at all",
    anchor: "not private",
  },
  {
    operator: "null-treatment",
    form: "empty",
    question: "Which purchases have no note?",
    sql: "SELECT id FROM purchase WHERE note IS NULL",
    edited: "SELECT id FROM purchase WHERE note IS NULL OR note = ''",
    reference: "the note is not recorded",
    alternative: "the note is not recorded or is an empty text",
    anchor: "no",
  },
  {
    operator: "null-treatment",
    form: "nought",
    question: "Which customers have a missing weight?",
    sql: "SELECT full_name FROM customer WHERE weight_kg IS NULL OR weight_kg = 0",
    edited: "SELECT full_name FROM customer WHERE weight_kg IS NULL",
    reference: "the weight in kg is not recorded or is 0",
    alternative: "the weight in kg is not recorded; a 0 counts as a value",
    anchor: "missing",
  },
  {
    operator: "null-treatment",
    form: "nought in the aggregate",
    question: "What is the average weight?",
    sql: "SELECT AVG(weight_kg) FROM customer",
    edited: "SELECT AVG(NULLIF(weight_kg, 0)) FROM customer",
    reference: "a weight in kg of 0 is a value like any other",
    alternative: "a weight in kg of 0 means that it is not known, and is left out",
    anchor: "average weight",
  },
  {
    operator: "null-treatment",
    form: "average",
    question: "What is the average weight?",
    sql: "SELECT AVG(weight_kg) FROM customer",
    edited: "SELECT AVG(COALESCE(weight_kg, 0)) FROM customer",
    reference: "only customers whose weight in kg is recorded enter the average",
    alternative: "a weight in kg that is not recorded counts as 0 in the average",
    anchor: "average weight",
  },
  {
    operator: "null-treatment",
    form: "count",
    question: "How many notes are there?",
    sql: "SELECT COUNT(note) FROM purchase",
    edited: "SELECT COUNT(*) FROM purchase",
    reference: "only purchases that have a note are counted",
    alternative: "all purchases are counted, with or without a note",
    anchor: "notes",
  },
  {
    operator: "null-treatment",
    form: "order",
    question: "Who is the lightest customer?",
    sql: "SELECT full_name FROM customer ORDER BY weight_kg LIMIT 1",
    edited:
      "SELECT full_name FROM customer WHERE weight_kg IS NOT NULL AND weight_kg <> 0 ORDER BY weight_kg LIMIT 1",
    reference: "customers with a weight in kg of 0, or none recorded, come first",
    alternative: "customers with a weight in kg of 0, or none recorded, are left out",
    anchor: "lightest",
  },
  {
    operator: "ratio-or-percentage",
    form: "percentage or ratio",
    question: "What percentage of the customers are private?",
    sql: "SELECT CAST(SUM(CASE WHEN segment = 'Private' THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*) FROM customer",
    edited:
      "SELECT CAST(SUM(CASE WHEN segment = 'Private' THEN 1 ELSE 0 END) AS REAL) / COUNT(*) FROM customer",
    reference: "a percentage, from 0 to 100",
    alternative: "a plain ratio, not multiplied by 100",
    anchor: "percentage",
  },
  {
    operator: "ratio-or-percentage",
    form: "ratio or percentage",
    question: "What share of the customers are private?",
    sql: "SELECT CAST(SUM(IIF(segment = 'Private', 1, 0)) AS REAL) / COUNT(*) FROM customer",
    edited: "SELECT CAST(SUM(IIF(segment = 'Private', 1, 0)) AS REAL) / COUNT(*) * 100 FROM customer",
    reference: "a plain ratio, not multiplied by 100",
    alternative: "a percentage, from 0 to 100",
    anchor: "share",
  },
  {
    operator: "scope",
    form: "share of",
    question: "What percentage are tall private customers?",
    sql: "SELECT SUM(CASE WHEN height_cm > 180 THEN 1.0 ELSE 0 END) / COUNT(id) FROM customer WHERE segment = 'Private'",
    edited:
      "SELECT SUM(CASE WHEN height_cm > 180 THEN 1.0 ELSE 0 END) / (SELECT COUNT(id) FROM customer) FROM customer WHERE segment = 'Private'",
    reference: "a share of only those customers of which the segment is Private",
    alternative: "a share of all customers",
    anchor: "percentage",
  },
  {
    operator: "scope",
    form: "compared with",
    question: "Which private customers are taller than average?",
    sql: "SELECT T1.full_name FROM customer AS T1 WHERE T1.segment = 'Private' AND T1.height_cm > (SELECT AVG(height_cm) FROM customer)",
    edited:
      "SELECT T1.full_name FROM customer AS T1 WHERE T1.segment = 'Private' AND T1.height_cm > (SELECT AVG(height_cm) FROM customer WHERE customer.segment = 'Private')",
    reference: "the average is taken over all customers",
    alternative: "the average is taken only over those of which the segment is Private",
    anchor: "average",
  },
  {
    operator: "scope",
    form: "and, or",
    question: "List tall customers who are private or business.",
    sql: "SELECT id FROM customer WHERE height_cm > 180 AND (segment = 'Private' OR segment = 'Business')",
    edited: "SELECT id FROM customer WHERE height_cm > 180 AND segment = 'Private' OR segment = 'Business'",
    reference:
      "the height in cm is over 180 in either case, whether the segment is Private or the segment is Business",
    alternative:
      "the height in cm is over 180 is asked only of those of which the segment is Private, not of those of which the segment is Business",
    anchor: "private or business",
  },
  {
    operator: "scope",
    form: "join",
    question: "How many purchases did each customer make?",
    sql: "SELECT T1.full_name, COUNT(T2.id) FROM customer AS T1 INNER JOIN purchase AS T2 ON T1.id = T2.customer_id GROUP BY T1.id",
    edited:
      "SELECT T1.full_name, COUNT(T2.id) FROM customer AS T1 LEFT JOIN purchase AS T2 ON T1.id = T2.customer_id GROUP BY T1.id",
    reference: "only customers that have a purchase",
    alternative: "every customer, also one without any purchase",
    anchor: "customer",
  },
];

describe("the operators", () => {
  it.each(CASES.map((one) => [`${one.operator}: ${one.form}: ${one.question}`, one] as const))(
    "%s",
    (_, one) => {
      const proposed = proposeReadings(one.sql, one.question, shop, shopValues);
      const found = "unreadable" in proposed ? [] : proposed.proposals;
      const made = found.filter(({ edit }) => edit.operator === one.operator && edit.form === one.form);
      const { operator, form, reference, alternative, anchor, edited } = one;
      expect(made.map(({ edit, sql }) => ({ ...edit, sql }))).toContainEqual(
        expect.objectContaining({ operator, form, reference, alternative, anchor, sql: edited }),
      );
    },
  );

  it("has a case for each", () => {
    expect(new Set(CASES.map(({ operator }) => operator))).toEqual(new Set(OPERATOR_NAMES));
  });

  it.each([
    [
      "the tallest for the shortest",
      "Who is the tallest customer?",
      "SELECT id FROM customer ORDER BY height_cm DESC LIMIT 1",
      "top-k-or-direction",
    ],
    [
      "a day for its month",
      "What was bought on 2019-05-01?",
      "SELECT id FROM purchase WHERE bought_on = '2019-05-01'",
      "date-granularity",
    ],
    [
      "an average for a share",
      "What is the average rate?",
      "SELECT CAST(SUM(cost) AS REAL) / COUNT(id) FROM purchase WHERE note = 'x'",
      "scope",
    ],
    [
      "another value that the question's word does not fit",
      "How many private plus customers?",
      "SELECT id FROM customer WHERE segment = 'Private Plus'",
      "other-literal",
    ],
    ["another key", "List the purchases.", "SELECT id FROM purchase", "other-column"],
  ])("takes nobody to mistake %s", (_, question, sql, operator) => {
    const proposed = proposeReadings(sql, question, shop, shopValues);
    const found = "unreadable" in proposed ? [] : proposed.proposals;
    expect(found.filter(({ edit }) => edit.operator === operator)).toEqual([]);
  });
});
