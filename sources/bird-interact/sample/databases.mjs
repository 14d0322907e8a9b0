// The sample's two databases: their tables as PostgreSQL dumps have them, knowledge and column meanings. All of it is ours.

const timestamp = (day, hour) =>
  `2023-${String(1 + Math.floor(day / 28)).padStart(2, "0")}-${String(1 + (day % 28)).padStart(2, "0")} ${String(hour % 24).padStart(2, "0")}:30:00`;

const SHIPS = ["Albatross", "Bernicla", "Cormorant", "Dunlin", "Egret", "Fulmar", "Gannet", "Heron", "Ibis", "Jackdaw"];
const FLAGS = ["Norway", "Malta", "Panama", "Norway", null, "Liberia", "Panama", "Malta", "Denmark", "Norway"];
const QUAYS = ["North Quay", "North Quay", "South Quay", "South Quay", "Timber Wharf"];

const pad = (text, length) => text.padEnd(length, " ");

const ships = SHIPS.map((name, at) => [
  pad(`SH${100 + at}`, 6),
  name,
  FLAGS[at],
  4000 + ((at * 7919) % 38000),
  1984 + ((at * 7) % 38),
  at === 7
    ? null
    : JSON.stringify({
        main: { kind: at % 3 === 0 ? "gas" : "diesel", power_kw: 2100 + at * 640 },
        auxiliary: { count: 1 + (at % 3) },
      }),
]);
const berths = QUAYS.map((quay, at) => [pad(`B${at + 1}`, 4), quay, (7 + at * 1.4).toFixed(1), (7.5 + at * 1.9).toFixed(1)]);
const portcalls = Array.from({ length: 42 }, (_, at) => {
  const stay = 5 + ((at * 11) % 61);
  return [
    pad(`PC${1000 + at}`, 8),
    ships[(at * 3) % ships.length][0],
    berths[(at * 7) % berths.length][0],
    timestamp(at * 3, 6 + (at % 9)),
    at % 13 === 5 ? null : timestamp(at * 3 + Math.floor((6 + (at % 9) + stay) / 24), 6 + (at % 9) + stay),
    (1200.5 + ((at * 977) % 27000)).toFixed(2),
    at % 5 === 2 ? null : (((at * 37) % 190) / 10).toFixed(2),
    at % 4 === 3 ? "Waiting" : at % 7 === 0 ? "Cancelled" : "Done",
  ];
});

const VARIETIES = ["Bramley", "Conference", "Victoria", "Bramley", "Morello", "Conference"];
const groves = VARIETIES.map((variety, at) => [at + 1, variety, (1.25 + at * 0.8).toFixed(2), 1998 + at * 3, at === 4 ? "f" : "t"]);
const harvests = Array.from({ length: 30 }, (_, at) => [
  at + 1,
  (at % 6) + 1,
  `20${20 + Math.floor(at / 10)}-${String(8 + (at % 3)).padStart(2, "0")}-${String(1 + ((at * 5) % 27)).padStart(2, "0")}`,
  (900 + ((at * 613) % 4100) + 0.125).toFixed(3),
  at % 8 === 3 ? null : String(0.41 + ((at * 17) % 50) / 100),
  `{${at % 2 === 0 ? "hand" : "machine"},${at % 3 === 0 ? "early" : "late"}}`,
]);

const keyed = (table, column) => ({ table, column });

