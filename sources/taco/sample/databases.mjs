// The databases of the sample, all of it invented. As upstream's they come out of CSV files: no keys, tables of one portal
// that differ by year, place or season only, mixed-case and shouted column names, NULLs, and a sheet read without a header.

/** A small generator of our own, so that the same rows come out every time. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}
const pick = (draw, list) => list[draw(list.length)];
const two = (number) => String(number).padStart(2, "0");

const FACILITIES = [
  "Alder Diner", "Blue Kettle", "Corner Noodle House", "Dockside Grill", "Elm Street School Kitchen", "Falls Bakery",
  "Golden Spoon", "Hillcrest Cafeteria", "Ivy Tea Room", "Juniper Taproom", "Kiln Pizza", "Larch Day Nursery",
  "Mill Pond Cafe", "North Bridge Deli", "Old Forge Inn", "Parkside Kiosk", "Quarry Lunch Room", "River Market Stall",
];

/** Ratings of eating places, a table a year. */
function inspections(year, seed, count) {
  const draw = numbers(seed);
  return Array.from({ length: count }, (_, at) => {
    const score = 62 + draw(39);
    return [
      year * 1000 + at, pick(draw, FACILITIES), pick(draw, ["Restaurant", "Bakery", "School Kitchen"]), 1 + draw(6), score,
      draw(7), score >= 90 ? "Pass" : score >= 75 ? "Pass with Conditions" : "Fail",
      `${year}-${two(1 + draw(12))}-${two(1 + draw(28))}`, draw(5) === 0 ? null : `Inspector ${pick(draw, ["Amari", "Boyle", "Castellanos"])}`,
    ];
  });
}
const INSPECTION_COLUMNS = [
  ["CaseID", "INTEGER"], ["FacilityName", "TEXT"], ["FacilityType", "TEXT"], ["Ward", "INTEGER"], ["Score", "INTEGER"],
  ["Violations", "INTEGER"], ["Outcome", "TEXT"], ["VisitDate", "TEXT"], ["Officer", "TEXT"],
];

function permits(year, seed, count) {
  const draw = numbers(seed);
  return Array.from({ length: count }, (_, at) => [
    year * 100 + at, pick(draw, ["Fence", "Garage", "Porch", "Roof", "Shed"]), `${1 + draw(240)} ${pick(draw, ["Ash", "Birch", "Cedar", "Dogwood"])} Street`,
    1 + draw(6), 800 + draw(90) * 250, draw(4) === 0 ? null : `${year}-${two(1 + draw(12))}-${two(1 + draw(28))}`,
  ]);
}
const PERMIT_COLUMNS = [
  ["PERMIT_NO", "INTEGER"], ["WORK_TYPE", "TEXT"], ["ADDRESS", "TEXT"], ["WARD", "INTEGER"], ["EST_COST", "REAL"], ["CLOSED_ON", "TEXT"],
];

/** Boardings by stop and season: the tables of one season are named after it. */
function boardings(seed, count) {
  const draw = numbers(seed);
  return Array.from({ length: count }, (_, at) => {
    const on = 20 + draw(400);
    return [
      1 + at, pick(draw, ["Route 1", "Route 4", "Route 9", "Route 12"]), pick(draw, ["Town Hall", "Lake Street", "Museum", "Hospital", "Depot", "Pier 3"]),
      pick(draw, ["Weekday", "Saturday", "Sunday"]), on, Math.max(0, on - 60 + draw(120)), 1 + draw(9) / 4, draw(6) === 0 ? null : pick(draw, ["AM", "PM"]),
    ];
  });
}
const BOARDING_COLUMNS = [
  ["OBJECTID", "INTEGER"], ["RouteName", "TEXT"], ["StopName", "TEXT"], ["DayType", "TEXT"], ["Boarding", "INTEGER"],
  ["Alighting", "INTEGER"], ["HeadwayMin", "REAL"], ["PeakPeriod", "TEXT"],
];

const SPECIES = ["Red Maple", "Norway Spruce", "White Oak", "Paper Birch", "American Elm", "Black Locust"];

function trees(seed, count, first) {
  const draw = numbers(seed);
  return Array.from({ length: count }, (_, at) => [
    first + at, pick(draw, SPECIES), 4 + draw(60) / 2, 10 + draw(80), pick(draw, ["Good", "Fair", "Poor"]), 1948 + draw(75),
    draw(5) === 0 ? null : `${1 + draw(90)} ${pick(draw, ["Main", "School", "Church"])} St`, pick(draw, ["yes", "no"]),
  ]);
}
const TREE_COLUMNS = [
  ["TREE_ID", "INTEGER"], ["SPECIES", "TEXT"], ["DBH_IN", "REAL"], ["HEIGHT_FT", "INTEGER"], ["CONDITION", "TEXT"],
  ["PLANTED", "INTEGER"], ["LOCATION", "TEXT"], ["HERITAGE", "TEXT"],
];

