// The sample's tasks, each as upstream writes a line of bird_interact_data.jsonl, and what the authors would hold back of
// it (`truth`): solution, tests, knowledge ids. All of it is ours; each task is here for something that upstream's have.

const critical = (term, sql_snippet, type = "knowledge_linking_ambiguity", is_mask = true) => ({ term, sql_snippet, is_mask, type });
const minor = (term, sql_snippet, type) => ({ term, sql_snippet, is_mask: false, type });
const known = (term, sql_snippet, deleted_knowledge) => ({ term, sql_snippet, is_mask: true, type: "knowledge_ambiguity", deleted_knowledge });
const conditions = (order = false, decimal = -1) => ({ decimal, distinct: false, order });

/** A test as upstream writes them: a function over a connection, that asserts. */
const test = (body) => `\ndef test_case(pred_sqls, sol_sqls, db_name, conn):\n${body.map((line) => `    ${line}`).join("\n")}\n`;

const STAY = "AVG(EXTRACT(EPOCH FROM (pc.departed - pc.arrived)) / 3600)";
const DELAY_COST = "pc.delayhrs * 0.05 * s.grosston";

export const TASKS = [
  {
    // The clear text is given, knowledge repeats a critical fragment, a fragment has an alias with a space in it.
    instance_id: "harbour_1",
    query:
      "For each quay, show the average Turnaround Time (TAT) in hours and the number of calls with a Costly Delay, sorted by the average TAT in descending order.",
    request: "For each quay, how long do ships stay on average and how many calls were badly late? Sort by the stay.",
    conditions: conditions(true, 2),
    critical: [
      critical("how long do ships stay", STAY),
      critical("badly late", `COUNT(*) FILTER (WHERE ${DELAY_COST} > 500) AS costly calls`),
    ],
    minor: [minor("order", "ORDER BY avg_tat DESC", "sort_ambiguity"), minor("rounded", "ROUND(..., 2)", "decimal_ambiguity")],
    knowledge: [known("Turnaround Time (TAT)", STAY, 0)],
    follow_up: { query: "How many calls does each quay have?", type: "attribute_change", sol_sql: ["SELECT b.quayname, COUNT(*) FROM portcalls pc JOIN berths b ON b.berthkey = pc.berthref GROUP BY b.quayname"] },
    truth: {
      sol_sql: [
        `-- Average stay and costly delays by quay
SELECT
  b.quayname,
  ROUND(${STAY}, 2) AS avg_tat, -- hours
  COUNT(*) FILTER (WHERE ${DELAY_COST} > 500) AS costly_calls
FROM portcalls pc
JOIN berths b ON b.berthkey = pc.berthref
JOIN ships s ON s.shipkey = pc.shipref
GROUP BY b.quayname
ORDER BY avg_tat DESC;`,
      ],
      external_knowledge: [0, 1, 2],
      test_cases: [],
    },
  },
  {
    // Two annotations of one term, once in capitals: they are one ambiguity with two fragments.
    instance_id: "harbour_2",
    query: "List the Tight Berths with their Draft Safety Margin (DSM).",
    request: "List the risky berths and how much water is left there.",
    conditions: conditions(false, 1),
    critical: [
      critical("risky berths", "(b.depthm - b.maxdraft) < 1.5"),
      critical("water is left", "b.depthm - b.maxdraft"),
      critical("Risky berths", "WHERE b.depthm - b.maxdraft < 1.5", "semantic_ambiguity"),
    ],
    minor: [],
    knowledge: [known("Draft Safety Margin (DSM)", "b.depthm - b.maxdraft", 4)],
    follow_up: null,
    truth: {
      sol_sql: ["SELECT b.berthkey, b.quayname, b.depthm - b.maxdraft AS dsm FROM berths b WHERE (b.depthm - b.maxdraft) < 1.5"],
      external_knowledge: [4, 5],
      test_cases: [],
    },
  },
  {
    // A fragment is missing, and the repair list has it.
    instance_id: "harbour_3",
    request: "Which flags have really old ships, and how old are they on average?",
    conditions: conditions(),
    critical: [critical("really old ships", ""), critical("how old", "AVG(2024 - s.builtyear)", "intent_ambiguity")],
    minor: [minor("unknown flags", "s.flagstate IS NOT NULL", "null_ambiguity")],
    knowledge: [],
    follow_up: null,
    truth: {
      sol_sql: ["SELECT DISTINCT s.flagstate, AVG(2024 - s.builtyear) FROM ships s WHERE s.builtyear < 2000 AND s.flagstate IS NOT NULL GROUP BY s.flagstate"],
      external_knowledge: [],
      test_cases: [],
    },
  },
  {
    // Nothing in it counts: the record stays, as upstream's seven do.
    instance_id: "harbour_4",
    request: "How many calls were cancelled?",
    conditions: conditions(),
    critical: [],
    minor: [minor("rounded", "ROUND(..., 0)", "decimal_ambiguity")],
    knowledge: [],
    follow_up: null,
    truth: { sol_sql: ["SELECT COUNT(*) FROM portcalls WHERE callstate = 'Cancelled'"], external_knowledge: [9], test_cases: [] },
  },
  {
    // Its ground truth was not mailed.
    instance_id: "harbour_5",
    request: "Which gas ships are strong for their size?",
    conditions: conditions(),
    critical: [
      critical("gas ships", "engines -> 'main' ->> 'kind' = 'gas'", "schema_linking_ambiguity"),
      critical("strong for their size", "(engines -> 'main' ->> 'power_kw')::numeric / grosston > 0.2", "semantic_ambiguity"),
    ],
    minor: [],
    knowledge: [],
    follow_up: null,
  },
  {
    instance_id: "harbour_M_1",
    request: "Mark the calls that cost us dearly as 'Surcharged'.",
    category: "Management",
    conditions: conditions(),
    critical: [critical("cost us dearly", `${DELAY_COST} > 500`)],
    minor: [],
    knowledge: [known("Delay Cost Index (DCI)", DELAY_COST, 1)],
    follow_up: null,
    truth: {
      sol_sql: [
        `-- Flag costly delays
UPDATE portcalls pc
SET callstate = 'Surcharged'
FROM ships s
WHERE s.shipkey = pc.shipref AND ${DELAY_COST} > 500;`,
      ],
      external_knowledge: [1, 2],
      test_cases: [
        test([
          'sql = "SELECT COUNT(*) FROM portcalls pc JOIN ships s ON s.shipkey = pc.shipref WHERE pc.delayhrs * 0.05 * s.grosston > 500 AND pc.callstate <> \'Surcharged\';"',
          "rows, error, timeout = execute_queries(sql, db_name, conn)",
          "assert not error and not timeout",
          "assert rows[0][0] == 0, f\"{rows[0][0]} costly calls are not marked\"",
        ]),
        test([
          'rows, _, _ = execute_queries("SELECT COUNT(*) FROM portcalls WHERE callstate = \'Surcharged\'", db_name, conn)',
          "assert rows[0][0] > 0",
        ]),
      ],
    },
  },
  {
    // Several statements in one string, and a view whose rows the test reads.
    instance_id: "harbour_M_2",
    request: "Create a view vw_busy_quays of the busy quays with their load, for the port office.",
    category: "Management",
    conditions: conditions(),
    critical: [critical("busy quays", "HAVING COUNT(*) >= 9", "semantic_ambiguity"), critical("load", "SUM(pc.cargoton) AS total_cargo", "intent_ambiguity")],
    minor: [],
    knowledge: [],
    follow_up: null,
    truth: {
      sol_sql: [
        `DROP VIEW IF EXISTS vw_busy_quays;
CREATE VIEW vw_busy_quays AS
SELECT b.quayname, SUM(pc.cargoton) AS total_cargo
FROM portcalls pc JOIN berths b ON b.berthkey = pc.berthref
GROUP BY b.quayname HAVING COUNT(*) >= 9;`,
      ],
      external_knowledge: [],
      test_cases: [
        test([
          'rows, error, _ = execute_queries("SELECT quayname, total_cargo FROM vw_busy_quays ORDER BY quayname", db_name, conn)',
          "assert not error, \"the view cannot be read\"",
          'expected, _, _ = execute_queries("SELECT b.quayname, SUM(pc.cargoton) FROM portcalls pc JOIN berths b ON b.berthkey = pc.berthref GROUP BY 1 HAVING COUNT(*) >= 9 ORDER BY 1", db_name, conn)',
          "assert rows == expected",
        ]),
      ],
    },
  },
  {
    // A function, statements before and after, and the name that upstream's code gives the latter.
    instance_id: "harbour_M_3",
    request: "Create a function turnaround_hours that gives a call's stay, and note the average in port_notes.",
    category: "Management",
    conditions: conditions(),
    preprocess_sql: ["CREATE TABLE port_notes (note text, value numeric)"],
    clean_up_sql: ["DROP TABLE IF EXISTS port_notes", "DROP FUNCTION IF EXISTS turnaround_hours(text)"],
    critical: [critical("stay", "EXTRACT(EPOCH FROM (departed - arrived)) / 3600")],
    minor: [],
    knowledge: [known("Turnaround Time (TAT)", "EXTRACT(EPOCH FROM (departed - arrived)) / 3600", 0)],
    follow_up: null,
    truth: {
      sol_sql: [
        `CREATE OR REPLACE FUNCTION turnaround_hours(p_call text) RETURNS numeric AS $$
DECLARE
  hours numeric;
BEGIN
  SELECT EXTRACT(EPOCH FROM (departed - arrived)) / 3600 INTO hours FROM portcalls WHERE trim(callkey) = p_call;
  RETURN hours;
END;
$$ LANGUAGE plpgsql;`,
        "INSERT INTO port_notes SELECT 'average stay', AVG(turnaround_hours(trim(callkey))) FROM portcalls;",
      ],
      external_knowledge: [0],
      test_cases: [
        test([
          'rows, error, _ = execute_queries("SELECT turnaround_hours(\'PC1000\')", db_name, conn)',
          "assert not error and abs(float(rows[0][0]) - 5) < 0.001",
          'notes, _, _ = execute_queries("SELECT COUNT(*) FROM port_notes", db_name, conn)',
          "assert notes[0][0] == 1",
        ]),
      ],
    },
  },
  {
    // The deleted entries come as a list, and a decimal condition that upstream's rule ignores.
    instance_id: "orchard_1",
    request: "What do the old groves give, by variety?",
    conditions: conditions(false, 3),
    critical: [critical("old groves", "g.plantedyear < 2005"), critical("give", "SUM(h.weightkg) / g.areaha", "semantic_ambiguity")],
    minor: [minor("decimal places", "ROUND(..., 3)", "decimal_ambiguity")],
    knowledge: [known("Yield per Hectare (YPH)", "SUM(h.weightkg) / g.areaha", [0])],
    follow_up: null,
    truth: {
      sol_sql: [
        "WITH per_grove AS (SELECT g.groveno, g.variety, SUM(h.weightkg) / g.areaha AS yph FROM groves g JOIN harvests h ON h.groveref = g.groveno WHERE g.plantedyear < 2005 GROUP BY g.groveno, g.variety, g.areaha) SELECT variety, ROUND(AVG(yph), 3) FROM per_grove GROUP BY variety",
      ],
      external_knowledge: [0, 2],
      test_cases: [],
    },
  },
  {
    instance_id: "orchard_2",
    request: "When were the best harvests brought in?",
    conditions: conditions(true),
    critical: [critical("best harvests", "h.gradea >= 0.7")],
    minor: [minor("dates", "TO_CHAR(h.harvestday, 'YYYY-MM-DD')", "date_format_ambiguity")],
    knowledge: [],
    follow_up: null,
    truth: { sol_sql: ["SELECT DISTINCT h.harvestday FROM harvests h WHERE h.gradea >= 0.7 ORDER BY h.harvestday"], external_knowledge: [1], test_cases: [] },
  },
  {
    // The solution names a column that the database does not have: the record is not verifiable.
    instance_id: "orchard_3",
    request: "Which groves are thirsty?",
    conditions: conditions(),
    critical: [critical("thirsty", "NOT g.watered", "schema_linking_ambiguity")],
    minor: [],
    knowledge: [],
    follow_up: null,
    truth: { sol_sql: ["SELECT g.groveno FROM groves g WHERE NOT g.watered"], external_knowledge: [], test_cases: [] },
  },
  {
    instance_id: "orchard_M_1",
    request: "Remove the poor harvests from the books.",
    category: "Management",
    conditions: conditions(),
    critical: [critical("poor harvests", "gradea < 0.5", "semantic_ambiguity")],
    minor: [],
    knowledge: [],
    follow_up: null,
    truth: {
      sol_sql: ["DELETE FROM harvests WHERE gradea < 0.5"],
      external_knowledge: [],
      test_cases: [
        test([
          'rows, _, _ = execute_queries("SELECT COUNT(*) FROM harvests WHERE gradea < 0.5", db_name, conn)',
          "assert rows[0][0] == 0",
          'kept, _, _ = execute_queries("SELECT COUNT(*) FROM harvests", db_name, conn)',
          "assert kept[0][0] == 22, kept",
        ]),
      ],
    },
  },
  {
    // Its database is not in the sample.
    instance_id: "lighthouse_1",
    request: "Which lamps are visible from far away?",
    conditions: conditions(),
    critical: [critical("visible from far away", "l.range_nm > 20", "semantic_ambiguity")],
    minor: [],
    knowledge: [known("Luminous Range", "l.range_nm", 3)],
    follow_up: null,
    truth: { sol_sql: ["SELECT l.lampname FROM lamps l WHERE l.range_nm > 20"], external_knowledge: [3], test_cases: [] },
  },
];
