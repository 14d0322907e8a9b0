import fc from "fast-check";
import type { Expression, Item, Literal, Query } from "../../../pipelines/datasets/taco/verbaliser/index.js";

/** Names as portals have them: shouted, run together, with blanks, like keywords, like the verbaliser's own words. */
export const COLUMN_NAMES = [
  "SITE_NAME",
  "FacilityType",
  "OBJECTID",
  "score",
  "Count",
  "order",
  "total_cost",
  "num of units",
  "over and under",
  "名称",
  "?星级",
  "Unnamed: 1",
  "e-mail",
  "X",
  "value",
  "CLOSED_ON",
  "first",
  "group",
  "a",
  "Planted",
  "acres",
  "it's",
  "FLD_ZONE",
  "date",
  "desc",
  "average score",
  "records",
  "the",
  "NULL",
  "case",
] as const;

export const TABLE_NAMES = [
  "food_inspections_2021",
  "landfills",
  "purchase_orders",
  "traffic_count_2019",
  "site list",
  "records of sales",
  "show",
  "total_average",
  "公园名录",
  "minglu12",
  "first_responders",
  "details",
  "maximum_minimum",
  "SiteScores",
  "missing_values",
] as const;

const literal: fc.Arbitrary<Literal> = fc.oneof(
  fc
    .constantFrom("a", "it's", 'say "x"', "x and y", "", "50%", "Open", "2019-01-05", "或者", "a_b")
    .map((text) => ({ kind: "text" as const, text })),
  fc
    .constantFrom("0", "1", "-5", "2.50", "12345678901234567890", "1e3")
    .map((text) => ({ kind: "number" as const, text })),
  fc.constantFrom("null" as const, "true" as const, "false" as const).map((kind) => ({ kind, text: "" })),
  fc.constantFrom("", "00ff").map((text) => ({ kind: "blob" as const, text })),
);

const isNull = (one: Expression): boolean => one.kind === "literal" && one.literal.kind === "null";

/** Expressions in the reader's own form: no AND in AND, no NOT of a comparison, no list of one. */
export function expressions(columns: readonly string[], aggregates: boolean): fc.Arbitrary<Expression> {
  const column = fc.constantFrom(...columns).map((name): Expression => ({ kind: "column", column: name }));
  const constant = literal.map((one): Expression => ({ kind: "literal", literal: one }));
  const { value } = fc.letrec<{ value: Expression; condition: Expression; leaf: Expression }>((tie) => {
    const inner = tie("value");
    const condition = tie("condition");
    const call = (name: string, args: Expression[], distinct = false): Expression => ({
      kind: "call",
      name,
      distinct,
      star: false,
      args,
    });
    const summaries = aggregates
      ? [
          fc.constant<Expression>({ kind: "call", name: "COUNT", distinct: false, star: true, args: [] }),
          fc
            .tuple(
              fc.constantFrom("COUNT", "SUM", "AVG", "TOTAL", "MIN", "MAX", "GROUP_CONCAT"),
              column,
              fc.boolean(),
            )
            .map(([name, one, distinct]) => call(name, [one], distinct)),
        ]
      : [];
    const likes = fc.record({
      kind: fc.constant("like" as const),
      how: fc.constantFrom("LIKE" as const, "GLOB" as const),
      operand: inner,
      negated: fc.boolean(),
      pattern: fc
        .constantFrom("a%", "%a", "%a%", "a", "%", "a_%", "%x and y", "*a")
        .map((text): Expression => ({ kind: "literal", literal: { kind: "text", text } })),
    });
    const simple: fc.Arbitrary<Expression> = fc.oneof(
      fc.record({
        kind: fc.constant("compare" as const),
        operator: fc.constantFrom(
          "=" as const,
          "<>" as const,
          "<" as const,
          "<=" as const,
          ">" as const,
          ">=" as const,
        ),
        left: inner,
        right: inner,
      }),
      fc.record({
        kind: fc.constant("compare" as const),
        operator: fc.constantFrom("IS" as const, "IS NOT" as const),
        left: inner,
        right: inner.filter((one) => !isNull(one)),
      }),
      fc.record({ kind: fc.constant("missing" as const), operand: inner, negated: fc.boolean() }),
      fc.record({
        kind: fc.constant("between" as const),
        operand: inner,
        low: inner,
        high: inner,
        negated: fc.boolean(),
      }),
      fc.record({
        kind: fc.constant("in" as const),
        operand: inner,
        list: fc.array(inner, { minLength: 2, maxLength: 3 }),
        negated: fc.boolean(),
      }),
      likes,
    );
    const group = (kind: "all" | "any") =>
      fc
        .array(
          condition.filter((one) => one.kind !== kind),
          { minLength: 2, maxLength: 3 },
        )
        .map((operands): Expression => ({ kind, operands }));
    /** What NOT does not fold into. */
    const both = (one: fc.Arbitrary<Expression>) =>
      fc.tuple(one, one).map((operands): Expression => ({ kind: "any", operands }));
    return {
      leaf: fc.oneof({ weight: 3, arbitrary: column }, { weight: 1, arbitrary: constant }),
      value: fc.oneof(
        { maxDepth: 3, depthIdentifier: "expression" },
        tie("leaf"),
        ...summaries,
        fc.record({
          kind: fc.constant("arithmetic" as const),
          operator: fc.constantFrom(
            "+" as const,
            "-" as const,
            "*" as const,
            "/" as const,
            "%" as const,
            "||" as const,
          ),
          left: inner,
          right: inner,
        }),
        fc
          .tuple(fc.constantFrom("UPPER", "LENGTH", "ROUND", "ABS", "HEX"), inner)
          .map(([name, one]) => call(name, [one])),
        fc
          .tuple(fc.constantFrom("COALESCE", "NULLIF", "INSTR"), inner, inner)
          .map(([name, one, two]) => call(name, [one, two])),
        fc.record({
          kind: fc.constant("cast" as const),
          operand: inner,
          type: fc.constantFrom("INTEGER", "REAL", "TEXT"),
        }),
        fc.record({
          kind: fc.constant("unary" as const),
          operator: fc.constantFrom("-" as const, "~" as const),
          operand: column,
        }),
        fc.record({
          kind: fc.constant("case" as const),
          branches: fc.array(fc.record({ when: condition, result: inner }), { minLength: 1, maxLength: 2 }),
          otherwise: fc.option(
            inner.filter((one) => !isNull(one)),
            { nil: null },
          ),
        }),
        condition,
      ),
      condition: fc.oneof(
        { maxDepth: 3, depthIdentifier: "expression" },
        simple,
        group("all"),
        group("any"),
        fc.oneof(column, both(simple)).map((operand): Expression => ({ kind: "not", operand })),
      ),
    };
  });
  return value;
}