export const DATABASES = [
  {
    name: "harbour",
    copy: true,
    tables: [
      {
        name: "berths",
        columns: [
          ["berthkey", "character(4) NOT NULL"],
          ["quayname", "character varying(40)"],
          ["maxdraft", "numeric(4,1)"],
          ["depthm", "numeric(4,1)"],
        ],
        key: "berthkey",
        rows: berths,
      },
      {
        name: "portcalls",
        columns: [
          ["callkey", "character(8) NOT NULL"],
          ["shipref", "character(6) NOT NULL"],
          ["berthref", "character(4)"],
          ["arrived", "timestamp without time zone"],
          ["departed", "timestamp without time zone"],
          ["cargoton", "numeric(9,2)"],
          ["delayhrs", "numeric(5,2)"],
          ["callstate", "character varying(20)"],
        ],
        key: "callkey",
        foreign: [
          ["shipref", keyed("ships", "shipkey")],
          ["berthref", keyed("berths", "berthkey")],
        ],
        rows: portcalls,
      },
      {
        name: "ships",
        columns: [
          ["shipkey", "character(6) NOT NULL"],
          ["shipname", "character varying(40)"],
          ["flagstate", "character varying(30)"],
          ["grosston", "integer"],
          ["builtyear", "integer"],
          ["engines", "jsonb"],
        ],
        key: "shipkey",
        rows: ships,
      },
    ],
    knowledge: [
      [0, "Turnaround Time (TAT)", "How long a ship occupies a berth.", "$\\text{TAT} = \\frac{\\text{departed} - \\text{arrived}}{3600}$, in hours, over calls that have departed.", "calculation_knowledge", -1],
      [1, "Delay Cost Index (DCI)", "Puts a price on a late call.", "$\\text{DCI} = \\text{delayhrs} \\times 0.05 \\times \\text{grosston}$, where higher values mean dearer delays.", "calculation_knowledge", -1],
      [2, "Costly Delay", "A delay that matters to the port's accounts.", "A call with $\\text{DCI} > 500$.", "domain_knowledge", [1]],
      [4, "Draft Safety Margin (DSM)", "Water left under a ship of the berth's largest draft.", "$\\text{DSM} = \\text{depthm} - \\text{maxdraft}$, in metres.", "calculation_knowledge", -1],
      [5, "Tight Berth", "A berth that leaves little room for error.", "A berth with $\\text{DSM} < 1.5$.", "domain_knowledge", [4]],
      [6, "Heavy Call", "A call that needs the big cranes.", "A call with $\\text{cargoton} > 20000$.", "domain_knowledge", -1],
      [7, "Late Call Surcharge", "What a late ship pays on top.", "$\\text{surcharge} = 120 \\times (\\text{delayhrs} \\times 0.05 \\times \\text{grosston})$, rounded to whole units.", "calculation_knowledge", [1]],
      [8, "Heavy Call", "What the crane plan means by it.", "In the crane plan, 'Heavy' stands for more than two crane shifts.", "value_illustration", -1],
      [9, "Call State", "What callstate may hold.", "'Done', 'Waiting' for calls that have no berth yet, 'Cancelled'.", "value_illustration", -1],
    ],
    meanings: {
      "Berths|BerthKey": "CHAR(4) PRIMARY KEY of a berth (e.g., 'B1').",
      "Berths|QuayName": "VARCHAR(40). The quay a berth lies at.",
      "Berths|MaxDraft": "NUMERIC(4,1). Largest draft in metres that may moor here.",
      "Berths|DepthM": "NUMERIC(4,1). Depth of water in metres at low tide.",
      "PortCalls|CallKey": "CHAR(8) PRIMARY KEY of a call.",
      "PortCalls|ShipRef": "CHAR(6). The ship that called.",
      "PortCalls|BerthRef": "CHAR(4). The berth it took.",
      "PortCalls|Arrived": "TIMESTAMP of arrival.",
      "PortCalls|Departed": "TIMESTAMP of departure; NULL for a ship that is still here.",
      "PortCalls|CargoTon": "NUMERIC(9,2). Cargo handled, in tonnes.",
      "PortCalls|DelayHrs": "NUMERIC(5,2). Hours behind schedule; NULL where no schedule was filed.",
      "PortCalls|CallState": "VARCHAR(20). Possible categories: Done, Waiting, Cancelled.",
      "Ships|ShipKey": "CHAR(6) PRIMARY KEY of a ship.",
      "Ships|ShipName": "VARCHAR(40). The ship's name.",
      "Ships|FlagState": "VARCHAR(30). Country of registry.",
      "Ships|GrossTon": "INTEGER. Gross tonnage.",
      "Ships|BuiltYear": "INTEGER. Year of building.",
      "Ships|Engines": {
        column_meaning: "JSONB column. The ship's machinery.",
        fields_meaning: {
          main: { kind: "Fuel of the main engine: gas or diesel.", power_kw: "Power of the main engine in kW." },
          auxiliary: { count: "How many auxiliary engines there are." },
        },
      },
    },
  },
  {
    name: "orchard",
    copy: false,
    tables: [
      {
        name: "groves",
        columns: [
          ["groveno", "integer NOT NULL"],
          ["variety", "character varying(30)"],
          ["areaha", "numeric(6,2)"],
          ["plantedyear", "integer"],
          ["irrigated", "boolean"],
        ],
        key: "groveno",
        rows: groves,
      },
      {
        name: "harvests",
        columns: [
          ["harvestno", "integer NOT NULL"],
          ["groveref", "integer"],
          ["harvestday", "date"],
          ["weightkg", "numeric(10,3)"],
          ["gradea", "double precision"],
          ["tags", "text[]"],
        ],
        key: "harvestno",
        foreign: [["groveref", keyed("groves", "groveno")]],
        rows: harvests,
      },
    ],
    knowledge: [
      [0, "Yield per Hectare (YPH)", "Weight picked on a hectare.", "$\\text{YPH} = \\frac{\\sum \\text{weightkg}}{\\text{areaha}}$", "calculation_knowledge", -1],
      [1, "Premium Harvest", "A harvest worth selling as fresh fruit.", "A harvest whose $\\text{gradea} \\geq 0.7$.", "domain_knowledge", -1],
      [2, "Old Grove", "A grove past its best years.", "A grove planted before 2005.", "domain_knowledge", -1],
    ],
    meanings: {
      "Groves|GroveNo": "INTEGER PRIMARY KEY of a grove.",
      "Groves|Variety": "VARCHAR(30). The fruit that grows there.",
      "Groves|AreaHa": "NUMERIC(6,2). Area in hectares.",
      "Groves|PlantedYear": "INTEGER. Year of planting.",
      "Groves|Irrigated": "BOOLEAN. Whether it is watered.",
      "Harvests|HarvestNo": "INTEGER PRIMARY KEY of a harvest.",
      "Harvests|GroveRef": "INTEGER. The grove that was picked.",
      "Harvests|HarvestDay": "DATE of picking.",
      "Harvests|WeightKg": "NUMERIC(10,3). Weight in kilograms.",
      "Harvests|GradeA": "REAL. Share of grade A fruit, 0 to 1.",
      "Harvests|Tags": "TEXT[]. How and when it was picked.",
    },
  },
];