const PARKS_CN = ["青年", "红领巾", "团结湖", "日坛", "南馆", "柳荫", "龙潭", "明城墙"];
function parks(seed, count) {
  const draw = numbers(seed);
  return Array.from({ length: count }, (_, at) => [
    1 + at, `${PARKS_CN[at % PARKS_CN.length]}公园`, `${pick(draw, ["和平", "建国", "东直门"])}街道${1 + draw(90)}号`, 2 + draw(300) / 10, pick(draw, ["综合公园", "社区公园"]),
  ]);
}

/** A database as `{ region, name, tables: [[name, columns, rows], …] }`. */
export const DATABASES = [
  {
    region: "us",
    name: "Town of Alder Falls... - 12",
    tables: [
      ["food_inspections_2021", INSPECTION_COLUMNS, inspections(2021, 11, 40)],
      ["food_inspections_2022", INSPECTION_COLUMNS, inspections(2022, 12, 46)],
      ["food_inspections_2023", INSPECTION_COLUMNS, inspections(2023, 13, 38)],
      ["building_permits_2022", PERMIT_COLUMNS, permits(2022, 21, 30)],
      ["building_permits_2023", PERMIT_COLUMNS, permits(2023, 22, 30)],
      ["library_branches", [["BranchName", "TEXT"], ["OpenHours", "INTEGER"]], [["Central", 52], ["Mill Pond", 30], ["North Bridge", 26]]],
    ],
  },
  {
    region: "us",
    name: "Lakeshore Transit - 7",
    tables: [
      ["bus_ridership_spring", BOARDING_COLUMNS, boardings(31, 36)],
      ["bus_ridership_fall", BOARDING_COLUMNS, boardings(32, 36)],
      ["ferry_ridership", BOARDING_COLUMNS, boardings(33, 24)],
      ["fleet_count", [["UNIT_NO", "INTEGER"], ["YEAR_BUILT", "INTEGER"], ["SEATS", "INTEGER"], ["FUEL", "TEXT"]], [[1, 2009, 38, "Diesel"], [2, 2012, 40, "Diesel"], [3, 2019, 42, "Electric"], [4, 2021, 42, "Electric"], [5, 2015, 40, "Hybrid"]]],
      ["retired_vehicles", [["UNIT_NO", "INTEGER"], ["YEAR_BUILT", "INTEGER"], ["SEATS", "INTEGER"], ["FUEL", "TEXT"]], [[91, 1994, 36, "Diesel"], [92, 1998, 36, "Diesel"], [93, 2003, 38, "Natural Gas"]]],
    ],
  },
  {
    region: "us",
    name: "Pine County Department of... - 33",
    tables: [
      ["street_trees", TREE_COLUMNS, trees(41, 44, 1000)],
      ["park_trees", TREE_COLUMNS, trees(42, 40, 5000)],
      ["campground_trees", TREE_COLUMNS, trees(43, 28, 8000)],
      // The same rows as street_trees: readings that no answer could tell apart.
      ["street_trees_copy", TREE_COLUMNS, trees(41, 44, 1000)],
      // A sheet that was read without its header.
      ["volunteer_hours", [["Volunteers", "TEXT"], ["Unnamed: 1", "TEXT"], ["Unnamed: 2", "TEXT"]], [["Name", "Hours", "Site"], ["J. Aldo", "12", "Pond"], ["P. Ruiz", "7", "Ridge"], ["C. Voss", null, "Pond"]]],
      ["donor_list", [["Volunteers", "TEXT"], ["Unnamed: 1", "TEXT"], ["Unnamed: 2", "TEXT"]], [["Name", "Amount", "Year"], ["L. Beck", "250", "2022"]]],
    ],
  },
  {
    region: "beijing",
    name: "公园绿地",
    tables: [
      ["dongchengqugongyuanminglu12", [["序号", "INTEGER"], ["名称", "TEXT"], ["地址", "TEXT"], ["?面积", "REAL"], ["类别", "TEXT"]], parks(51, 9)],
      ["xichengqugongyuanminglu15", [["序号", "INTEGER"], ["名称", "TEXT"], ["地址", "TEXT"], ["?面积", "REAL"], ["类别", "TEXT"]], parks(52, 12)],
    ],
  },
];