/** Queries over the columns that SQLite prepares, in the reader's own form. */
export function queries(columns: readonly string[]): fc.Arbitrary<Query> {
  const plain = expressions(columns, false);
  // A bare number would be a position, and a result that is ordered by must not be one either.
  const term = plain.filter((one) => one.kind !== "literal");
  const item: fc.Arbitrary<Item> = fc.oneof(
    { weight: 5, arbitrary: plain },
    { weight: 1, arbitrary: fc.constant<Item>({ kind: "everything" }) },
  );
  const summed = expressions(columns, true);
  const shape = (
    items: fc.Arbitrary<Item>,
    groups: fc.Arbitrary<Expression[]>,
    having: fc.Arbitrary<Expression | null>,
  ) =>
    fc.record({
      distinct: fc.boolean(),
      items: fc.array(items, { minLength: 1, maxLength: 3 }),
      where: fc.option(plain, { nil: null }),
      groups,
      having,
      orders: fc.array(
        fc.record({
          by: term,
          descending: fc.boolean(),
          nulls: fc.constantFrom("first" as const, "last" as const, null),
        }),
        { maxLength: 2 },
      ),
      limit: fc.option(fc.nat({ max: 20 }), { nil: null }),
      offset: fc.oneof(fc.constant(0), fc.nat({ max: 20 })),
    });
  const nothing = fc.constant<Expression[]>([]);
  return fc
    .oneof(
      shape(item, nothing, fc.constant(null)),
      shape(summed, fc.array(term, { minLength: 1, maxLength: 2 }), fc.option(summed, { nil: null })),
      shape(summed, nothing, fc.constant(null)),
    )
    .map((query) => ({
      ...query,
      // Where NULLs go by themselves is not said.
      orders: query.orders.map((order) => ({
        ...order,
        nulls: order.nulls === (order.descending ? "last" : "first") ? null : order.nulls,
      })),
    }));
}

/** Some columns and some tables. */
export const schemas = fc.record({
  columns: fc.uniqueArray(fc.constantFrom(...COLUMN_NAMES), { minLength: 2, maxLength: 6 }),
  tables: fc.uniqueArray(fc.constantFrom(...TABLE_NAMES), { minLength: 2, maxLength: 4 }),
});
