// The sample's three databases: two for dev, one for train, each with its description files. Values are made by small
// rules, so that the same bytes come out every time.

const lines = (rows) => rows.map((row) => `(${row.map((v) => (v === null ? "NULL" : typeof v === "number" ? v : `'${String(v).replaceAll("'", "''")}'`)).join(", ")})`).join(",\n");
const insert = (table, rows) => `INSERT INTO ${table} VALUES\n${lines(rows)};`;
const pad = (number) => String(number).padStart(2, "0");

const ports = [
  [1, "Skarholm", "NI"], [2, "Vestnes", "NI"], [3, "Ormsund", "OC"], [4, "Grønvik", "OC"], [5, "Halvøya", "SI"],
];
const vessels = [
  [1, "Petrel", "F", 420.5, 1988, 1], [2, "Gannet", "F", 910, 2004, 3], [3, "Skua", "H", 130, 2016, 1],
  [4, "Fulmar", "C", 1450, 1979, 4], [5, "Razorbill", "H", 98.25, 2019, 5], [6, "Kittiwake", "F", 610, 1996, 2],
];
const sailings = Array.from({ length: 60 }, (_, n) => {
  const vessel = (n * 5) % 6 + 1;
  const status = n % 9 === 3 ? "X" : n % 7 === 2 ? "L" : "D";
  const delay = status === "X" ? null : status === "L" ? 16 + (n % 5) * 9 : n % 4;
  const pax = status === "X" ? 0 : 20 + ((n * 37) % 160);
  return [n + 1, vessel, (n % 5) + 1, ((n * 3 + 1) % 5) + 1, `2021-${pad((n % 6) + 3)}-${pad((n * 7) % 28 + 1)} ${pad(6 + (n % 14))}:30`, delay, pax, status];
}).map((row) => (row[2] === row[3] ? [...row.slice(0, 3), (row[3] % 5) + 1, ...row.slice(4)] : row));

const varieties = [
  [1, "Black Krim", "Solanaceae", 0.91, 3, 1, 350], [2, "Sungold", "Solanaceae", 0.95, 2, 0, 420],
  [3, "Rouge d'Hiver", "Asteraceae", 0.78, 7, 1, 210], [4, "Winter Density", "Asteraceae", 0.88, 8, 0, 190],
  [5, "Green Arrow", "Fabaceae", 0.83, 6, 0, 260], [6, "Crimson-flowered", "Fabaceae", 0.69, 8, 1, 390],
  [7, "Detroit Dark Red", "Amaranthaceae", 0.74, 6, 1, 180], [8, "Bull's Blood", "Amaranthaceae", 0.66, 5, 1, 240],
];
const members = [
  [1, "Ada Lindqvist", "A", "Tvedestrand", "1951-04-02"], [2, "Bo Ferrante", "B", "Risør", "1987-11-30"],
  [3, "Cecilie Moe", "A", "Risør", "1974-01-19"], [4, "Dag Iversen", "S", "Lyngør", "2003-07-08"],
  [5, "Eli Nakamura", "B", "Tvedestrand", "1990-02-25"],
];
const loans = Array.from({ length: 40 }, (_, n) => [
  n + 1, ((n * 3) % 8) + 1, ((n * 7) % 5) + 1, `20${19 + (n % 3)}-${pad((n % 9) + 2)}-${pad((n * 5) % 27 + 1)}`, 1 + (n % 4), n % 5 === 1 && n % 4 !== 2 ? "Y" : n % 3 === 0 ? "N" : "Y",
]);

const stalls = [
  [1, "Lantern Noodles", "FD", 12.5, 1], [2, "Paper Moon", "CR", 8, 2], [3, "Old Kiln", "CR", 9.5, 3], [4, "Dumpling Yard", "FD", 14, 4],
  [5, "Second Pages", "BK", 6, 5], [6, "Mango Steps", "FD", 7.25, 1],
];
const keepers = [
  [1, "Mei", "Tan", "2015-05-01"], [2, "Jonas", "Weld", "2018-09-14"], [3, "Asha", "Rao", "2012-03-20"], [4, "Li", "Wen", "2020-01-05"], [5, "Tomas", "Brandt", "2011-11-11"],
];
const sales = Array.from({ length: 72 }, (_, n) => [
  n + 1, (n % 6) + 1, `2022-${pad((Math.floor(n / 6) % 3) + 6)}-${pad((n * 5) % 28 + 1)}`, 15 + ((n * 29) % 140), n % 5 === 1 ? "Q" : n % 5 === 3 ? "C" : "K", n % 13 === 4 ? 1 : 0,
]);

export const DATABASES = [
  {
    split: "dev",
    name: "harbour_ferries",
    sql: `CREATE TABLE port (port_id INTEGER PRIMARY KEY, port_name TEXT NOT NULL, rgn TEXT NOT NULL);
CREATE TABLE vessel (vessel_id INTEGER PRIMARY KEY, vessel_name TEXT NOT NULL, vtype TEXT NOT NULL, gt REAL, built_year INTEGER, home_port_id INTEGER REFERENCES port (port_id));
CREATE TABLE sailings (sailing_id INTEGER PRIMARY KEY, vessel_id INTEGER REFERENCES vessel (vessel_id), from_port INTEGER REFERENCES port (port_id), to_port INTEGER REFERENCES port (port_id), "Departure Time" TEXT, delay_min INTEGER, pax INTEGER, status TEXT);
${insert("port", ports)}
${insert("vessel", vessels)}
${insert("sailings", sailings)}`,
    descriptions: {
      // A mark, six header cells for five, and a column that does not exist.
      "port.csv": {
        mark: true,
        text: `original_column_name,column_name,column_description,data_format,value_description,
port_id,port id,the number of the port,integer,,
port_name,port name,the name of the port,text,,
rgn,region,the part of the coast that the port lies on,text,"NI: northern isles
OC: outer coast
SI: southern isles",
harbour_master,harbour master,who is in charge of the port,text,,
`,
      },
      "vessel.csv": {
        text: `original_column_name,column_name,column_description,data_format,value_description
vessel_id,,the number of the vessel,integer,
vessel_name,vessel name,the name painted on the vessel,text,
vtype,vessel type,the kind of vessel,text,
gt,gross tonnage,how large the vessel is,real,
built_year,year of building,the year in which the vessel was launched,integer,
home_port_id,home port,the port where the vessel lies at night,integer,
`,
      },
      // Named after one sailing where the table is named after many.
      "sailing.csv": {
        text: `original_column_name,column_name,column_description,data_format,value_description
sailing_id,,the number of the sailing,integer,
vessel_id,vessel,the vessel that sailed,integer,
from_port,,where it left,integer,
to_port,,where it went,integer,
departure_time,departure time,when it was to leave,text,
delay_min,delay,by how many minutes it left late,integer,"commonsense evidence: a sailing counts as late from 15 minutes on"
pax,passengers,how many passengers were aboard,integer,
status,,how the sailing went,text,
`,
      },
    },
  },
  {
    split: "dev",
    name: "seed_library",
    sql: `CREATE TABLE variety (variety_id INTEGER PRIMARY KEY, common_name TEXT, family TEXT, germ_rate REAL, zone INTEGER, heirloom INTEGER, price_cents INTEGER);
CREATE TABLE member (member_id INTEGER PRIMARY KEY, full_name TEXT, mem_type TEXT, town TEXT, birth_date TEXT);
CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, variety_id INTEGER REFERENCES variety (variety_id), member_id INTEGER REFERENCES member (member_id), loan_date TEXT, packets INTEGER, returned TEXT);
${insert("variety", varieties)}
${insert("member", members)}
${insert("loan", loans)}`,
    descriptions: {
      "variety.csv": {
        text: `original_column_name,column_name,column_description,data_format,value_description
variety_id,,the number of the variety,integer,
common_name,common name,what gardeners call the variety,text,
family,,the plant family,text,
germ_rate,germination rate,the share of seeds that came up in the last trial,real,
zone,hardiness zone,the coldest zone it stands,integer,
heirloom,,whether it is an old variety,integer,"0: no
1: yes"
price_cents,price,the price of a packet in cents,integer,
`,
      },
      // Windows-1252: the town's note holds a dash and a letter that are no UTF-8.
      "member.csv": {
        windows1252: true,
        text: `original_column_name,column_name,column_description,data_format,value_description
member_id,,the number of the member,integer,
full_name,full name,first and last name,text,
mem_type,membership type,what kind of member they are,text,
town,,"where the member lives \u2013 Risør, Lyngør or elsewhere",text,
birth_date,date of birth,when the member was born,text,
`,
      },
      "loan.csv": {
        text: `original_column_name,column_name,column_description,data_format,value_description
loan_id,,the number of the loan,integer,
variety_id,variety,which variety was lent,integer,
member_id,member,who took it,integer,
loan_date,date of the loan,when it was lent,text,
packets,,how many packets,integer,
returned,,whether seed came back,text,
`,
      },
    },
  },
  {
    split: "train",
    name: "night_market",
    sql: `CREATE TABLE keeper (keeper_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, since TEXT);
CREATE TABLE stall (stall_id INTEGER PRIMARY KEY, stall_name TEXT, kind TEXT, area_sqm REAL, keeper_id INTEGER REFERENCES keeper (keeper_id));
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, stall_id INTEGER REFERENCES stall (stall_id), sale_date TEXT, amount INTEGER, pay TEXT, refunded INTEGER);
${insert("keeper", keepers)}
${insert("stall", stalls)}
${insert("sale", sales)}`,
    descriptions: {
      "stall.csv": {
        text: `original_column_name,column_name,column_description,data_format,value_description
stall_id,,the number of the stall,integer,
stall_name,stall name,the name on its sign,text,
kind,,what it sells,text,"FD: food, CR: crafts, BK: books"
area_sqm,area,how large it is in square metres,real,
keeper_id,keeper,who keeps it,integer,
`,
      },
      "sale.csv": {
        text: `original_column_name,column_name,column_description,data_format,value_description
sale_id,,the number of the sale,integer,
stall_id,stall,where it was made,integer,
sale_date,date,the evening of the sale,text,
amount,,how much was paid,integer,
pay,,how it was paid,text,
refunded,,whether the money was given back,integer,
`,
      },
    },
  },
];
