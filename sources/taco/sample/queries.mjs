// The query files of the sample: SQL of ours over the databases of ours, good and bad, with a request as upstream has it.
// `database` is the folder; a file's number is its place in the list. Comments name the rule that takes a bad one out.

const FOOD = "food_inspections_2022";
const SPRING = "bus_ridership_spring";
const STREET = "street_trees";

export const QUERIES = [
  {
    region: "us",
    database: "Town of Alder Falls... - 12",
    queries: [
      [`SELECT ${FOOD}.FacilityName, ${FOOD}.Score FROM ${FOOD} WHERE ${FOOD}.Score > 90;`, "Which places scored above 90 in 2022?"],
      // The same statement on another year: another reading of the same request.
      ["SELECT food_inspections_2023.FacilityName, food_inspections_2023.Score FROM food_inspections_2023 WHERE food_inspections_2023.Score > 90;", "Which places scored above 90 in 2023?"],
      [`SELECT DISTINCT ${FOOD}.FacilityType FROM ${FOOD};`, "What types of facility were visited in 2022?"],
      [`SELECT ${FOOD}.Ward, COUNT(*) FROM ${FOOD} GROUP BY ${FOOD}.Ward ORDER BY COUNT(*) DESC;`, "How many visits were there in each ward in 2022?"],
      [`SELECT COUNT(*) FROM ${FOOD} WHERE ${FOOD}."Outcome" = 'Fail';`, "How many visits ended badly in 2022?"],
      ["SELECT FacilityName, VisitDate FROM food_inspections_2021 WHERE FacilityType = 'Bakery' AND Score < 80 ORDER BY VisitDate;", "Which bakeries did poorly in 2021, by date?"],
      [`SELECT AVG(${FOOD}.Score) AS AverageScore, MAX(${FOOD}.Violations) FROM ${FOOD} WHERE ${FOOD}.Ward IN (1, 3, 5);`, "Average score and most violations in wards 1, 3 and 5."],
      [`SELECT FacilityName, Officer FROM ${FOOD} WHERE Officer IS NOT NULL AND VisitDate BETWEEN '2022-03-01' AND '2022-06-30' LIMIT 10;`, "Who visited what from March to June 2022?"],
      ["SELECT FacilityName FROM food_inspections_2023 WHERE FacilityName LIKE '%School%' OR (Violations >= 4 AND NOT Ward = 2);", "School places and those with four or more violations outside ward 2."],
      [`SELECT FacilityType, CASE WHEN Score >= 90 THEN 'high' WHEN Score >= 75 THEN 'middle' ELSE 'low' END AS band, COUNT(*) AS n FROM ${FOOD} GROUP BY FacilityType, band HAVING n > 2 ORDER BY n DESC, FacilityType;`, "Bands of scores by type of facility."],
      ["SELECT PERMIT_NO, EST_COST FROM building_permits_2023 WHERE EST_COST > 15000 ORDER BY EST_COST DESC LIMIT 5;", "The five dearest jobs of 2023."],
      ["SELECT WORK_TYPE, SUM(EST_COST) FROM building_permits_2022 GROUP BY WORK_TYPE;", "Money by kind of work in 2022."],
      ["SELECT ADDRESS FROM building_permits_2022 WHERE WORK_TYPE = \"Fence\" AND CLOSED_ON IS NULL;", "Open fence jobs of 2022."],
      ["SELECT strftime('%m', CLOSED_ON), COUNT(DISTINCT WARD) FROM building_permits_2023 WHERE CLOSED_ON IS NOT NULL GROUP BY 1;", "In how many wards were jobs closed each month of 2023?"],
      ["SELECT ROUND(EST_COST / 1000, 1), UPPER(ADDRESS) FROM building_permits_2023 WHERE WARD <> 4 LIMIT 10 OFFSET 5;", "Costs in thousands with addresses in capitals."],
      // The table's year stands in a literal, as it may.
      ["SELECT ADDRESS, CLOSED_ON FROM building_permits_2022 WHERE CLOSED_ON >= '2022-10-01';", "What was closed late in 2022?"],
      // The other year has no such row.
      ["SELECT ADDRESS FROM building_permits_2022 WHERE CLOSED_ON LIKE '2022-1%';", "What was closed in the last quarter of 2022?"],
      // Only this table has these columns.
      ["SELECT BranchName FROM library_branches WHERE OpenHours > 28;", "Which branches are open more than 28 hours?"],
      // Both years give the same answer.
      ["SELECT COUNT(*) FROM building_permits_2022;", "How many jobs were there in 2022?"],
      // No rows.
      [`SELECT FacilityName FROM ${FOOD} WHERE Score > 500;`, "Which places scored above 500?"],
      // An unfilled placeholder.
      [`SELECT "FacilityName" FROM ${FOOD} WHERE "Ward" = _ ;`, "Places in a given ward."],
      [`SELECT FacilityName FROM ${FOOD} WHERE FacilityType = '指定类型';`, "Places of a given type."],
      // A name in one pair of quotes.
      [`SELECT "${FOOD}.FacilityName", "${FOOD}.Score" FROM "${FOOD}" WHERE "${FOOD}.Ward" = 3;`, "Names and scores in ward 3."],
      // Markdown around it.
      ["```sql\nSELECT FacilityName FROM food_inspections_2021 WHERE Ward = 2;\n```", "Places in ward 2 in 2021."],
      // Two statements.
      [`SELECT FacilityName FROM ${FOOD} WHERE Ward = 1; SELECT FacilityName FROM ${FOOD} WHERE Ward = 2;`, "Places in wards 1 and 2."],
      // Two tables, in three ways.
      [`SELECT ${FOOD}.FacilityName, building_permits_2022.ADDRESS FROM ${FOOD} INNER JOIN building_permits_2022 ON ${FOOD}.Ward = building_permits_2022.WARD;`, "Places and jobs in the same ward."],
      [`SELECT ${FOOD}.FacilityName FROM ${FOOD}, building_permits_2022 WHERE ${FOOD}.Ward = building_permits_2022.WARD;`, "Places where jobs are under way."],
      [`SELECT Ward FROM ${FOOD} UNION SELECT WARD FROM building_permits_2022;`, "All wards."],
      // A hyphen where a join was meant.
      [`SELECT ${FOOD}.FacilityName FROM ${FOOD} - building_permits_2022 WHERE ${FOOD}.Score > 80;`, "Places that score above 80."],
      // A subquery.
      [`SELECT FacilityName FROM ${FOOD} WHERE Score = (SELECT MAX(Score) FROM ${FOOD});`, "The best place of 2022."],
      // A column that is not there.
      [`SELECT FacilityName, Grade FROM ${FOOD} WHERE Ward = 1;`, "Names and grades in ward 1."],
      // The clock.
      [`SELECT FacilityName FROM ${FOOD} WHERE VisitDate < date('now');`, "Visits so far."],
      // It writes.
      [`DELETE FROM ${FOOD} WHERE Ward = 9;`, "Take out ward 9."],
    ],
  },
  {
    region: "us",
    database: "Lakeshore Transit - 7",
    queries: [
      [`SELECT ${SPRING}.StopName, ${SPRING}.Boarding - ${SPRING}.Alighting FROM ${SPRING} WHERE ${SPRING}.DayType = 'Sunday';`, "By how much do people getting on outnumber those getting off on Sundays?"],
      ["SELECT bus_ridership_fall.StopName, bus_ridership_fall.Boarding - bus_ridership_fall.Alighting FROM bus_ridership_fall WHERE bus_ridership_fall.DayType = 'Sunday';", "The same in the fall."],
      [`SELECT RouteName, SUM(Boarding), AVG(HeadwayMin) FROM ${SPRING} GROUP BY RouteName HAVING SUM(Boarding) > 1000;`, "Busy routes in spring."],
      ["SELECT DISTINCT RouteName, StopName FROM bus_ridership_fall WHERE PeakPeriod = 'AM' ORDER BY RouteName, StopName;", "Where do morning buses stop in the fall?"],
      ["SELECT StopName FROM ferry_ridership WHERE Boarding > 300 AND Alighting < 250;", "Stops with many on and few off."],
      ["SELECT * FROM ferry_ridership WHERE PeakPeriod IS NULL;", "Everything outside the peaks."],
      ["SELECT StopName, Boarding FROM ferry_ridership WHERE StopName NOT LIKE 'Pier%' AND RouteName NOT IN ('Route 1', 'Route 9') ORDER BY Boarding DESC LIMIT 3;", "Top three stops beside the piers."],
      [`SELECT COUNT(DISTINCT StopName) FROM ${SPRING} AS s WHERE s.Boarding BETWEEN 100 AND 200;`, "How many stops had 100 to 200 people?"],
      [`SELECT MIN(HeadwayMin), MAX(HeadwayMin) FROM ${SPRING} WHERE RouteName = 'Route 12' AND DayType = 'Weekday';`, "Shortest and longest waits on Route 12."],
      // A table called "fleet_count": the request may not say "count".
      ["SELECT FUEL, COUNT(*) FROM fleet_count GROUP BY FUEL;", "Vehicles by fuel."],
      ["SELECT UNIT_NO, SEATS FROM retired_vehicles WHERE YEAR_BUILT < 2000 OR FUEL = 'Natural Gas';", "Old vehicles."],
      ["SELECT SUM(SEATS) FROM fleet_count WHERE FUEL = 'Diesel';", "Seats on diesel."],
      // NULLS LAST, which the parser does not read.
      ["SELECT StopName, PeakPeriod FROM ferry_ridership ORDER BY PeakPeriod NULLS LAST, StopName;", "Stops by period."],
      // A window.
      ["SELECT StopName, RANK() OVER (PARTITION BY RouteName ORDER BY Boarding DESC) FROM ferry_ridership;", "Ranks of the stops."],
      // A sentence would have to say "ferry".
      ["SELECT StopName FROM ferry_ridership WHERE StopName LIKE '%Museum%' OR StopName LIKE '%Ferry%';", "Museum and ferry stops."],
      // A parameter.
      [`SELECT StopName FROM ${SPRING} WHERE RouteName = ?;`, "Stops of a route."],
      ["SELECT StopName FROM bus_ridership_fall WHERE RouteName = 'YourRouteName';", "Stops of your route."],
      // No FROM.
      ["SELECT StopName, Boarding WHERE DayType = 'Sunday';", "Sundays."],
    ],
  },
  {
    region: "us",
    database: "Pine County Department of... - 33",
    queries: [
      [`SELECT SPECIES, HEIGHT_FT FROM ${STREET} WHERE DBH_IN >= 24.5;`, "Thick ones and their height."],
      ["SELECT SPECIES, HEIGHT_FT FROM park_trees WHERE DBH_IN >= 24.5;", "The same in parks."],
      ["SELECT SPECIES, HEIGHT_FT FROM campground_trees WHERE DBH_IN >= 24.5;", "The same at campgrounds."],
      [`SELECT TREE_ID FROM ${STREET} WHERE CONDITION = 'Poor' AND HERITAGE = 'yes';`, "Which heritage ones are in poor shape?"],
      ["SELECT SPECIES, COUNT(*) AS total FROM park_trees WHERE CONDITION <> 'Poor' GROUP BY SPECIES ORDER BY total DESC;", "Kinds in good shape, most first."],
      ["SELECT AVG(HEIGHT_FT) FROM campground_trees WHERE PLANTED BETWEEN 1960 AND 1980;", "Average height of those planted in the 1960s and 1970s."],
      ["SELECT LOCATION FROM park_trees WHERE HERITAGE = 'yes' AND LOCATION LIKE '%Main St';", "Heritage ones on Main Street."],
      ["SELECT SPECIES, MAX(DBH_IN) - MIN(DBH_IN) FROM park_trees GROUP BY SPECIES;", "The spread of widths by kind."],
      ["SELECT SPECIES, PLANTED, 2024 - PLANTED AS age FROM campground_trees WHERE 2024 - PLANTED > 60 ORDER BY age DESC;", "Those older than 60 years."],
      ["SELECT COALESCE(LOCATION, 'unknown'), LENGTH(SPECIES) FROM campground_trees WHERE HEIGHT_FT % 2 = 0;", "Places of the even heights."],
      ["SELECT CONDITION, COUNT(LOCATION) FROM campground_trees WHERE LOCATION IS NOT NULL OR PLANTED > 2000 GROUP BY CONDITION;", "How many have a place, by condition."],
      // Word for word the file before last but five.
      ["SELECT AVG(HEIGHT_FT) FROM campground_trees WHERE PLANTED BETWEEN 1960 AND 1980;", "Mean height of those planted from 1960 to 1980."],
      [`SELECT "Volunteers", "Unnamed: 1" FROM volunteer_hours;`, "Names and hours."],
      // Only the copy has other rows than none.
      [`SELECT TREE_ID FROM ${STREET} WHERE TREE_ID = 1001;`, "Number 1001."],
      // A literal with a word of the table's name.
      [`SELECT SPECIES FROM ${STREET} WHERE LOCATION LIKE '%Street%' OR HEIGHT_FT > 60;`, "Those on a street."],
      ["SELECT SPECIES FROM park_trees LIMIT 5;; -- five of them", "Five kinds."],
      ["SELECT [SPECIES], `PLANTED` FROM [park_trees] WHERE [HEIGHT_FT] > 80", "Tall ones."],
    ],
  },
  {
    // No database of this name came with the files.
    region: "us",
    database: "Office of Harbor Records - 2",
    queries: [
      ["SELECT BERTH_NO FROM moorings_east WHERE DEPTH_FT > 12;", "Deep berths."],
      ["SELECT COUNT(*) FROM moorings_west;", "How many moorings are there?"],
    ],
  },
  {
    region: "beijing",
    database: "公园绿地",
    queries: [
      ["SELECT dongchengqugongyuanminglu12.名称, dongchengqugongyuanminglu12.地址 FROM dongchengqugongyuanminglu12;", "市民想了解东城区有哪些公园，在什么地方。"],
      ['SELECT "名称", "?面积" FROM xichengqugongyuanminglu15 WHERE "?面积" > 10 ORDER BY "?面积" DESC;', "西城区面积超过10公顷的公园有哪些？"],
      ["SELECT COUNT(*) FROM xichengqugongyuanminglu15 WHERE 类别 = '社区公园';", "西城区有多少个社区公园？"],
      ['SELECT "xichengqugongyuanminglu15.名称" FROM "xichengqugongyuanminglu15";', "西城区的公园名单。"],
      ["SELECT 名称 FROM dongchengqugongyuanminglu12 WHERE 地址 LIKE '%和平%';", "和平街道有哪些公园？"],
    ],
  },
];
